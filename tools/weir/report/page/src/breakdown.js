// Where weir's time goes.
import {bars, barScale} from "./bars.js";
import {phaseColour} from "./colours.js";
import {cellColumns, phaseColumns} from "./columns.js";
import {section} from "./dom.js";
import {figure} from "./figure.js";
import {duration, percent} from "./format.js";
import {distinct, failure, groups, isGood, phases} from "./model.js";

function isBroken(cell) {
  return isGood(cell) && cell.breakdown && total(cell) > 0;
}

function total(cell) {
  return phases.reduce((sum, phase) => sum + (cell.breakdown[phase] ?? 0), 0);
}

// One bar of all phases; `unit` is the time that is 1 on the scale.
function row(cell, unit, names) {
  if (!isBroken(cell)) return {...names, failed: failure(cell)};
  let from = 0;
  const segments = phases.map((phase) => {
    const segment = {from, to: from + (cell.breakdown[phase] ?? 0) / unit, colour: phaseColour(phase)};
    from = segment.to;
    return segment;
  });
  const words = phases.map((phase) => `${phase} ${duration(cell.breakdown[phase])}`);
  return {...names, segments, value: duration(total(cell)), title: [cell.label, ...words].join("\n")};
}

const legend = phases.map((phase) => [phase, {colour: phaseColour(phase)}]);

function largest(all) {
  const cells = all.filter(isBroken);
  const sums = phases.map((phase) => cells.reduce((sum, cell) => sum + (cell.breakdown[phase] ?? 0) / total(cell), 0));
  const share = Math.max(...sums);
  return `${phases[sums.indexOf(share)]} takes most, ${percent(
    Math.round((share / cells.length) * 100) / 100,
  )} on average`;
}

function byWorkload(cells) {
  const {setting} = cells[0];
  const scale = {...barScale([1]), format: (value) => `${Math.round(value * 100)}`};
  const names = (cell) =>
    distinct(cells, (each) => each.series).length > 1 ? `${cell.label} · ${cell.series}` : cell.label;
  const panels = distinct(cells, (cell) => cell.direction).map((direction) => {
    const rows = cells
      .filter((cell) => cell.direction === direction)
      .map((cell) =>
        row(cell, total(cell), {
          group: names(cell),
        }),
      );
    return {title: direction, make: (width) => bars({rows, scale, label: "% of the sum", width})};
  });
  return figure({
    title: `${setting}: ${largest(cells)}`,
    legend,
    size: "wide",
    panels,
    columns: [...cellColumns(["workload", "direction", "peer"]), ...phaseColumns, ...cellColumns(["outcome"])],
    rows: cells,
  });
}

function byVariant(cells) {
  const {comparison, setting} = cells[0];
  const scale = barScale(cells.filter(isBroken).map((cell) => total(cell) * 1000));
  const panels = [...groups(cells, (cell) => `${cell.label}, ${cell.direction}`)].map(([title, own]) => ({
    title,
    make: (width) => bars({rows: own.map((cell) => row(cell, 0.001, {name: cell.variant})), scale, label: "ms", width}),
  }));
  return figure({
    title: `${comparison}, ${setting}: ${largest(cells)}`,
    legend,
    size: "wide",
    panels,
    columns: [
      ...cellColumns(["workload", "direction", "variant", "peer"]),
      ...phaseColumns,
      ...cellColumns(["outcome"]),
    ],
    rows: cells,
  });
}

export function breakdowns(cells) {
  const own = cells.filter((cell) => isBroken(cell) || (cell.peer === "weir" && !isGood(cell)));
  const some = (group) => group.some(isBroken);
  const plain = [
    ...groups(
      own.filter((cell) => !cell.comparison),
      (cell) => cell.setting,
    ).values(),
  ].filter(some);
  const compared = [
    ...groups(
      own.filter((cell) => cell.comparison),
      (cell) => `${cell.comparison}\n${cell.setting}`,
    ).values(),
  ].filter(some);
  const figures = [...plain.map(byWorkload), ...compared.map(byVariant)];
  if (figures.length === 0) return null;
  return section(
    "breakdown",
    "Where weir's time goes",
    "The time of a rank in each phase, mean of all ranks, per repeat. Phases of different rounds overlap, so " +
      "that the sum (beside the bar) need not be the time of the call.",
    figures,
  );
}
