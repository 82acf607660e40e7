// Colours and shapes of series. The colours are variables of the style sheet, which has them for light and dark.

const shapes = ["circle", "square", "triangle", "diamond", "star", "cross", "wye"];
const known = ["weir", "host", "ompio", "romio"];
const others = 4;

// Looks for `names`, by position: {colour, shape}.
export function look(position) {
  return {colour: `var(--other-${position % others})`, shape: shapes[position % shapes.length]};
}

// What weir does by itself, beside ways it was told.
export const weirLook = {colour: "var(--ink)", shape: "star", dashed: true};

// The looks of series: of a peer always the same colour, whatever else is shown.
export function peerLooks(cells) {
  const looks = new Map();
  for (const cell of cells) {
    if (looks.has(cell.series)) continue;
    const colour = known.includes(cell.peer) ? `var(--peer-${cell.peer})` : look(looks.size).colour;
    looks.set(cell.series, {colour, shape: shapes[looks.size % shapes.length]});
  }
  return looks;
}

export function phaseColour(phase) {
  return `var(--phase-${phase})`;
}
