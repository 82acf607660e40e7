// Variants of one method side by side: bars, or lines where the variants are numbers.
import {bars, barScale} from "./bars.js";
import {look, peerLooks} from "./colours.js";
import {cellColumns} from "./columns.js";
import {section} from "./dom.js";
import {figure} from "./figure.js";
import {short} from "./format.js";
import {lines} from "./lines.js";
import {bandwidth, bandwidthRange, distinct, failure, groups, isGood} from "./model.js";
import {point} from "./ranks.js";

function task(cell, several) {
  return [cell.label, cell.direction, several ? `${cell.ranks} ranks` : ""].filter(Boolean).join(", ");
}

function isNumeric(cells) {
  return cells.every((cell) => typeof cell.x === "number") && distinct(cells, (cell) => cell.x).length > 1;
}

// The variant's name; with the peer's where there are several.
function variantName(cell, cells) {
  return distinct(cells, (each) => each.series).length > 1 ? `${cell.variant}, ${cell.series}` : cell.variant;
}

function bar(cell, cells, colours) {
  const name = variantName(cell, cells);
  if (!isGood(cell)) return {name, failed: failure(cell)};
  const value = bandwidth(cell);
  return {
    name,
    ...bandwidthRange(cell),
    value: short(value),
    title: `${name}: ${short(value)} MB/s\n${cell.hints ?? ""}`,
    segments: [{from: 0, to: value, colour: colours.get(cell.variant)}],
  };
}

function barPanel(title, own, scale, colours) {
  const rows = own.map((cell) => bar(cell, own, colours));
  return {title, make: (width) => bars({rows, scale, label: "MB/s", width})};
}

function xScale(cells, label) {
  const values = distinct(cells, (cell) => cell.x).sort((a, b) => a - b);
  const wide = values[0] > 0 && values.at(-1) / values[0] >= 8;
  const margin = (values.at(-1) - values[0]) * 0.05;
  const domain = wide ? [values[0] / 1.15, values.at(-1) * 1.15] : [values[0] - margin, values.at(-1) + margin];
  return {type: wide ? "log" : "linear", domain, ticks: values, format: short, label};
}

function linePanel(title, own, x, looks) {
  const series = [...groups(own, (cell) => cell.series)].map(([name, cells]) => ({
    name,
    look: looks.get(name),
    points: cells.map((cell) => point(cell, cell.x)),
  }));
  return {title, make: (width) => lines({series, x, yLabel: "MB/s", width})};
}

// How often each variant was the best of its task.
function finding(tasks) {
  const winners = tasks.map((own) => own.filter(isGood).sort((a, b) => bandwidth(b) - bandwidth(a))[0]).filter(Boolean);
  const counts = [...groups(winners, (cell) => cell.variant)]
    .map(([variant, won]) => [variant, won.length])
    .sort((a, b) => b[1] - a[1]);
  if (counts.length === 0) return "nothing could be measured";
  return (
    counts.map(([variant, count], i) => `${variant}${i === 0 ? " is fastest" : ""} in ${count}`).join(", ") +
    ` of ${tasks.length}`
  );
}

function comparisonFigure(cells) {
  const {comparison, place} = cells[0];
  const several = distinct(cells, (cell) => cell.ranks).length > 1 && !cells.every((cell) => cell.x === cell.ranks);
  const tasks = groups(cells, (cell) => task(cell, several));
  const ends = cells.filter(isGood).flatMap((cell) => [bandwidth(cell), bandwidthRange(cell).high ?? 0]);
  const numeric = isNumeric(cells);
  const looks = peerLooks(cells);
  const x = numeric ? xScale(cells, comparison) : undefined;
  const colours = new Map(distinct(cells, (cell) => cell.variant).map((variant, i) => [variant, look(i).colour]));
  const scale = barScale(ends);
  const panels = [...tasks].map(([title, own]) =>
    numeric ? linePanel(title, own, x, looks) : barPanel(title, own, scale, colours),
  );
  return figure({
    title: `${comparison}, ${place}: ${finding([...tasks.values()])}`,
    size: numeric ? "narrow" : "wide",
    panels,
    legend: numeric ? [...looks] : undefined,
    columns: cellColumns([
      "workload",
      "direction",
      "variant",
      "peer",
      "ranks",
      "median",
      "spread",
      "bandwidth",
      "ratio",
      "hints",
      "outcome",
    ]),
    rows: cells,
  });
}

export function comparisons(cells) {
  const found = groups(
    cells.filter((cell) => cell.comparison),
    (cell) => JSON.stringify([cell.comparison, cell.place]),
  );
  if (found.size === 0) return null;
  return section(
    "comparisons",
    "Methods compared",
    "Higher is better. Each panel is one workload and direction; whiskers show the fastest and the slowest " +
      "repeat.",
    [...found.values()].map(comparisonFigure),
  );
}
