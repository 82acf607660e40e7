// Time as a multiple of Block I/O: every workload, one bar per peer.
import {bars, barScale} from "./bars.js";
import {peerLooks} from "./colours.js";
import {cellColumns} from "./columns.js";
import {section} from "./dom.js";
import {figure} from "./figure.js";
import {duration, plural, short} from "./format.js";
import {distinct, failure, geometricMean, groups, isGood, peerName, peers, range} from "./model.js";

// What bars show: multiples of Block I/O, or plain times where no Block I/O was measured.
const multiples = {
  of: (cell) => cell.ratio ?? (cell.block_median > 0 ? cell.median / cell.block_median : undefined),
  range: (cell) => range(cell, (seconds) => seconds / cell.block_median),
  label: "time / time of Block I/O",
  words: short,
  reference: 1,
};
const times = {
  of: (cell) => cell.median,
  range: (cell) => range(cell, (seconds) => seconds),
  label: "seconds",
  words: duration,
};

function row(cell, measure, looks, base) {
  const common = {group: cell.label, name: cell.series};
  const value = isGood(cell) ? measure.of(cell) : undefined;
  if (value === undefined) return {...common, failed: failure(cell) || "no Block I/O measured"};
  const title = `${cell.label}, ${cell.direction}\n${cell.series}: ${measure.words(value)}\n${duration(cell.median)}`;
  const segments = [{from: base, to: value, colour: looks.get(cell.series).colour}];
  return {...common, ...measure.range(cell), segments, value: measure.words(value), title};
}

// Means of different tasks could not be compared: they are taken over the tasks that every peer did.
function means(cells, measure) {
  const everybody = peers(cells);
  const tasks = [...groups(cells, (cell) => JSON.stringify([cell.label, cell.direction])).values()];
  const done = (cell) => isGood(cell) && measure.of(cell) > 0;
  const common = tasks.filter((own) => own.every(done) && peers(own).length === everybody.length).flat();
  if (common.length === 0) return "no task was done by all";
  const words = everybody.map(
    (peer) =>
      `${peerName(peer)} ${measure.words(geometricMean(common.filter((cell) => cell.peer === peer).map(measure.of)))}`,
  );
  const count = distinct(common, (cell) => JSON.stringify([cell.label, cell.direction])).length;
  return `${words.join(", ")} (geometric means of ${count === tasks.length ? "" : `${count} of `}${plural(
    tasks.length,
    "task",
  )})`;
}

function ratioFigure(setting, cells) {
  const measure = cells.some((cell) => isGood(cell) && multiples.of(cell) > 0) ? multiples : times;
  const looks = peerLooks(cells);
  const good = cells.filter((cell) => isGood(cell) && measure.of(cell) > 0);
  const ends = good.flatMap((cell) => [measure.of(cell), ...Object.values(measure.range(cell))]);
  const scale = barScale(ends, measure.reference);
  const panels = distinct(cells, (cell) => cell.direction).map((direction) => {
    const byWorkload = groups(
      cells.filter((cell) => cell.direction === direction),
      (cell) => cell.label,
    );
    const rows = [...byWorkload.values()].flat().map((cell) => row(cell, measure, looks, scale.base));
    return {
      title: direction,
      make: (width) => bars({rows, scale, label: measure.label, width, rule: measure.reference}),
    };
  });
  const what = measure === multiples ? "time as a multiple of Block I/O" : "time";
  return figure({
    title: `${setting}: ${what}: ${means(cells, measure)}`,
    note: scale.type === "log" ? "Logarithmic scale; bars begin at Block I/O." : undefined,
    legend: [...looks].map(([name, {colour}]) => [name, {colour}]),
    size: "wide",
    panels,
    columns: cellColumns([
      "workload",
      "direction",
      "peer",
      "median",
      "spread",
      "block",
      "ratio",
      "bandwidth",
      "bytes",
      "outcome",
    ]),
    rows: cells,
  });
}

export function ratios(cells) {
  const figures = [...groups(cells, (cell) => cell.setting)].map(([setting, group]) => ratioFigure(setting, group));
  if (figures.length === 0) return null;
  return section(
    "ratios",
    "Against the peers",
    "Shorter is better. Block I/O moves the same bytes with one contiguous access per rank: what is left when " +
      "nothing has to be rearranged, 1 on the scale. It was measured in turn with each MPI-IO, so that bars of a " +
      "restless machine can differ from the order of times, which the summary goes by. A bar is the median of the " +
      "repeats, its whisker the fastest and the slowest one.",
    figures,
  );
}
