// A browser that lets nothing out, and pages of `weir report` in it.
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const settled = 400; // milliseconds without a change after which plots are drawn

export class Browser {
  static async start(weir, packages, executable) {
    const require = createRequire(join(packages, "package.json"));
    const {default: puppeteer} = await import(pathToFileURL(require.resolve("puppeteer-core")).href);
    const args = process.getuid() === 0 ? ["--no-sandbox"] : [];
    const chromium = await puppeteer.launch({executablePath: executable, args});
    return new Browser(weir, chromium);
  }

  constructor(weir, chromium) {
    this.weir = weir;
    this.chromium = chromium;
    this.folder = mkdtempSync(join(tmpdir(), "weir_report."));
  }

  async end() {
    await this.chromium.close();
    rmSync(this.folder, {recursive: true});
  }

  // The page that weir makes of these results, opened. Its `troubles` are the errors it reported and the requests it
  // made.
  async open(results, {words = [], width = 1280} = {}) {
    const inputs = results.map((each, i) => join(this.folder, `${i}.json`));
    inputs.forEach((path, i) => writeFileSync(path, JSON.stringify(results[i])));
    const output = join(this.folder, "report.html");
    execFileSync(this.weir, ["report", ...inputs, "-o", output, ...words]);
    return this.show(output, width);
  }

  // The page that weir makes of these claims; `change` may put other results into it.
  async reproduce(claims, {change = (results) => results, width = 1280} = {}) {
    const output = join(this.folder, "claims.html");
    execFileSync(this.weir, ["reproduce", "--no-live", ...claims, "-o", output]);
    const data = /(<script type="application\/json" id="results">)(.*?)(<\/script>)/s;
    const text = readFileSync(output, "utf8");
    writeFileSync(
      output,
      text.replace(data, (_, begin, json, end) => begin + JSON.stringify(change(JSON.parse(json))) + end),
    );
    return this.show(output, width);
  }

  async show(output, width) {
    const page = await this.chromium.newPage();
    await page.setViewport({width, height: 900});
    page.troubles = [];
    await this.watch(page, pathToFileURL(output).href);
    await page.goto(pathToFileURL(output).href);
    await drawn(page);
    return page;
  }

  async watch(page, address) {
    page.on("console", (message) => page.troubles.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => page.troubles.push(`error: ${error.message}`));
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      if (request.url() === address) return request.continue();
      page.troubles.push(`request: ${request.url()}`);
      return request.abort();
    });
  }
}

// Waits until nothing has been drawn for a while.
export async function drawn(page) {
  await page.evaluate(
    (quiet) =>
      new Promise((resolve) => {
        let timer = setTimeout(resolve, quiet);
        new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(resolve, quiet);
        }).observe(document.body, {subtree: true, childList: true});
      }),
    settled,
  );
}

// How many marks of a kind there are under `place`.
export async function marks(page, place, kind) {
  return page.$$eval(`${place} .canvas g.${kind} > *`, (found) => found.length);
}

// All tables under `place`: [{caption, head: [text], rows: [[text]]}].
export async function tables(page, place) {
  return page.$$eval(`${place} table`, (found) =>
    found.map((table) => ({
      caption: table.caption.textContent,
      head: [...table.tHead.rows[0].cells].map((cell) => cell.textContent),
      rows: [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent)),
    })),
  );
}

// The contrast of two colours, as WCAG counts it.
export function contrast(one, other) {
  const luminance = (colour) => {
    const [red, green, blue] = colour.match(/\d+/g).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}
