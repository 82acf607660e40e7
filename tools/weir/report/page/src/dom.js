// Elements of the page. Whatever comes from results gets into the page through here, as text, never as markup.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

export function table(caption, columns, rows) {
  const kind = (column) => (column.numeric ? "number" : column.long ? "long" : undefined);
  const head = columns.map((column) => element("th", {scope: "col", class: kind(column)}, column.name));
  const line = (row) =>
    element(
      "tr",
      {},
      columns.map((column) => element("td", {class: kind(column)}, column.text(row))),
    );
  const made = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, head)),
    element("tbody", {}, rows.map(line)),
  );
  return element("div", {class: "scroll", role: "region", tabindex: "0", "aria-label": caption}, made);
}

// A table behind a summary to click on; open on paper.
export function foldedTable(caption, columns, rows) {
  return element(
    "details",
    {},
    element("summary", {"aria-label": `Data table: ${caption}`}, "Data table"),
    table(caption, columns, rows),
  );
}

// A section that says in `note` how to read what is in it.
export function section(id, title, note, ...children) {
  return element(
    "section",
    {id, "aria-labelledby": `${id}-title`},
    element("h2", {id: `${id}-title`}, title),
    note ? element("p", {}, note) : null,
    children,
  );
}
