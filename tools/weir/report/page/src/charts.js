// The charts of a claim: one figure of its own each.
import {look, weirLook} from "./colours.js";
import {figure} from "./figure.js";
import {number} from "./format.js";
import {lines} from "./lines.js";
import {stacked} from "./stacked.js";

function points(series, chart) {
  return series.points.map(([x, y]) => ({x, y, title: `${series.name}\n${chart.x} ${number(x)}\n${number(y)} ${chart.y}`}));
}

// Numbers that grow by factors stand at equal distances.
function scale(ticks, label) {
  const factors = ticks.length > 2 && ticks[0] > 0 && ticks.at(-1) / ticks[0] >= 16;
  const span = [ticks[0], ticks.at(-1)];
  return {type: factors ? "log" : "linear", domain: span, ticks, format: number, label};
}

function columns(chart) {
  return [
    {name: "series", text: (row) => row.name},
    {name: chart.x, numeric: true, text: (row) => number(row.x)},
    {name: chart.y, numeric: true, text: (row) => number(row.y)},
  ];
}

function looks(chart) {
  let position = 0;
  return chart.series.map((series) => (series.by_weir ? weirLook : look(position++)));
}

function panel(chart, appearance, x) {
  const series = chart.series.map((each, i) => ({name: each.name, look: appearance[i], points: points(each, chart)}));
  if (chart.kind === "lines") return (width) => lines({series, x, yLabel: chart.y, width});
  const parts = series.filter((_, i) => !chart.series[i].by_weir).map((each) => ({...each, colour: each.look.colour}));
  const beside = series.filter((_, i) => chart.series[i].by_weir);
  return (width) => stacked({parts, beside, x, yLabel: chart.y, width});
}

export function chartFigure(chart) {
  const ticks = [...new Set(chart.series.flatMap(({points}) => points.map(([x]) => x)))].sort((a, b) => a - b);
  const appearance = looks(chart);
  const isPart = (i) => chart.kind === "stacked" && !chart.series[i].by_weir;
  return figure({
    title: chart.title,
    legend: chart.series.map(({name}, i) => [name, isPart(i) ? {colour: appearance[i].colour} : appearance[i]]),
    size: "wide",
    panels: [{make: panel(chart, appearance, scale(ticks, chart.x))}],
    columns: columns(chart),
    rows: chart.series.flatMap(({name, points}) => points.map(([x, y]) => ({name, x, y}))),
  });
}
