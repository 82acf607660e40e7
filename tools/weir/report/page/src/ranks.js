// Bandwidth against the number of ranks.
import {peerLooks} from "./colours.js";
import {cellColumns} from "./columns.js";
import {section} from "./dom.js";
import {figure} from "./figure.js";
import {lines} from "./lines.js";
import {short} from "./format.js";
import {bandwidth, bandwidthRange, distinct, failure, groups, isGood} from "./model.js";

// A cell as a point at `x`.
export function point(cell, x) {
  const where = `${cell.label}, ${cell.direction}\n${cell.series}`;
  if (!isGood(cell)) return {x, failed: failure(cell), title: `${where}: ${failure(cell)}`};
  const value = bandwidth(cell);
  return {x, y: value, ...bandwidthRange(cell), title: `${where}: ${short(value)} MB/s`};
}

function panel(cells, looks) {
  const counts = distinct(cells, (cell) => cell.ranks).sort((a, b) => a - b);
  const series = [...groups(cells, (cell) => cell.series)].map(([name, own]) => ({
    name,
    look: looks.get(name),
    points: own.map((cell) => point(cell, cell.ranks)),
  }));
  const x = {
    type: "log",
    domain: [counts[0] / 1.15, counts.at(-1) * 1.15],
    ticks: counts,
    format: String,
    label: "ranks",
  };
  return {
    title: `${cells[0].label}, ${cells[0].direction}`,
    make: (width) => lines({series, x, yLabel: "MB/s", width}),
  };
}

function rankFigure(place, cells) {
  const looks = peerLooks(cells);
  const panels = [...groups(cells, (cell) => `${cell.label}\n${cell.direction}`).values()].map((own) =>
    panel(own, looks),
  );
  const counts = distinct(cells, (cell) => cell.ranks).sort((a, b) => a - b);
  return figure({
    title: `${place}: bandwidth on ${counts.join(", ")} ranks`,
    legend: [...looks],
    size: "narrow",
    panels,
    columns: cellColumns([
      "workload",
      "direction",
      "peer",
      "ranks",
      "nodes",
      "bandwidth",
      "median",
      "spread",
      "outcome",
    ]),
    rows: cells,
  });
}

function severalCounts(cells) {
  const tasks = groups(cells, (cell) => JSON.stringify([cell.place, cell.label, cell.direction]));
  return [...tasks.values()].filter((own) => distinct(own, (cell) => cell.ranks).length > 1).flat();
}

export function ranks(cells) {
  const figures = [...groups(severalCounts(cells), (cell) => cell.place)].map(([place, own]) => rankFigure(place, own));
  if (figures.length === 0) return null;
  return section(
    "ranks",
    "More ranks",
    "Higher is better; each panel has a scale of its own. Lines go through the medians, whiskers show the " +
      "fastest and the slowest repeat, ✕ marks a run that failed.",
    figures,
  );
}
