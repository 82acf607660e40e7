// b_eff_io: its values, and bandwidth against the size of chunks.
import {look, peerLooks} from "./colours.js";
import {element, foldedTable, section, table} from "./dom.js";
import {figure} from "./figure.js";
import {bytes, chunk, duration, number, short, text} from "./format.js";
import {lines} from "./lines.js";
import {distinct, groups, mpiName, peerName} from "./model.js";

// Sizes that are no multiple of a kilobyte (the "+ 8 bytes" ones) make a line of their own.
function isOdd(pattern) {
  return pattern.chunk_bytes % 1024 !== 0;
}

function typeName(type) {
  return `type ${type.type}${type.name ? ` ${type.name}` : ""}`;
}

function runName(run) {
  return `${mpiName(run)}, ${run.series}, ${run.ranks} ranks`;
}

// Every pattern with all that it belongs to.
function flatten(runs) {
  return runs.flatMap((run) =>
    (run.result?.partitions ?? []).flatMap((partition) =>
      partition.methods.flatMap((method) =>
        method.types.flatMap((type) => type.patterns.map((pattern) => ({run, partition, method, type, pattern}))),
      ),
    ),
  );
}

// Patterns without time units run once, to begin with, and are not measured.
function isMeasured({pattern}) {
  return pattern.units !== 0 && pattern.bandwidth > 0;
}

// Of several patterns with the same chunk size, the line goes through the last one.
function points(own) {
  const last = new Map(own.map((each) => [each.pattern.chunk_bytes, each]));
  return own.map((each) => ({
    x: each.pattern.chunk_bytes,
    y: each.pattern.bandwidth,
    aside: last.get(each.pattern.chunk_bytes) !== each,
    title: `${each.pattern.label ?? chunk(each.pattern.chunk_bytes)}: ${short(each.pattern.bandwidth)} MB/s`,
  }));
}

function series(own, key, looks) {
  return [...groups(own, key)]
    .flatMap(([name, same]) =>
      [false, true].map((odd) => ({
        name,
        look: {...looks.get(name), dashed: odd},
        points: points(same.filter((each) => isOdd(each.pattern) === odd)),
      })),
    )
    .filter((each) => each.points.length > 0);
}

function xScale(all) {
  const sizes = distinct(all, ({pattern}) => pattern.chunk_bytes);
  const ends = [Math.min(...sizes), Math.max(...sizes)];
  const ticks = [1024, 32768, 1048576, 33554432, 1073741824].filter((tick) => tick >= ends[0] && tick <= ends[1]);
  return {type: "log", domain: [ends[0] / 1.4, ends[1] * 1.4], ticks, format: chunk, label: "chunk"};
}

const patternColumns = [
  {name: "MPI-IO", text: ({run}) => run.series},
  {name: "method", text: ({method}) => method.method},
  {name: "type", text: ({type}) => typeName(type)},
  {name: "pattern", numeric: true, text: ({pattern}) => number(pattern.number)},
  {name: "chunk", text: ({pattern}) => text(pattern.label)},
  {name: "chunk, bytes", numeric: true, text: ({pattern}) => number(pattern.chunk_bytes)},
  {name: "memory, bytes", numeric: true, text: ({pattern}) => number(pattern.memory_bytes)},
  {name: "U", numeric: true, text: ({pattern}) => number(pattern.units)},
  {name: "calls", numeric: true, text: ({pattern}) => number(pattern.calls)},
  {name: "data", numeric: true, text: ({pattern}) => bytes(pattern.bytes)},
  {name: "seconds", numeric: true, text: ({pattern}) => number(pattern.seconds)},
  {name: "MB/s", numeric: true, text: ({pattern}) => number(pattern.bandwidth)},
  {name: "hints", text: ({pattern}) => text(pattern.hints)},
];

// One partition of all runs under one MPI. Several MPI-IOs: a panel per method and type, a line per MPI-IO; one alone:
// a panel per method, a line per type.
function partitionFigure(all) {
  const {run, partition} = all[0];
  const measured = all.filter(isMeasured);
  const alone = distinct(all, (each) => each.run.series).length === 1;
  const line = alone ? (each) => typeName(each.type) : (each) => each.run.series;
  const looks = alone
    ? new Map(distinct(all, line).map((name, i) => [name, look(i)]))
    : peerLooks(all.map((each) => each.run));
  const title = ({method, type}) => (alone ? method.method : `${method.method}, ${typeName(type)}`);
  const x = xScale(all);
  const panels = [...groups(measured, title)].map(([name, own]) => ({
    title: name,
    make: (width) => lines({series: series(own, line, looks), x, yLabel: "MB/s", width}),
  }));
  const best = measured.reduce((a, b) => (a && a.pattern.bandwidth >= b.pattern.bandwidth ? a : b), undefined);
  const finding = best
    ? `at most ${short(best.pattern.bandwidth)} MB/s (${best.run.series}, ${best.method.method}, ` +
      `${typeName(best.type)}, chunks of ${best.pattern.label ?? chunk(best.pattern.chunk_bytes)})`
    : "nothing was measured";
  return figure({
    title: `${mpiName(run)}, ${partition.name ?? ""} partition of ${partition.ranks} ranks: ${finding}`,
    note: "Solid lines: chunks of whole kilobytes. Dashed: the same and 8 bytes more.",
    legend: [...looks],
    size: "narrow",
    panels,
    columns: patternColumns,
    rows: all,
  });
}

