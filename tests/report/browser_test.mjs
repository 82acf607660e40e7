// browser_test.mjs WEIR PACKAGES CHROMIUM: what people see of a report, in a real browser.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import * as format from "../../tools/weir/report/page/src/format.js";
import {Browser, contrast, drawn, marks, tables} from "./browser.mjs";
import {beffioRows, cellRow, duel, good, patternRow, patterns, phases, plain} from "./expected.mjs";
import {interrupted, sample} from "./sample.mjs";

const [weir, packages, executable] = process.argv.slice(2);
const results = sample();
const {cells} = results;
let browser;
let page;

before(async () => {
  browser = await Browser.start(weir, packages, executable);
  page = await browser.open([results]);
});
after(() => browser.end());

function count(items, condition) {
  return items.filter(condition).length;
}

test("nothing fails, and nothing is asked of the network", () => assert.deepEqual(page.troubles, []));

test("numbers are formatted as agreed", () => {
  const examples = [
    [format.number(1.23456), "1.235"],
    [format.number(123456.7), "123,457"],
    [format.number(0), "0"],
    [format.number(null), "–"],
    [format.milliseconds(0.0210349), "21.03"],
    [format.percent(0.12345), "12.35 %"],
    [format.bytes(134217728), "134.2 MB"],
    [format.bytes(999), "999 B"],
    [format.duration(0.5), "500 ms"],
    [format.duration(61.23), "61.2 s"],
    [format.chunk(32776), "32 KiB"],
  ];
  for (const [shown, wanted] of examples) assert.equal(shown, wanted);
});

test("the summary says what the results say", async () => {
  const {tasks, won, mean} = duel(results);
  const words = await page.$eval("#summary", (found) => found.textContent);
  assert.ok(won < tasks, "the sample has tasks that weir loses");
  assert.ok(words.includes(`weir was fastest in ${won} of ${tasks} tasks`), words);
  assert.ok(words.includes(`best peer / weir is ${format.short(mean)}:`), words);
  for (const failure of ["> 60 s", "ended by signal 11", "wrong data", "ended by signal 6", "> 600 s"])
    assert.ok(words.includes(failure), failure);
  const losses = await page.$$eval("#summary .words:nth-of-type(2) li", (found) => found.length);
  assert.equal(losses, tasks - won);
});

test("a bar for every time against the peers, and a word for every failure", async () => {
  const all = cells.filter(plain);
  assert.equal(await marks(page, "#ratios", "bar"), count(all, good));
  assert.equal(await marks(page, "#ratios", "whisker"), count(all, good));
  assert.equal(
    await marks(page, "#ratios", "failed"),
    count(all, (cell) => !good(cell)),
  );
  assert.equal((await page.$$("#ratios figure")).length, 4);
});

test("weir stands first in every group of bars", async () => {
  const names = await page.$$eval("#ratios .canvas g.name", (found) =>
    found.map((group) => group.firstChild.textContent),
  );
  assert.ok(names.length > 0 && names.every((name) => name === "weir"), names.join());
});

test("a point for every bandwidth on several numbers of ranks", async () => {
  const all = cells.filter((cell) => plain(cell) && !cell.workload.includes("<"));
  assert.equal(await marks(page, "#ranks", "dot"), count(all, good));
  assert.equal(
    await marks(page, "#ranks", "failed"),
    count(all, (cell) => !good(cell)),
  );
});

test("a piece of a bar for every phase", async () => {
  const all = cells.filter((cell) => cell.peer === "weir");
  assert.equal(await marks(page, "#breakdown", "bar"), phases.length * count(all, good));
  assert.equal(
    await marks(page, "#breakdown", "failed"),
    count(all, (cell) => !good(cell)),
  );
});

test("bars for variants with names, points for variants with numbers", async () => {
  const all = cells.filter((cell) => !plain(cell));
  assert.equal(
    await marks(page, "#comparisons", "bar"),
    count(all, (cell) => cell.x === null && good(cell)),
  );
  assert.equal(
    await marks(page, "#comparisons", "dot"),
    count(all, (cell) => cell.x !== null && good(cell)),
  );
  assert.equal(
    await marks(page, "#comparisons", "failed"),
    count(all, (cell) => !good(cell)),
  );
});

test("a point for every measured pattern of b_eff_io", async () => {
  const measured = patterns(results).filter(({pattern}) => pattern.units > 0);
  assert.equal(await marks(page, "#b_eff_io", "dot"), measured.length);
});

