// On paper every table is open, and plots have the width of the paper.
import {drawForPaper} from "./figure.js";

export function followPrinting() {
  let opened = [];
  const change = (isPaper) => {
    drawForPaper(isPaper);
    if (isPaper) opened = [...document.querySelectorAll("details:not([open])"), ...opened];
    for (const details of opened) details.open = isPaper;
    if (!isPaper) opened = [];
  };
  addEventListener("beforeprint", () => change(true));
  addEventListener("afterprint", () => change(false));
  matchMedia("print").addEventListener("change", (event) => change(event.matches));
}