const runColumns = [
  {name: "MPI", text: mpiName},
  {name: "MPI-IO", text: (run) => run.series},
  {name: "ranks", numeric: true, text: (run) => number(run.ranks)},
  {name: "release", text: (run) => text(run.result?.release)},
  {name: "T", numeric: true, text: (run) => duration(run.result?.seconds)},
  {name: "b_eff_io, MB/s", numeric: true, text: (run) => number(run.result?.value)},
  {name: "outcome", text: (run) => (run.failed ? `✕ ${run.failed}` : comparability(run.result))},
];

function comparability(result) {
  if (result?.comparable !== false) return "comparable";
  return ["not comparable", (result.not_comparable_because ?? []).join("; ")].filter(Boolean).join(": ");
}

const typeColumns = [
  {name: "MPI", text: ({run}) => mpiName(run)},
  {name: "MPI-IO", text: ({run}) => run.series},
  {name: "partition", text: ({partition}) => `${partition.name ?? ""} (${partition.ranks})`},
  {name: "method", text: ({method}) => method.method},
  {name: "type", text: ({type}) => (type ? typeName(type) : "all types")},
  {name: "data", numeric: true, text: ({type}) => bytes(type?.bytes)},
  {name: "seconds", numeric: true, text: ({type}) => number(type?.seconds)},
  {name: "MB/s", numeric: true, text: ({type, method}) => number((type ?? method).value)},
];

function typeRows(runs) {
  return runs.flatMap((run) =>
    (run.result?.partitions ?? []).flatMap((partition) =>
      partition.methods.flatMap((method) =>
        [...method.types, undefined].map((type) => ({run, partition, method, type})),
      ),
    ),
  );
}

const partitionColumns = [
  {name: "MPI", text: ({run}) => mpiName(run)},
  {name: "MPI-IO", text: ({run}) => run.series},
  {name: "partition", text: ({partition}) => text(partition.name)},
  {name: "ranks", numeric: true, text: ({partition}) => number(partition.ranks)},
  {name: "write, MB/s", numeric: true, text: ({partition}) => number(partition.write_value)},
  {name: "read, MB/s", numeric: true, text: ({partition}) => number(partition.read_value)},
  {name: "value, MB/s", numeric: true, text: ({partition}) => number(partition.value)},
];

function warnings(runs) {
  const pairs = runs.flatMap((run) => (run.result?.warnings ?? []).map((warning) => ({run, warning})));
  const words = [...groups(pairs, ({warning}) => warning)].map(
    ([warning, own]) => `${warning} (${own.map(({run}) => runName(run)).join("; ")})`,
  );
  return words.length === 0
    ? null
    : element(
        "ul",
        {class: "warnings"},
        words.map((each) => element("li", {}, each)),
      );
}

function nameRuns(runs) {
  for (const same of groups(runs, (run) => JSON.stringify([run.mpi, run.mpi_version, run.peer])).values())
    same.forEach(
      (run, i) => (run.series = same.length > 1 ? `${peerName(run.peer)}, run ${i + 1}` : peerName(run.peer)),
    );
}

export function beffio(runs) {
  if (runs.length === 0) return null;
  nameRuns(runs);
  const partitions = groups(flatten(runs), ({run, partition}) =>
    JSON.stringify([mpiName(run), partition.name, partition.ranks]),
  );
  return section(
    "b_eff_io",
    "b_eff_io",
    "The effective I/O bandwidth benchmark: one number from many access patterns, each given a share of the " +
      "time T. Higher is better.",
    table("b_eff_io of each run", runColumns, runs),
    warnings(runs),
    table(
      "Values of partitions",
      partitionColumns,
      runs.flatMap((run) => (run.result?.partitions ?? []).map((partition) => ({run, partition}))),
    ),
    [...partitions.values()].map(partitionFigure),
    element("h3", {}, "Values of methods and types"),
    foldedTable("values of methods and types", typeColumns, typeRows(runs)),
  );
}