test("b_eff_io of one MPI-IO alone has a panel per method and a line per type", async () => {
  const one = {...results, cells: [], b_eff_io: results.b_eff_io.slice(0, 1)};
  const alone = await browser.open([one]);
  const measured = patterns(one).filter(({pattern}) => pattern.units > 0);
  assert.equal(await marks(alone, "#b_eff_io", "dot"), measured.length);
  assert.equal((await alone.$$("#b_eff_io .panel")).length, 3 * one.b_eff_io[0].result.partitions.length);
  assert.deepEqual(alone.troubles, []);
  await alone.close();
});

test("bars are as long as their numbers", async () => {
  const widths = await page.$$eval("#comparisons figure:first-of-type svg", (found) =>
    found.map((svg) => [...svg.querySelectorAll("g.bar > rect")].map((bar) => Number(bar.getAttribute("width")))),
  );
  const numbers = cells.filter((cell) => cell.comparison === "domains").map((cell) => cell.bandwidth);
  const scale = widths[0][0] / numbers[0];
  widths
    .flat()
    .forEach((width, i) => assert.ok(Math.abs(width / numbers[i] / scale - 1) < 0.001, `bar ${i}: ${width}`));
  assert.equal(widths.flat().length, numbers.length);
});

test("tables of cells hold the numbers of the results", async () => {
  const several = (cell) => plain(cell) && !cell.workload.includes("<");
  const shown = {
    "#cells": cells,
    "#ratios": cells.filter(plain),
    "#ranks": cells.filter(several),
    "#breakdown": cells.filter((cell) => cell.peer === "weir" && (good(cell) || cell.breakdown)),
    "#comparisons": cells.filter((cell) => !plain(cell)),
  };
  for (const [place, wanted] of Object.entries(shown)) {
    const found = await tables(page, place);
    const rows = found.flatMap(({head, rows}) => rows.map((row) => JSON.stringify([head, row])));
    const heads = [...new Map(found.map(({head}) => [JSON.stringify(head), head])).values()];
    assert.equal(rows.length, wanted.length, place);
    for (const cell of wanted) {
      const possible = heads.map((head) => JSON.stringify([head, cellRow(cell, head)]));
      const place_in_rows = rows.findIndex((row) => possible.includes(row));
      assert.notEqual(place_in_rows, -1, `${place} lacks ${possible}`);
      rows.splice(place_in_rows, 1);
    }
  }
});

test("tables of b_eff_io hold the numbers of the results", async () => {
  const found = await tables(page, "#b_eff_io");
  const sums = [found[0], found[1], found.at(-1)].map(({rows}) => rows);
  assert.deepEqual(sums, beffioRows(results));
  const sorted = (rows) => rows.map((row) => row.join("|")).sort();
  assert.deepEqual(sorted(found.slice(2, -1).flatMap(({rows}) => rows)), sorted(patterns(results).map(patternRow)));
});

test("names in results are never markup", async () => {
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal((await page.$$("img")).length, 0);
  assert.equal((await page.$$("script")).length, 2);
  const other = await browser.open([results], {words: ["--title", "</title><script>window.broken=1</script>"]});
  assert.equal(await other.evaluate(() => window.broken), undefined);
  assert.equal(await other.title(), "</title><script>window.broken=1</script>");
  assert.deepEqual(other.troubles, []);
  await other.close();
});

test("every figure can be read without seeing it", async () => {
  const found = await page.$$eval("figure", (figures) =>
    figures.map((figure) => ({
      caption: figure.querySelector("figcaption h3").textContent,
      plots: [...figure.querySelectorAll(".canvas svg")].map((svg) => [
        svg.getAttribute("role"),
        svg.getAttribute("aria-label"),
      ]),
      table: figure.querySelectorAll("details table").length,
    })),
  );
  for (const {caption, plots, table} of found) {
    assert.ok(caption.length > 20);
    assert.ok(plots.length > 0);
    for (const [role, name] of plots) assert.ok(role === "img" && name.includes(caption));
    assert.equal(table, 1);
  }
  assert.ok(
    await page.$$eval(".scroll", (regions) =>
      regions.every((each) => each.tabIndex === 0 && each.getAttribute("aria-label")),
    ),
  );
});

