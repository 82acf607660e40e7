// The results in words: how often weir was fastest, by how much, where it was not, and what failed.
import {element, section} from "./dom.js";
import {duration, plural, short} from "./format.js";
import {failure, geometricMean, groups, isGood} from "./model.js";

// Every task that weir and somebody else were given: {weir, best} of their cells, undefined where none was good.
export function duels(cells) {
  const tasks = groups(cells, (cell) => JSON.stringify([cell.label, cell.direction, cell.setting, cell.directory]));
  const fastest = (own) => own.filter(isGood).sort((a, b) => a.median - b.median)[0];
  return [...tasks.values()]
    .filter((own) => own.some((cell) => cell.peer === "weir") && own.some((cell) => cell.peer !== "weir"))
    .map((own) => ({
      weir: fastest(own.filter((cell) => cell.peer === "weir")),
      best: fastest(own.filter((cell) => cell.peer !== "weir")),
      any: own[0],
    }));
}

// Closer together than their repeats are: not to be taken for a difference.
function isClose({weir, best}) {
  return Math.abs(weir.median - best.median) / weir.median < Math.max(weir.spread ?? 0, best.spread ?? 0);
}

function isWon({weir, best}) {
  return weir !== undefined && (best === undefined || weir.median <= best.median);
}

function lossWords({weir, best, any}) {
  const where = `${any.label}, ${any.direction} (${any.setting})`;
  if (weir === undefined)
    return `${where}: weir gave no result${best ? `; ${best.series} took ${duration(best.median)}` : ""}`;
  const close = isClose({weir, best}) ? "; the repeats differ by more" : "";
  return `${where}: ${duration(weir.median)}, ${short(weir.median / best.median)} times as long as ${best.series}${
    close
  }`;
}

function list(words) {
  return element(
    "ul",
    {},
    words.map((each) => element("li", {}, each)),
  );
}

// All of them; long lists fold after the first ones.
function items(title, words) {
  const shown = words.length > 12 ? 8 : words.length;
  const rest = words.slice(shown);
  return words.length === 0
    ? null
    : element(
        "div",
        {class: "words"},
        element("h3", {}, title),
        list(words.slice(0, shown)),
        rest.length === 0 ? null : element("details", {}, element("summary", {}, `${rest.length} more`), list(rest)),
      );
}

function tile(value, words) {
  return element("div", {class: "tile"}, element("strong", {}, value), " ", element("span", {}, words));
}

function tiles(all, cells) {
  const won = all.filter(isWon);
  const both = all.filter(({weir, best}) => weir && best);
  const failed = cells.filter((cell) => !isGood(cell));
  return element(
    "div",
    {class: "tiles"},
    all.length > 0 ? tile(`${won.length} of ${all.length}`, "tasks in which weir was fastest") : null,
    both.length > 0
      ? tile(
          short(geometricMean(both.map(({weir, best}) => best.median / weir.median))),
          "geometric mean of best peer's time / weir's time",
        )
      : null,
    tile(String(cells.length), "cells"),
    tile(String(failed.length), failed.length === 1 ? "cell failed" : "cells failed"),
  );
}

function sentence(all) {
  if (all.length === 0) return "There is nothing to compare weir with in these results.";
  const won = all.filter(isWon);
  const both = all.filter(({weir, best}) => weir && best);
  const close = both.filter(isClose).length;
  const words = [
    `weir was fastest in ${won.length} of ${plural(all.length, "task")} (workload, direction and setting) ` +
      "that it shares with another MPI-IO.",
  ];
  if (both.length > 0)
    words.push(
      `The geometric mean of best peer / weir is ${short(
        geometricMean(both.map(({weir, best}) => best.median / weir.median)),
      )}: above 1, weir takes less time.`,
    );
  if (close > 0) words.push(`In ${close} of them the difference is smaller than the spread of the repeats.`);
  return words.join(" ");
}

export function summary(results) {
  const all = duels(results.cells.filter((cell) => !cell.comparison));
  const failed = results.cells.filter((cell) => !isGood(cell));
  const losses = all.filter((duel) => !isWon(duel));
  const runs = results.b_eff_io.filter((run) => run.failed);
  return section(
    "summary",
    "Summary",
    "",
    results.cells.length > 0 ? tiles(all, results.cells) : null,
    results.cells.length > 0 ? element("p", {}, sentence(all)) : null,
    items("Where weir was not fastest", losses.map(lossWords)),
    items("What failed", [
      ...failed.map(
        (cell) =>
          `${cell.label}, ${cell.direction}, ${cell.series}` +
          `${cell.comparison ? `, ${cell.comparison} ${cell.variant}` : ""} (${cell.setting}): ${failure(cell)}`,
      ),
      ...runs.map((run) => `b_eff_io, ${run.series} (${run.mpi_version || run.mpi}): ${run.failed}`),
    ]),
  );
}
