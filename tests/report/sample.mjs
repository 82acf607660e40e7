// Results as `weir bench` writes them, made up but alike: both MPIs, 4 and 16 ranks, comparisons, b_eff_io, failures,
// and names that would be markup if anything took them for it. The same on every run.

const evil = `</script><img src=x onerror="window.broken=1">`;

const versions = {openmpi: "Open MPI 4.1.4", mpich: "MPICH 4.0.2"};
const peers = {openmpi: ["ompio", "romio", "weir"], mpich: ["weir", "romio"]};
const workloads = [
  {workload: "coll_perf", parameters: {side: 512}, cost: {weir: 1.15, ompio: 3.9, romio: 2.4}},
  {workload: "btio", parameters: {arrays: 40, side: 102}, cost: {weir: 1.32, ompio: 17, romio: 6.1}},
  {workload: "flash", parameters: {variables: 24}, cost: {weir: 1.08, ompio: 1.9, romio: 1.02}},
  {workload: "s3d", parameters: {}, cost: {weir: 1.2, ompio: 4.4, romio: 2.9}},
  {workload: "cyclic:block=64", parameters: {block: 64}, cost: {weir: 1.9, ompio: 96, romio: 31}},
  {workload: "cyclic:block=65536", parameters: {block: 65536}, cost: {weir: 1.04, ompio: 2.2, romio: 1.6}},
  {workload: "sparse", parameters: {factor: 8}, cost: {weir: 2.3, ompio: 9.5, romio: 12.2}},
];
const mebibyte = 1 << 20;

// A generator of numbers in [0, 1), always the same ones.
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function times(next, typical) {
  return Array.from({length: 5}, () => typical * (0.92 + 0.2 * next()));
}

function measured(next, cost, bytes, ranks) {
  const block = 0.018 * (bytes / (128 * mebibyte)) * (ranks > 8 ? 1.3 : 1);
  const seconds = times(next, block * cost);
  const blockSeconds = times(next, block);
  const middle = median(seconds);
  return {
    bytes,
    seed: 20,
    seconds,
    whole_seconds: seconds.map((s) => s * 1.1),
    block_seconds: blockSeconds,
    block_whole_seconds: blockSeconds.map((s) => s * 1.1),
    median: middle,
    spread: (Math.max(...seconds) - Math.min(...seconds)) / middle,
    block_median: median(blockSeconds),
    ratio: middle / median(blockSeconds),
    bandwidth: bytes / middle / 1e6,
    verified: true,
    failed: "",
    note: "",
  };
}

function breakdown(next, seconds) {
  const parts = {inspect: 0.02 + 0.02 * next(), copy: 0.2, exchange: 0.1 + 0.1 * next(), file: 0.45, wait: 0.1};
  return Object.fromEntries(Object.entries(parts).map(([phase, share]) => [phase, share * seconds]));
}

function cell(next, kind, place) {
  const {mpi, peer, ranks, direction} = place;
  const cost = kind.cost[peer] * (direction === "read" ? 0.9 : 1) * (ranks > 8 && peer !== "weir" ? 1.6 : 1);
  const result = measured(next, cost, 128 * mebibyte, ranks);
  return {
    workload: kind.workload,
    parameters: kind.parameters,
    direction,
    mpi,
    mpi_version: versions[mpi],
    peer,
    comparison: place.comparison ?? "",
    variant: place.variant ?? "",
    x: place.x ?? null,
    hints: place.hints ?? "",
    ranks,
    ranks_per_node: ranks,
    nodes: 1,
    directory: "/scratch/bench",
    file_system: "tmpfs",
    ...result,
    breakdown: peer === "weir" ? breakdown(next, result.median) : null,
  };
}

function fail(cells, where, failed, keep = []) {
  const unlucky = cells.find((each) => Object.entries(where).every(([key, value]) => each[key] === value));
  const lost = [
    "seconds",
    "whole_seconds",
    "block_seconds",
    "block_whole_seconds",
    "median",
    "spread",
    "block_median",
    "ratio",
    "bandwidth",
  ];
  for (const field of lost.filter((name) => !keep.includes(name))) delete unlucky[field];
  unlucky.failed = failed;
  unlucky.verified = failed === "wrong data" ? false : null;
}

function standardCells(next) {
  const cells = [];
  for (const mpi of ["openmpi", "mpich"])
    for (const ranks of [4, 16])
      for (const kind of workloads)
        for (const direction of ["write", "read"])
          for (const peer of peers[mpi]) cells.push(cell(next, kind, {mpi, ranks, direction, peer}));
  fail(cells, {peer: "ompio", workload: "cyclic:block=64", ranks: 16, direction: "write"}, "> 60 s");
  fail(cells, {peer: "romio", mpi: "mpich", workload: "sparse", ranks: 16, direction: "read"}, "ended by signal 11");
  fail(cells, {peer: "romio", mpi: "openmpi", workload: "btio", ranks: 4, direction: "read"}, "wrong data", [
    "seconds",
    "median",
    "spread",
    "bytes",
  ]);
  return cells;
}

function comparisonCells(next) {
  const cells = [];
  const base = {mpi: "openmpi", ranks: 4, peer: "weir"};
  const domains = {even: 1.2, aligned: 1.15, static_cyclic: 1.3, group_cyclic: 1.22};
  for (const kind of workloads.slice(0, 2))
    for (const direction of ["write", "read"]) {
      for (const [variant, cost] of Object.entries(domains))
        cells.push(
          cell(
            next,
            {...kind, cost: {weir: cost}},
            {...base, direction, comparison: "domains", variant, hints: `weir_domains=${variant}`},
          ),
        );
      for (const depth of [1, 2, 4, 8])
        cells.push(
          cell(
            next,
            {...kind, cost: {weir: 1.1 + 0.5 / depth}},
            {...base, direction, comparison: "depth", variant: String(depth), x: depth, hints: `weir_depth=${depth}`},
          ),
        );
    }
  fail(cells, {comparison: "depth", variant: "8", direction: "write"}, "ended by signal 6");
  return cells;
}

