// Lines over a numeric x, one per series, with whiskers and failures.
import * as Plot from "@observablehq/plot";

// A failed run has no place on the y scale: it is named at the top, each series on a line of its own.
function failures(name, points, colour, line, last) {
  const failed = points.filter((point) => point.failed);
  const side = (point) => (point.x === last ? "end" : "start");
  return ["start", "end"].map((anchor) =>
    Plot.text(
      failed.filter((point) => side(point) === anchor),
      {
        x: "x",
        frameAnchor: "top",
        dy: line * 13,
        dx: anchor === "end" ? 4 : -4,
        text: () => (anchor === "end" ? `${name} ✕` : `✕ ${name}`),
        textAnchor: anchor,
        fill: colour,
        stroke: "var(--paper)",
        strokeWidth: 4,
        title: "title",
        className: "failed",
      },
    ),
  );
}

function seriesMarks(points, {colour, shape, dashed}) {
  const good = points.filter((point) => point.y !== undefined);
  const common = {x: "x", y: "y", stroke: colour};
  return [
    Plot.ruleX(
      good.filter((point) => point.high > point.low),
      {x: "x", y1: "low", y2: "high", stroke: colour, strokeOpacity: 0.6, className: "whisker"},
    ),
    Plot.line(
      good.filter((point) => !point.aside),
      {...common, strokeWidth: 1.75, sort: "x", strokeDasharray: dashed ? "4 3" : undefined},
    ),
    Plot.dot(good, {
      ...common,
      r: 4,
      className: "dot",
      symbol: shape,
      fill: dashed ? "var(--paper)" : colour,
      title: "title",
      tip: true,
    }),
  ];
}

// series: [{name, look: {colour, shape, dashed}, points: [{x, y, low, high, failed, aside, title}]}]. A point `aside`
// is drawn, but the line does not go through it.
export function lines({series, x, yLabel, width}) {
  const unlucky = series.filter(({points}) => points.some((point) => point.failed));
  const values = series.flatMap(({points}) => points.flatMap((point) => [point.y ?? 0, point.high ?? 0]));
  return Plot.plot({
    width,
    height: Math.round(Math.min(260, Math.max(180, width * 0.62))),
    marginLeft: 52,
    marginRight: 14,
    marginBottom: 36,
    x: {type: x.type, domain: x.domain},
    y: {domain: [0, Math.max(...values) * (1.05 + 0.12 * unlucky.length) || 1]},
    marks: [
      Plot.gridY({ticks: 4}),
      Plot.axisY({ticks: 4, label: yLabel, labelArrow: "none"}),
      Plot.axisX({ticks: x.ticks, text: x.format, label: x.label, labelAnchor: "right", labelArrow: "none"}),
      Plot.ruleY([0]),
      ...series.flatMap(({points, look}) => seriesMarks(points, look)),
      ...unlucky.flatMap(({name, points, look}, line) =>
        failures(name, points, look.colour, line, Math.max(...x.ticks)),
      ),
    ],
  });
}
