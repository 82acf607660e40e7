// What the page has to show, worked out from results once more, by other means than the page's.
import * as format from "../../tools/weir/report/page/src/format.js";

const peers = {weir: "weir", host: "host", ompio: "OMPIO", romio: "ROMIO"};
export const phases = ["inspect", "copy", "exchange", "file", "wait"];

export const good = (cell) => !cell.failed && cell.median > 0;
export const plain = (cell) => !cell.comparison;

export function label(cell) {
  if (cell.workload.includes("=") && !cell.workload.includes("<")) return cell.workload;
  const words = Object.keys(cell.parameters).map((key) => `${key}=${cell.parameters[key]}`);
  return [cell.workload, ...words].join(" ");
}

function result(cell) {
  const word = cell.failed ? `✕ ${cell.failed}` : "verified";
  return cell.note ? `${word}; ${cell.note}` : word;
}

// The text under each heading of a table of cells.
const cellTexts = {
  workload: label,
  direction: (cell) => cell.direction,
  MPI: (cell) => cell.mpi_version,
  "MPI-IO": (cell) => peers[cell.peer],
  variant: (cell) => cell.variant || "–",
  comparison: (cell) => (cell.comparison ? `${cell.comparison}: ${cell.variant}` : "–"),
  ranks: (cell) => format.number(cell.ranks),
  nodes: (cell) => format.number(cell.nodes),
  data: (cell) => format.bytes(cell.bytes),
  repeats: (cell) => format.number(cell.seconds?.length),
  "median, ms": (cell) => format.milliseconds(cell.median),
  spread: (cell) => format.percent(cell.spread),
  "Block I/O, ms": (cell) => format.milliseconds(cell.block_median),
  ratio: (cell) => format.number(cell.ratio),
  "MB/s": (cell) => format.number(cell.bandwidth ?? cell.bytes / cell.median / 1e6),
  "file system": (cell) => `${cell.file_system} ${cell.directory}`,
  hints: (cell) => cell.hints || "–",
  outcome: result,
  ...Object.fromEntries(
    phases.map((phase) => [`${phase}, ms`, (cell) => format.milliseconds(cell.breakdown?.[phase])]),
  ),
};

export function cellRow(cell, head) {
  return head.map((name) => cellTexts[name](cell));
}

// Every pattern of b_eff_io, with what it belongs to.
export function patterns(results) {
  const all = [];
  for (const run of results.b_eff_io)
    for (const partition of run.result?.partitions ?? [])
      for (const method of partition.methods)
        for (const type of method.types)
          for (const pattern of type.patterns) all.push({run, partition, method, type, pattern});
  return all;
}

export function patternRow({run, method, type, pattern}) {
  const numbers = [pattern.units, pattern.calls].map(format.number);
  return [
    peers[run.peer],
    method.method,
    `type ${type.type} ${type.name}`,
    format.number(pattern.number),
    pattern.label,
    format.number(pattern.chunk_bytes),
    format.number(pattern.memory_bytes),
    ...numbers,
    format.bytes(pattern.bytes),
    format.number(pattern.seconds),
    format.number(pattern.bandwidth),
    pattern.hints || "–",
  ];
}

// The rows of the tables that sum b_eff_io up, in the order of the page: runs, partitions, types.
export function beffioRows(results) {
  const runs = [];
  const partitions = [];
  const types = [];
  for (const run of results.b_eff_io) {
    const who = [run.mpi_version, peers[run.peer]];
    const value = run.result;
    const outcome = run.failed ? `✕ ${run.failed}` : `not comparable: ${value.not_comparable_because.join("; ")}`;
    runs.push([
      ...who,
      String(run.ranks),
      value?.release ?? "–",
      format.duration(value?.seconds),
      format.number(value?.value),
      outcome,
    ]);
    for (const each of value?.partitions ?? []) {
      const values = [each.write_value, each.read_value, each.value].map(format.number);
      partitions.push([...who, each.name, String(each.ranks), ...values]);
      for (const method of each.methods) {
        const where = [...who, `${each.name} (${each.ranks})`, method.method];
        for (const type of method.types)
          types.push([
            ...where,
            `type ${type.type} ${type.name}`,
            format.bytes(type.bytes),
            format.number(type.seconds),
            format.number(type.value),
          ]);
        types.push([...where, "all types", "–", "–", format.number(method.value)]);
      }
    }
  }
  return [runs, partitions, types];
}

// Weir against the fastest of the others, task by task: {tasks, won, mean}.
export function duel(results) {
  const tasks = new Map();
  for (const cell of results.cells.filter(plain)) {
    const task = [label(cell), cell.direction, cell.mpi, cell.ranks].join("|");
    const times = tasks.get(task) ?? {weir: Infinity, best: Infinity, peers: new Set()};
    const side = cell.peer === "weir" ? "weir" : "best";
    if (good(cell)) times[side] = Math.min(times[side], cell.median);
    tasks.set(task, {...times, peers: times.peers.add(cell.peer)});
  }
  const shared = [...tasks.values()].filter((task) => task.peers.size > 1 && task.peers.has("weir"));
  const quotients = shared
    .filter((task) => task.weir < Infinity && task.best < Infinity)
    .map((task) => task.best / task.weir);
  const mean = Math.exp(quotients.reduce((sum, each) => sum + Math.log(each), 0) / quotients.length);
  return {tasks: shared.length, won: shared.filter((task) => task.weir <= task.best).length, mean};
}
