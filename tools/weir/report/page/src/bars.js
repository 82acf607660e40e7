// Horizontal bars, plain or stacked, in groups under a heading, with whiskers, values and failures.
import * as Plot from "@observablehq/plot";
import {short} from "./format.js";

const lineHeight = 19;
const letterWidth = 6.4;
const fontSize = 11.5;
const niceTicks = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];

// The x scale for all panels of a figure. values: everything that will be drawn. With `reference` (the value that is
// meant as "one"), large differences make it logarithmic, and bars begin at the reference.
export function barScale(values, reference) {
  const top = Math.max(...values, reference ?? 0);
  if (reference === undefined || top <= 12 * reference) return {type: "linear", domain: [0, top * 1.02 || 1], base: 0};
  const bottom = Math.min(...values, reference);
  return {
    type: "log",
    domain: [bottom * 0.97, top * 1.05],
    base: reference,
    ticks: niceTicks.filter((tick) => tick >= bottom * 0.97 && tick <= top * 1.05),
  };
}

// Lines from top to bottom: a heading where a group begins, then its rows.
function placed(rows) {
  const lines = [];
  let group;
  for (const row of rows) {
    if (row.group !== undefined && row.group !== group) lines.push({heading: row.group});
    group = row.group;
    lines.push({row});
  }
  return lines.map((line, y) => ({...line, y}));
}

function axes(scale, label) {
  const common = {ticks: scale.ticks ?? 5, text: scale.format ?? short};
  return [
    Plot.gridX({ticks: common.ticks}),
    Plot.axisX({...common, anchor: "top", label: null}),
    Plot.axisX({...common, anchor: "bottom", label, labelAnchor: "right", labelArrow: "none", labelOffset: 29}),
  ];
}

function names(lines, margin, width) {
  const common = {
    y: "y",
    frameAnchor: "left",
    textOverflow: "ellipsis",
    stroke: "var(--paper)",
    strokeWidth: 4,
    fill: "currentColor",
  };
  return [
    Plot.text(
      lines.filter((line) => line.heading !== undefined),
      {
        ...common,
        text: "heading",
        dx: -margin,
        dy: 2,
        textAnchor: "start",
        fontWeight: 600,
        lineWidth: (width / fontSize) * 0.8,
        className: "heading",
      },
    ),
    Plot.text(
      lines.filter((line) => line.row?.name),
      {
        ...common,
        text: (line) => line.row.name,
        dx: -6,
        textAnchor: "end",
        lineWidth: ((margin - 6) / fontSize) * 1.2,
        className: "name",
      },
    ),
  ];
}

function marks(lines, scale) {
  const good = lines.filter((line) => line.row?.segments);
  const segments = good.flatMap(({row, y}) => row.segments.map((segment) => ({...segment, y, title: row.title})));
  const ranged = good.filter((line) => line.row.high > line.row.low);
  const end = ({row}) => Math.max(row.high ?? 0, row.segments.at(-1).to);
  return [
    Plot.barX(segments, {
      y: "y",
      x1: "from",
      x2: "to",
      fill: "colour",
      className: "bar",
      insetTop: 2,
      insetBottom: 2,
      title: "title",
      tip: true,
    }),
    Plot.ruleY(ranged, {y: "y", x1: (line) => line.row.low, x2: (line) => line.row.high, className: "whisker"}),
    Plot.tickX(
      ranged.flatMap((line) => [line.row.low, line.row.high].map((x) => ({x, y: line.y}))),
      {x: "x", y: "y", insetTop: 6, insetBottom: 6, className: "whisker-end"},
    ),
    Plot.text(good, {
      y: "y",
      x: (line) => Math.max(end(line), scale.base),
      text: (line) => line.row.value,
      textAnchor: "start",
      dx: 5,
      className: "value",
    }),
    Plot.text(
      lines.filter((line) => line.row?.failed),
      {
        y: "y",
        x: scale.base,
        text: (line) => `✕ ${line.row.failed}`,
        textAnchor: "start",
        dx: 5,
        fill: "var(--bad)",
        className: "failed",
      },
    ),
  ];
}

// rows: [{group, name, segments: [{from, to, colour}] or failed, low, high, value, title}], in order; scale from
// barScale.
export function bars({rows, scale, label, width, rule}) {
  const lines = placed(rows);
  const longest = Math.max(0, ...rows.map((row) => (row.name ?? "").length));
  const margin = Math.min(width * 0.34, longest * letterWidth + 12);
  const right = Math.max(30, ...rows.map((row) => (row.value ?? "").length * letterWidth + 10));
  return Plot.plot({
    width,
    height: lines.length * lineHeight + 52,
    marginLeft: margin,
    marginRight: right,
    marginTop: 20,
    marginBottom: 32,
    x: {type: scale.type, domain: scale.domain},
    y: {type: "band", domain: lines.map((line) => line.y), axis: null, padding: 0, round: false},
    marks: [
      ...axes(scale, label),
      ...(rule === undefined ? [] : [Plot.ruleX([rule], {strokeWidth: 1.5, className: "reference"})]),
      ...marks(lines, scale),
      ...names(lines, margin, width),
    ],
  });
}
