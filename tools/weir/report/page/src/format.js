// Numbers as people read them. What is not there is a dash.

const none = "–";

function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

// Four significant digits; whole numbers in full.
export function number(value) {
  if (!isNumber(value)) return none;
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(4)));
}

// Three digits, for labels in plots.
export function short(value) {
  return isNumber(value) ? Number(value.toPrecision(3)).toLocaleString("en-US") : none;
}

export function milliseconds(value) {
  return isNumber(value) ? number(value * 1000) : none;
}

export function duration(seconds) {
  if (!isNumber(seconds)) return none;
  return seconds < 1 ? `${short(seconds * 1000)} ms` : `${short(seconds)} s`;
}

export function percent(value) {
  return isNumber(value) ? `${number(value * 100)} %` : none;
}

// Powers of ten, as bandwidths are.
export function bytes(value) {
  if (!isNumber(value)) return none;
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3)));
  return `${number(value / 1000 ** power)} ${units[power]}`;
}

// Powers of two where they fit: sizes of chunks.
export function chunk(value) {
  if (!isNumber(value)) return none;
  const units = ["B", "KiB", "MiB", "GiB"];
  let power = 0;
  while (power < units.length - 1 && value >= 1024 ** (power + 1)) ++power;
  return `${short(value / 1024 ** power)} ${units[power]}`;
}

export function text(value) {
  return value === undefined || value === null || value === "" ? none : String(value);
}

export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}
