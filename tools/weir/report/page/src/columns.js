// Columns of the tables of cells: a name, and the text of a cell in it.
import {bytes, milliseconds, number, percent, text} from "./format.js";
import {bandwidth, failure, mpiName, outcome, phases} from "./model.js";

const columns = {
  workload: {name: "workload", long: true, text: (cell) => cell.label},
  direction: {name: "direction", text: (cell) => cell.direction},
  mpi: {name: "MPI", text: mpiName},
  peer: {name: "MPI-IO", text: (cell) => cell.series},
  variant: {name: "variant", text: (cell) => text(cell.variant)},
  comparison: {name: "comparison", text: (cell) => text([cell.comparison, cell.variant].filter(Boolean).join(": "))},
  ranks: {name: "ranks", numeric: true, text: (cell) => number(cell.ranks)},
  nodes: {name: "nodes", numeric: true, text: (cell) => number(cell.nodes)},
  bytes: {name: "data", numeric: true, text: (cell) => bytes(cell.bytes)},
  repeats: {name: "repeats", numeric: true, text: (cell) => number(cell.seconds?.length)},
  median: {name: "median, ms", numeric: true, text: (cell) => milliseconds(cell.median)},
  spread: {name: "spread", numeric: true, text: (cell) => percent(cell.spread)},
  block: {name: "Block I/O, ms", numeric: true, text: (cell) => milliseconds(cell.block_median)},
  ratio: {name: "ratio", numeric: true, text: (cell) => number(cell.ratio)},
  bandwidth: {name: "MB/s", numeric: true, text: (cell) => number(bandwidth(cell))},
  place: {
    name: "file system",
    long: true,
    text: (cell) => [cell.file_system, cell.directory].filter(Boolean).join(" ") || text(),
  },
  hints: {name: "hints", long: true, text: (cell) => text(cell.hints)},
  outcome: {name: "outcome", long: true, text: (cell) => (failure(cell) ? `✕ ${outcome(cell)}` : outcome(cell))},
};

export function cellColumns(names) {
  return names.map((name) => columns[name]);
}

export const allColumns = Object.values(columns).filter((column) => column !== columns.variant);

export const phaseColumns = phases.map((phase) => ({
  name: `${phase}, ms`,
  numeric: true,
  text: (cell) => milliseconds(cell.breakdown?.[phase]),
}));
