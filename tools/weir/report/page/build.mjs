// build.mjs SCRIPT PAGE: puts style, the script src/SCRIPT and the licences of what is inside into page.html, and writes it
// to PAGE. The command fills in title and results later.
import {build} from "esbuild";
import {createHash} from "node:crypto";
import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {dirname, join, resolve} from "node:path";
import {fileURLToPath} from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

async function bundle() {
  const result = await build({
    entryPoints: [join(here, "src", process.argv[2])],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    legalComments: "none", // every licence stands in the page in full
    charset: "ascii",
    write: false,
    metafile: true,
  });
  return {script: result.outputFiles[0].text, inputs: Object.keys(result.metafile.inputs)};
}

// The directories of the packages that the inputs come from.
function packages(inputs) {
  const found = inputs.map((input) => resolve(input).match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0]);
  return [...new Set(found.filter(Boolean))].sort();
}

function licence(directory) {
  const {name, version, license} = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} ${version} (${license}) has no licence file`);
  const text = readFileSync(join(directory, file), "utf8").trim();
  return `${name} ${version}, ${license}\n\n${text}`;
}

// A script element ends at the first "</script", and "<!--" changes how it is read; neither may be in the bundle.
function checked(script) {
  if (/<\/script|<!--/i.test(script)) throw new Error("the script has a piece of markup in it");
  return script;
}

function policy(script) {
  const hash = createHash("sha256").update(script).digest("base64");
  return `default-src 'none'; script-src 'sha256-${
    hash
  }'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}

const {script, inputs} = await bundle();
const licences = packages(inputs)
  .map(licence)
  .join("\n\n====\n\n")
  .replace(/-(?=-)/g, "- ");
const parts = {
  policy: policy(script),
  style: readFileSync(join(here, "page.css"), "utf8").trim(),
  script: checked(script),
  licences: `Inside this page:\n\n${licences}`,
};
const page = readFileSync(join(here, "page.html"), "utf8").replace(/<!--page:(\w+)-->/g, (_, part) => parts[part]);
writeFileSync(process.argv[3], page);
