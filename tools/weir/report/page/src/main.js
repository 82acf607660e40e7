// The page: reads the results that stand in it and shows them.
import {beffio} from "./beffio.js";
import {breakdowns} from "./breakdown.js";
import {allColumns} from "./columns.js";
import {comparisons} from "./comparisons.js";
import {element, foldedTable, section} from "./dom.js";
import {contents, header} from "./header.js";
import {byTask, prepare} from "./model.js";
import {followPrinting} from "./printing.js";
import {ranks} from "./ranks.js";
import {ratios} from "./ratios.js";
import {summary} from "./summary.js";

function everything(cells) {
  if (cells.length === 0) return null;
  return section("cells", "Everything measured", "", foldedTable("all cells", allColumns, cells));
}

function show(results) {
  const cells = prepare(results.cells);
  const plain = byTask(cells.filter((cell) => !cell.comparison));
  const inDepth = [
    ratios(plain),
    ranks(plain),
    breakdowns(cells),
    comparisons(cells),
    beffio(results.b_eff_io),
    everything(cells),
  ];
  const sections = [summary(results), ...inDepth].filter(Boolean);
  if (sections.length === 1) sections.push(element("p", {}, "Nothing was measured."));
  const footer = element(
    "footer",
    {},
    "Made by weir report. Plots: Observable Plot and D3; their licences are in the source of this page.",
  );
  document
    .getElementById("content")
    .replaceChildren(header(results), contents(sections.filter((each) => each.id)), ...sections, footer);
}

show(JSON.parse(document.getElementById("results").textContent));
followPrinting();
