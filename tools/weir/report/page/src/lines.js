// Lines over a numeric x, one per series, with whiskers and failures.
import * as Plot from "@observablehq/plot";

const symbolsThatFill = {r: 4};

function seriesMarks(name, points, {colour, shape, dashed}) {
  const good = points.filter((point) => point.y !== undefined);
  const common = {x: "x", y: "y", stroke: colour};
  return [
    Plot.ruleX(good.filter((point) => point.high > point.low), {x: "x", y1: "low", y2: "high", stroke: colour,
      strokeOpacity: 0.6, ariaLabel: "whisker"}),
    Plot.line(good.filter((point) => !point.aside), {...common, strokeWidth: 1.75, sort: "x",
      strokeDasharray: dashed ? "4 3" : undefined}),
    Plot.dot(good, {...common, ...symbolsThatFill, symbol: shape, fill: dashed ? "var(--paper)" : colour, title: "title",
      tip: true}),
    Plot.text(points.filter((point) => point.failed), {x: "x", frameAnchor: "bottom", dy: -6, text: () => "✕",
      fill: colour, fontSize: 13, title: "title", ariaLabel: "failed"}),
  ];
}

// series: [{name, look: {colour, shape, dashed}, points: [{x, y, low, high, failed, aside, title}]}]. A point `aside` is
// drawn, but the line does not go through it.
export function lines({series, x, yLabel, top, width}) {
  const values = series.flatMap(({points}) => points.flatMap((point) => [point.y ?? 0, point.high ?? 0]));
  return Plot.plot({
    width,
    height: Math.round(Math.min(260, Math.max(180, width * 0.62))),
    marginLeft: 52,
    marginRight: 14,
    marginBottom: 36,
    x: {type: x.type, domain: x.domain},
    y: {domain: [0, (top ?? Math.max(...values)) * 1.05 || 1]},
    marks: [
      Plot.gridY({ticks: 4}),
      Plot.axisY({ticks: 4, label: yLabel, labelArrow: "none"}),
      Plot.axisX({ticks: x.ticks, tickFormat: x.format, label: x.label, labelAnchor: "right", labelArrow: "none"}),
      Plot.ruleY([0]),
      ...series.flatMap(({name, points, look}) => seriesMarks(name, points, look)),
    ],
  });
}
