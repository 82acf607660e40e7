// The page of `weir reproduce`: the papers' claims, what was run, what came out.
import {chartFigure} from "./charts.js";
import {element, section, table} from "./dom.js";
import {contents} from "./header.js";
import {followPrinting} from "./printing.js";

const papers = {
  gpfs: "MPI-IO/GPFS",
  domains: "File domains",
  beffio: "b_eff_io",
  tam: "Two-layer aggregation (TAM)",
  iec: "Inspector-executor (IEC)",
};

const columns = [
  {name: "#", numeric: true, text: ({number}) => String(number)},
  {name: "claim", long: true, text: ({text}) => text},
  {name: "agrees when", long: true, text: ({agrees_when}) => agrees_when},
  {name: "verdict", text: ({verdict}) => verdict},
];

function part({how, run, verdict, result}) {
  return element(
    "li",
    {},
    element("strong", {}, `${how}: ${run}. `),
    element("span", {class: "verdict", "data-verdict": verdict}, `${verdict}: ${result}`),
  );
}

function claim(each) {
  return element(
    "article",
    {id: `claim-${each.number}`},
    element("h3", {}, `${each.number}. ${each.text}`),
    element("p", {}, `Agrees when: ${each.agrees_when}.`),
    element("ul", {}, each.parts.map(part)),
    element(
      "div",
      {class: "charts"},
      each.parts.flatMap(({charts}) => charts.map(chartFigure)),
    ),
  );
}

function show(results) {
  const {title, ending, claims} = results;
  const all = section("all", "All of them", ending, table("all claims", columns, claims));
  const byPaper = Object.entries(papers)
    .map(([paper, name]) => [paper, name, claims.filter((each) => each.paper === paper)])
    .filter(([, , own]) => own.length > 0)
    .map(([paper, name, own]) => section(paper, name, "", own.map(claim)));
  const footer = element(
    "footer",
    {},
    "Made by weir reproduce. Plots: Observable Plot and D3; their licences are in the source of this page.",
  );
  const sections = [all, ...byPaper];
  document
    .getElementById("content")
    .replaceChildren(element("header", {}, element("h1", {}, title)), contents(sections), ...sections, footer);
}

show(JSON.parse(document.getElementById("results").textContent));
followPrinting();
