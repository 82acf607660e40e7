// A figure: a title that says what is seen, a legend, panels that are drawn as wide as they are, and the data.
import * as Plot from "@observablehq/plot";

import {element, foldedTable} from "./dom.js";

// Widths of panels on A4, in two and in three columns.
const paperWidths = {
  wide: 340,
  narrow: 224,
};

// What draws each panel, for as long as the panel lives.
const drawings = new WeakMap();
const observer = new ResizeObserver((entries) => {
  for (const {target, contentRect} of entries) draw(target, contentRect.width);
});

function draw(canvas, width) {
  const whole = Math.floor(width);
  if (whole <= 0 || canvas.dataset.width === String(whole)) return;
  canvas.dataset.width = String(whole);
  const {make, label} = drawings.get(canvas);
  const svg = make(whole);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  canvas.replaceChildren(svg);
}

// Before printing and after it: the width on paper is not known to the page by then.
export function drawForPaper(isPaper) {
  for (const canvas of document.querySelectorAll(".canvas"))
    draw(canvas, isPaper ? paperWidths[canvas.closest(".panels").dataset.size] : canvas.getBoundingClientRect().width);
}

function panel({title, make}, figureTitle) {
  const canvas = element("div", {class: "canvas"});
  drawings.set(canvas, {make, label: [title, figureTitle].filter(Boolean).join(": ")});
  observer.observe(canvas);
  return element("div", {class: "panel"}, title ? element("p", {class: "panel-title"}, title) : null, canvas);
}

function sign({colour, shape, dashed}) {
  const mark = Plot.dot([0], {
    symbol: shape ?? "square",
    r: shape ? 4.5 : 7,
    frameAnchor: "middle",
    stroke: colour,
    fill: dashed ? "var(--paper)" : colour,
  });
  const svg = mark.plot({width: 16, height: 16, margin: 0, axis: null});
  svg.setAttribute("aria-hidden", "true");
  return svg;
}

// entries: [[name, {colour, shape}]]; without a shape, a field of colour.
function legend(entries) {
  return element(
    "ul",
    {class: "legend", "aria-label": "Legend"},
    entries.map(([name, appearance]) => element("li", {}, sign(appearance), name)),
  );
}

// {title, note, legend, size: "wide" | "narrow", panels: [{title, make(width) -> svg}], columns, rows}
export function figure(content) {
  const data = foldedTable(content.title, content.columns, content.rows);
  return element(
    "figure",
    {},
    element("figcaption", {}, element("h3", {}, content.title), content.note ? element("p", {}, content.note) : null),
    content.legend ? legend(content.legend) : null,
    element(
      "div",
      {class: "panels", "data-size": content.size},
      content.panels.map((each) => panel(each, content.title)),
    ),
    data,
  );
}
