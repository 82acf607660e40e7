// claims_test.mjs WEIR PACKAGES CHROMIUM: what people see of the claims, in a real browser.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {Browser, contrast, drawn, marks, tables} from "./browser.mjs";

const [weir, packages, executable] = process.argv.slice(2);
// Time against local aggregators, in parts, and weir's own choice.
const parts = {
  title: "parts",
  kind: "stacked",
  x: "local aggregators",
  y: "s",
  series: [
    {name: "inside nodes", by_weir: false, points: [1, 2, 4].map((x) => [x, 8 / x])},
    {name: "between nodes", by_weir: false, points: [1, 2, 4].map((x) => [x, x])},
    {name: "weir", by_weir: true, points: [[2, 6]]},
  ],
};

function withParts(results) {
  results.claims[0].parts[0].charts.push(parts);
  results.claims[0].parts[0].verdict = "disagrees";
  results.claims[0].text = "<img src=x onerror='window.broken=1'>";
  return results;
}

let browser;
let page;
before(async () => {
  browser = await Browser.start(weir, packages, executable);
  page = await browser.reproduce(["6", "17", "22"], {change: withParts});
});
after(() => browser.end());

test("nothing fails, and nothing is asked of the network", () => assert.deepEqual(page.troubles, []));

test("every claim stands in the table and under its paper", async () => {
  const [all] = await tables(page, "#all");
  assert.deepEqual(
    all.rows.map((row) => row[0]),
    ["6", "17", "22"],
  );
  for (const place of ["#domains #claim-6", "#beffio #claim-17", "#tam #claim-22"])
    assert.equal((await page.$$(place)).length, 1, place);
  assert.match(await page.$eval("#all", (found) => found.textContent), /claims: \d+ agree, \d+ disagree, \d+ not run/);
});

test("a point for every number of a line, three sets of five types", async () => {
  assert.equal(await marks(page, "#claim-17", "dot"), 15);
});

test("a bar for every part, and a point for weir's own choice", async () => {
  assert.equal(await marks(page, "#claim-6", "bar"), 6);
  assert.equal(await marks(page, "#claim-6", "dot"), 1);
});

test("parts stand on top of each other, as high as their numbers", async () => {
  const bars = await page.$$eval("#claim-6 g.bar rect", (found) =>
    found.map((bar) => ["x", "y", "height"].map((name) => Number(bar.getAttribute(name)))),
  );
  const [first] = bars;
  const upper = bars.find((bar) => bar !== first && bar[0] === first[0]);
  assert.ok(Math.abs(first[2] / upper[2] - 8) < 0.05, `${first[2]} and ${upper[2]}`);
  assert.ok(Math.abs(upper[1] + upper[2] - first[1]) < 1.5);
});

test("tables hold the numbers", async () => {
  const [shown] = await tables(page, "#claim-6");
  assert.deepEqual(shown.rows.at(-1), ["weir", "2", "6"]);
  assert.equal(shown.rows.length, 7);
});

test("words are never markup", async () => {
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.equal((await page.$$("img")).length, 0);
});

test("light and dark differ, both can be read, and disagreements stand out", async () => {
  const seen = [];
  for (const value of ["light", "dark"]) {
    await page.emulateMediaFeatures([{name: "prefers-color-scheme", value}]);
    seen.push(
      await page.evaluate(() => {
        const colour = (place) => getComputedStyle(document.querySelector(place)).color;
        return {
          page: getComputedStyle(document.body).backgroundColor,
          texts: [colour("body"), colour("[data-verdict=disagrees]")],
        };
      }),
    );
  }
  await page.emulateMediaFeatures([]);
  assert.notEqual(seen[0].page, seen[1].page);
  for (const each of seen)
    for (const text of each.texts) assert.ok(contrast(text, each.page) >= 4.5, `${text} on ${each.page}`);
});

test("tables are open on paper, and a phone needs no scrolling sideways", async () => {
  await page.emulateMediaType("print");
  await drawn(page);
  const hidden = await page.$$eval("details table", (found) =>
    found.filter((each) => !each.checkVisibility({contentVisibilityAuto: true})),
  );
  assert.equal(hidden.length, 0);
  await page.emulateMediaType(null);
  const phone = await browser.reproduce(["6", "17"], {change: withParts, width: 360});
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 360, `${width} pixels`);
  await phone.close();
});
