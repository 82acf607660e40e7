// What cells have in common and what tells them apart.

const peerNames = {
  weir: "weir",
  host: "host",
  ompio: "OMPIO",
  romio: "ROMIO",
};
const peerOrder = Object.keys(peerNames);
const mpiNames = {
  openmpi: "Open MPI",
  mpich: "MPICH",
};

export const phases = ["inspect", "copy", "exchange", "file", "wait"];

// The values of `items` by key, in order of first appearance.
export function groups(items, key) {
  const found = new Map();
  for (const item of items) {
    const name = key(item);
    if (!found.has(name)) found.set(name, []);
    found.get(name).push(item);
  }
  return found;
}

export function distinct(items, key) {
  return [...groups(items, key).keys()];
}

export function peerName(peer) {
  return peerNames[peer] ?? peer;
}

export function mpiName(item) {
  return item.mpi_version || mpiNames[item.mpi] || item.mpi;
}

// weir first, then the others in a fixed order, then those nobody knows.
function peerPlace(peer) {
  return peerOrder.includes(peer) ? peerOrder.indexOf(peer) : peerOrder.length;
}

export function peers(items) {
  return distinct(items, (item) => item.peer).sort((a, b) => peerPlace(a) - peerPlace(b));
}

// Cells task by task, each with weir first.
export function byTask(cells) {
  const tasks = groups(cells, (cell) => JSON.stringify([cell.setting, cell.label, cell.direction]));
  return [...tasks.values()].flatMap((own) => own.sort((a, b) => peerPlace(a.peer) - peerPlace(b.peer)));
}

// Why a cell has no time to show; empty when it has one.
export function failure(cell) {
  if (cell.failed) return cell.failed;
  if (cell.verified === false) return "wrong data";
  return cell.median > 0 ? "" : "no times";
}

export function isGood(cell) {
  return failure(cell) === "";
}

export function outcome(cell) {
  const words = [failure(cell) || (cell.verified ? "verified" : "not verified")];
  if (cell.note) words.push(cell.note);
  return words.join("; ");
}

// Parameters, but for those that the workload is named by already.
export function parameterWords(cell) {
  const words = Object.entries(cell.parameters ?? {}).map(([key, value]) => `${key}=${value}`);
  const named = cell.workload.split(":");
  return words.filter((word) => !named.includes(word)).join(" ");
}

export function geometricMean(numbers) {
  return Math.exp(numbers.reduce((sum, each) => sum + Math.log(each), 0) / numbers.length);
}

// The shortest and the longest repeat, as `measure` of a time.
export function range(cell, measure) {
  const repeats = (cell.seconds ?? []).filter((seconds) => seconds > 0);
  if (repeats.length < 2) return {};
  const ends = [measure(Math.min(...repeats)), measure(Math.max(...repeats))];
  return {low: Math.min(...ends), high: Math.max(...ends)};
}

export function bandwidth(cell) {
  return cell.bandwidth ?? (cell.median > 0 && cell.bytes > 0 ? cell.bytes / cell.median / 1e6 : undefined);
}

export function bandwidthRange(cell) {
  return range(cell, (seconds) => cell.bytes / seconds / 1e6);
}

// Where and how a cell ran, all but workload and peer.
function settingWords(cell) {
  const nodes = cell.nodes > 1 ? ` on ${cell.nodes} nodes` : "";
  return `${mpiName(cell)}, ${cell.ranks} ranks${nodes}${placeWords(cell)}`;
}

function placeWords(cell) {
  return cell.file_system ? `, ${cell.file_system}` : "";
}

// Cells that are alike in everything that is shown of them are told apart by hints, by file, or by number.
function tellApart(alike) {
  const ways = [
    (cell) => cell.hints ?? "",
    (cell) => `file ${cell.source + 1}`,
    (cell) => `run ${alike.indexOf(cell) + 1}`,
  ];
  const way = ways.find((candidate) => distinct(alike, candidate).length === alike.length) ?? ways.at(-1);
  for (const cell of alike) cell.series = [peerName(cell.peer), way(cell)].filter(Boolean).join(", ");
}

// Adds to each cell: label (workload and parameters), setting (where it ran), place (the same without ranks), and
// series (its name among cells with the same label, setting and direction).
export function prepare(cells) {
  for (const cell of cells) {
    cell.label = [cell.workload, parameterWords(cell)].filter(Boolean).join(" ");
    cell.setting = settingWords(cell);
    cell.place = `${mpiName(cell)}${placeWords(cell)}`;
    cell.comparison ||= "";
  }
  const task = (cell) => JSON.stringify([cell.label, cell.setting, cell.directory, cell.direction, cell.comparison]);
  for (const same of groups(cells, task).values())
    if (
      distinct(
        same.filter((cell) => !cell.comparison),
        (cell) => cell.bytes ?? 0,
      ).length > 1
    )
      nameSizes(same);
  const identity = (cell) => JSON.stringify([task(cell), cell.peer, cell.variant]);
  for (const alike of groups(cells, identity).values()) {
    if (alike.length > 1) tellApart(alike);
    else alike[0].series = peerName(alike[0].peer);
  }
  return cells;
}

// One workload in several sizes is several workloads.
function nameSizes(cells) {
  for (const cell of cells) if (cell.bytes !== undefined) cell.label += ` bytes=${cell.bytes}`;
}
