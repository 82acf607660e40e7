// Parts on top of each other, a bar for each x; points for what stands beside them.
import * as Plot from "@observablehq/plot";

// parts: [{name, colour, points: [{x, y, title}]}], the first one at the bottom. beside: [{name, look, points}]. x is
// one of `ticks`.
export function stacked({parts, beside, x, yLabel, width}) {
  const rows = parts.flatMap(({name, colour, points}) => points.map((point) => ({...point, name, colour})));
  return Plot.plot({
    width,
    height: Math.round(Math.min(260, Math.max(180, width * 0.62))),
    marginLeft: 52,
    marginRight: 14,
    marginBottom: 36,
    x: {type: "band", domain: x.ticks, padding: 0.25},
    y: {zero: true},
    marks: [
      Plot.gridY({ticks: 4}),
      Plot.axisY({ticks: 4, label: yLabel, labelArrow: "none"}),
      Plot.axisX({tickFormat: x.format, label: x.label, labelAnchor: "right", labelArrow: "none"}),
      Plot.barY(rows, {x: "x", y: "y", fill: "colour", order: null, title: "title", tip: true, className: "bar"}),
      Plot.ruleY([0]),
      ...beside.map(({points, look}) =>
        Plot.dot(points, {
          x: "x",
          y: "y",
          r: 5,
          symbol: look.shape,
          stroke: look.colour,
          strokeWidth: 2,
          fill: "var(--paper)",
          title: "title",
          tip: true,
          className: "dot",
        }),
      ),
    ],
  });
}