const types = ["scatter", "shared", "separate", "segmented", "segmented collective"];
const chunks = [
  ["1 MB", mebibyte],
  ["MPART", 2 * mebibyte],
  ["1 MB", mebibyte],
  ["32 kB", 32768],
  ["1 kB", 1024],
  ["32 kB + 8 B", 32776],
  ["1 kB + 8 B", 1032],
  ["1 MB + 8 B", mebibyte + 8],
];

function pattern(next, type, number, speed) {
  const [label, chunk] = chunks[number];
  const units = number === 0 ? 0 : number < 3 ? 2 : 1;
  const odd = chunk % 1024 === 0 ? 1 : 0.6;
  const bandwidth = speed * odd * (chunk / (chunk + 20000)) * (0.9 + 0.2 * next());
  const seconds = 0.3 * Math.max(units, 0.05);
  const memory = type === 0 ? Math.max(chunk, mebibyte) : chunk;
  return {
    number,
    chunk_bytes: chunk,
    memory_bytes: memory,
    units,
    label,
    bytes: Math.round(bandwidth * 1e6 * seconds),
    seconds,
    calls: Math.max(1, Math.round((bandwidth * 1e6 * seconds) / chunk)),
    bandwidth,
    hints: "",
  };
}

function beffioType(next, type, speed) {
  const patterns = chunks.map((_, number) => pattern(next, type, number, speed * (1 - 0.12 * type)));
  const bytes = patterns.reduce((sum, each) => sum + each.bytes, 0);
  const seconds = patterns.reduce((sum, each) => sum + each.seconds, 0);
  return {type, name: types[type], value: bytes / seconds / 1e6, bytes, seconds, patterns};
}

function mean(numbers) {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}

function partition(next, name, ranks, speed) {
  const methods = ["write", "rewrite", "read"].map((method) => {
    const count = method === "rewrite" ? 1 : 5;
    const list = Array.from({length: count}, (_, type) =>
      beffioType(next, type, speed * (method === "read" ? 1.6 : 1)),
    );
    return {method, value: mean(list.map((each) => each.value)), types: list};
  });
  const [write, , read] = methods.map((method) => method.value);
  return {ranks, name, value: Math.sqrt(write * read), write_value: write, read_value: read, methods};
}

function beffio(next, mpi, peer, speed) {
  const partitions = [
    ["small", 2],
    ["medium", 3],
    ["large", 4],
  ].map(([name, ranks]) => partition(next, name, ranks, speed * Math.sqrt(ranks)));
  return {
    mpi,
    mpi_version: versions[mpi],
    peer,
    ranks: 4,
    hints: "",
    failed: "",
    result: {
      release: "2.0",
      seconds: 60,
      comparable: false,
      not_comparable_because: ["T is 60 s, less than 900 s"],
      value: Math.cbrt(partitions.reduce((product, each) => product * each.value, 1)),
      settings: {
        ranks: 4,
        nodes: 1,
        memory_of_node_bytes: 24 * 2 ** 30,
        mpart_bytes: 2 * mebibyte,
        file_system: "tmpfs",
        mpi: versions[mpi],
        sync: false,
      },
      warnings: ["The data (1.2 GB) fit into the memory of a node (25.8 GB): this measures the cache."],
      partitions,
    },
  };
}

export function sample() {
  const next = random(20);
  const cells = [...standardCells(next), ...comparisonCells(next)];
  cells.push(
    cell(
      next,
      {workload: evil, parameters: {[evil]: evil}, cost: {weir: 1.4}},
      {mpi: "openmpi", ranks: 4, direction: "write", peer: "weir"},
    ),
  );
  cells.at(-1).note = evil;
  return {
    schema: "weir-bench/1",
    command:
      "weir bench --mpi openmpi,mpich --ranks 4,16 --size 128M --repeats 5 --dir /scratch/bench --output results.json",
    created: "2026-01-31T12:00:00Z",
    weir: "0.1.0",
    machine: {
      host: "node17",
      cpu: "Some Processor 7 at 3.0 GHz",
      cores: 2,
      memory_bytes: 24 * 2 ** 30,
      kernel: "6.18.0",
    },
    options: {size: "128M", repeats: 5, warmups: 1, [evil]: evil},
    complete: true,
    cells,
    b_eff_io: [
      beffio(next, "openmpi", "weir", 900),
      beffio(next, "openmpi", "ompio", 400),
      {mpi: "openmpi", mpi_version: versions.openmpi, peer: "romio", ranks: 4, hints: "", failed: "> 600 s"},
      beffio(next, "mpich", "weir", 850),
      beffio(next, "mpich", "romio", 500),
    ],
  };
}

// Another run: a few cells of the same kinds on 64 ranks of four nodes, without Block I/O, interrupted.
export function interrupted() {
  const next = random(7);
  const cells = ["write", "read"].flatMap((direction) =>
    ["weir", "romio"].map((peer) => {
      const made = cell(next, workloads[0], {mpi: "mpich", ranks: 64, direction, peer});
      for (const field of ["block_seconds", "block_whole_seconds", "block_median", "ratio"]) delete made[field];
      return {...made, ranks_per_node: 16, nodes: 4};
    }),
  );
  return {
    ...sample(),
    command: "weir bench --ranks 64",
    created: "2026-02-01T08:30:00Z",
    complete: false,
    cells,
    b_eff_io: [],
  };
}
