// What was run, when, where, and how to repeat it.
import {element} from "./dom.js";
import {bytes, plural, text} from "./format.js";
import {distinct, mpiName} from "./model.js";

function facts(pairs) {
  return element(
    "dl",
    {},
    pairs.filter(([, value]) => value).flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}

function machineWords(machine = {}) {
  return [
    machine.host,
    machine.cpu,
    machine.cores ? plural(machine.cores, "core") : "",
    machine.memory_bytes ? `${bytes(machine.memory_bytes)} of memory` : "",
    machine.kernel ? `Linux ${machine.kernel}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

function versions(results, source) {
  const measured = [...results.cells, ...results.b_eff_io].filter((each) => each.source === source);
  return [`weir ${text(results.sources[source].weir)}`, ...distinct(measured, mpiName)].join(", ");
}

function optionWords(options = {}) {
  return Object.entries(options)
    .filter(([, value]) => value !== "")
    .map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

function sourceBlock(results, source, number) {
  const title = results.sources.length > 1 ? `file ${number + 1}: ${source.path}` : source.path;
  return element(
    "div",
    {class: "source"},
    source.complete === false
      ? element("p", {class: "alert", role: "note"}, "Interrupted: these are the cells measured before.")
      : null,
    facts([
      ["results", title],
      ["when", source.created],
      ["machine", machineWords(source.machine)],
      ["versions", versions(results, number)],
      ["options", optionWords(source.options)],
    ]),
    source.command ? element("p", {class: "repeat"}, "To repeat: ", element("code", {}, source.command)) : null,
  );
}

export function header(results) {
  return element(
    "header",
    {},
    element("h1", {}, results.title),
    results.sources.length > 1
      ? element("p", {}, `${results.sources.length} files of results are shown together.`)
      : null,
    results.sources.map((source, number) => sourceBlock(results, source, number)),
  );
}

export function contents(sections) {
  return element(
    "nav",
    {"aria-label": "Contents"},
    element(
      "ul",
      {},
      sections.map((each) =>
        element("li", {}, element("a", {href: `#${each.id}`}, each.querySelector("h2").textContent)),
      ),
    ),
  );
}