// Colours as the page has them now: of text, of the page, and of the first bar.
async function colours() {
  return page.evaluate(() => {
    const style = (selector) => getComputedStyle(document.querySelector(selector));
    const bar = document.querySelector("#ratios g.bar rect");
    return {
      page: style("body").backgroundColor,
      bar: getComputedStyle(bar).fill,
      texts: [style("body").color, style("figcaption p").color, style("a[href^='#r']").color],
    };
  });
}

test("light and dark differ, and both can be read", async () => {
  const seen = [];
  for (const value of ["light", "dark"]) {
    await page.emulateMediaFeatures([{name: "prefers-color-scheme", value}]);
    seen.push(await colours());
  }
  await page.emulateMediaFeatures([]);
  assert.notEqual(seen[0].page, seen[1].page);
  assert.notEqual(seen[0].bar, seen[1].bar);
  for (const each of seen) {
    for (const text of each.texts) assert.ok(contrast(text, each.page) >= 4.5, `${text} on ${each.page}`);
    assert.ok(contrast(each.bar, each.page) >= 3, `${each.bar} on ${each.page}`);
  }
});

test("tables are behind a click on the screen, and open on paper", async () => {
  const hidden = () =>
    page.$$eval("details table", (found) => found.map((each) => !each.checkVisibility({contentVisibilityAuto: true})));
  assert.ok((await hidden()).every(Boolean));
  await page.emulateMediaType("print");
  assert.ok((await hidden()).every((each) => !each));
  await page.emulateMediaType(null);
  await drawn(page);
  assert.ok((await hidden()).every(Boolean));
});

test("a phone shows it without scrolling sideways", async () => {
  const phone = await browser.open([results], {width: 360});
  await phone.$$eval("details", (found) => found.forEach((each) => (each.open = true)));
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `${width} pixels`);
  const edges = await phone.$$eval(".canvas svg", (found) => found.map((svg) => svg.getBoundingClientRect().right));
  assert.ok(Math.max(...edges) <= 360);
  assert.equal(
    await marks(phone, "#ratios", "bar"),
    count(cells, (cell) => plain(cell) && good(cell)),
  );
  assert.deepEqual(phone.troubles, []);
  await phone.close();
});

test("several files are shown together, each named", async () => {
  const both = await browser.open([results, interrupted()]);
  const words = await both.$$eval(".source", (found) => found.map((each) => each.textContent));
  assert.equal(words.length, 2);
  assert.ok(words[0].includes("file 1: ") && words[0].includes(results.command) && !words[0].includes("Interrupted"));
  assert.ok(words[1].includes("file 2: ") && words[1].includes("Interrupted"));
  assert.equal((await both.$$("#ratios figure")).length, 5);
  const titles = await both.$$eval("#ratios h3", (found) => found.map((each) => each.textContent));
  assert.ok(titles.at(-1).startsWith("MPICH 4.0.2, 64 ranks on 4 nodes, tmpfs: time: weir"), titles.at(-1));
  assert.deepEqual(both.troubles, []);
  await both.close();
});

test("the same cells from two files stay apart", async () => {
  const twice = await browser.open([results, {...results, created: "2026-03-01T00:00:00Z"}]);
  assert.equal(await marks(twice, "#ratios", "bar"), 2 * count(cells, (cell) => plain(cell) && good(cell)));
  const names = new Set((await tables(twice, "#ratios")).flatMap(({rows}) => rows.map((row) => row[2])));
  assert.ok(names.has("weir, file 1") && names.has("weir, file 2"), [...names].join());
  assert.deepEqual(twice.troubles, []);
  await twice.close();
});

test("results with next to nothing in them make a page", async () => {
  const bare = {workload: "w", direction: "write", mpi: "other", peer: "somebody", ranks: 1};
  const odd = [
    {schema: "weir-bench/1", cells: [], b_eff_io: []},
    {schema: "weir-bench/1", cells: [bare, {...bare, median: 0}, {...bare, median: 2, seconds: [2]}], b_eff_io: []},
    {
      schema: "weir-bench/1",
      cells: [],
      b_eff_io: [
        {mpi: "other", peer: "weir"},
        {mpi: "other", peer: "weir", result: {partitions: []}},
      ],
    },
  ];
  for (const each of odd) {
    const made = await browser.open([each]);
    assert.deepEqual(made.troubles, []);
    assert.ok((await made.$eval("main", (found) => found.textContent)).includes("weir bench"));
    await made.close();
  }
});
