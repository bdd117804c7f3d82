/* SPDX-License-Identifier: Apache-2.0 */
/* Accuracy beside the reference, what the hardware costs, and what the studies of GPUs found. */
"use strict";
const others = {};

// ---- accuracy ----
others.settings = {defaults: "the product\u2019s defaults", text: "the reference\u2019s text", order: "and its order of memory", clocks: "exact clocks"};
const clang = "PolyBench, as a compiler wrote it";
others.groups = {text: "PolyBench, the project\u2019s own texts", clang, atax: clang, sched: clang, rodinia: "Rodinia"};

const rowName = r => [r.kernel, r.size && `size ${r.size}`, r.cut && `cut ${r.cut}`, r.steps && `${r.steps} steps`, r.set && r.set.replace("SCHEDULER=", ""),
  r.config].filter(Boolean).join(", ");

others.accuracy = to => {
  const a = report.accuracy, box = to.append("div").attr("class", "card"), off = new Set(), known = a.rows.filter(r => r.reference);
  const far = (r, i) => 100 * (r.values[i] / r.reference - 1), all = known.flatMap(r => r.values.map((v, i) => v == null ? 0 : far(r, i)));
  const dot = (r, i) => ({from: 0, to: far(r, i), colour: plot.colour(i), shift: (i - 1.5) * 2.4,
    info: () => ({title: rowName(r), value: r.values[i] === r.reference ? "equal" : plot.percent(far(r, i)),
      lines: [["setting", others.settings[a.settings[i]]], ["SM cycles", plot.number(r.values[i])], ["reference", plot.number(r.reference)]], command: r.commands[i]})});
  const panel = group => ({title: group, dots: true, one: 0, holds: [0], domain: all, label: "per cent from the reference\u2019s cycles",
    rows: known.filter(r => others.groups[r.group] === group).map(r => ({name: rowName(r),
      lanes: [d3.range(a.settings.length).filter(i => !off.has(i) && r.values[i] != null).map(i => dot(r, i))]}))});
  const redraw = () => {
    box.html("");
    plot.legend(box, a.settings.map(s => others.settings[s] || s), off, redraw, false);
    const two = box.append("div").attr("class", "two"), column = [two.append("div"), two.append("div")];
    [...new Set(Object.values(others.groups))].map(panel).filter(p => p.rows.length)
      .forEach((p, i) => plot.panels(column[i ? 1 : 0], plot.rows, [p]));
    box.append("p").attr("class", "soft")
      .text(`Of ${a.rows.length - known.length} more runs the reference\u2019s cycles are not known. From ${a.source}; made by ${a.command}.`);
  };
  redraw();
};

// ---- cost ----
const sizes = m => Object.entries(m.parameters).map(([k, v]) => `${k}=${v}`).join(" ");
others.modules = to => {
  const m = report.modules, box = to.append("div").attr("class", "card"), made = m.made_with || {};
  box.append("h3").text("Modules");
  box.append("p").attr("class", "soft").text(`Synthesised with Yosys and ABC, timed with OpenSTA, library ${made.liberty || "?"}. Logarithmic: the smallest selector beside the whole PRT.`);
  plot.panels(box, plot.rows, [["area_um2", "area, \u00b5m\u00b2", 0], ["period_ns", "longest path, ns", 1], ["flops", "flip-flops", 2]].map(([key, label, i]) => {
    const least = d3.min(m.rows.map(r => r.figures[key]).filter(v => v > 0));
    return {title: label, log: true, dots: true, rows: m.rows.map(r => {
      const info = () => ({title: r.module, value: `${plot.number(r.figures[key])} ${label.split(", ")[1] || label}`,
        lines: [["sizes", sizes(r)]].concat(Object.entries(r.figures).map(([k, v]) => [k.replace(/_/g, " "), plot.number(v)])), command: r.command});
      const v = r.figures[key];
      return {name: r.module + (r.parameters.POLICY != null && r.module === "drain_selector" ? ` ${r.parameters.POLICY}` : ""), said: "none",
        lanes: [[v > 0 ? {from: least, to: v, colour: plot.colour(i), info} : {gap: true, colour: plot.colour(i), info}]]};
    })};
  }), "small");
  plot.table(box, [{name: "module", of: r => r.module}, {name: "sizes", of: sizes, wide: true}].concat([["area_um2", "area \u00b5m\u00b2"], ["flops", "flip-flops"],
    ["period_ns", "period ns"], ["aig_nodes", "AIG nodes"]].map(([k, name]) => ({name, number: true, of: r => r.figures[k], text: r => plot.number(r.figures[k])}))),
  m.rows.map(r => Object.assign({info: {title: r.module, value: sizes(r), command: r.command}}, r)));
  box.append("p").attr("class", "soft").text(`From ${m.source}; compared anew by ${m.command}.`);
};

const MOST = 24; // arrays in a panel
others.estimate = (to, e) => {
  const box = to.append("div").attr("class", "card");
  box.append("h3").text(`Storage of ${e.configuration}`);
  box.append("p").attr("class", "soft").text(`Bits of each array in the whole GPU, all copies, logarithmic, from ${e.source}.`);
  const bits = a => a.total_bits * a.copies, kinds = [...new Set(e.columns.flatMap(c => c.arrays.map(a => a.kind)))].sort();
  const largest = c => c.arrays.filter(a => bits(a) > 0).sort((a, b) => bits(b) - bits(a)).slice(0, MOST);
  const all = e.columns.flatMap(largest).map(bits), least = d3.min(all);
  plot.legend(box, kinds, new Set(), () => {}, false);
  plot.panels(box, plot.rows, e.columns.map(c => {
    const list = largest(c);
    return {title: c.arrays.length > MOST ? `${c.name}: the largest ${MOST} of ${c.arrays.length} arrays` : c.name, log: true, dots: true, domain: all,
      label: "bits", rows: list.map(a => ({name: a.name, lanes: [[
      {from: least, to: bits(a), colour: plot.colour(kinds.indexOf(a.kind)), info: () => ({title: a.name,
        value: `${plot.number(bits(a))} bits`, lines: [["built as", a.kind], ["words \u00d7 bits", `${a.words} \u00d7 ${a.bits}`], ["copies", a.copies],
          ["reads, writes, searches a cycle", `${a.reads_a_cycle}, ${a.writes_a_cycle}, ${a.searches_a_cycle}`]], command: e.command})}]]}))};
  }));
};

others.cost = to => {
  if (report.modules) others.modules(to);
  report.estimates.forEach(e => others.estimate(to, e));
};

// ---- studies ----
const verdicts = ["equal", "within", "differs", "not published"], shade = ["var(--s0)", "var(--s5)", "var(--s3)", "var(--grid)"];
others.studies = to => {
  const box = to.append("div").attr("class", "card");
  box.append("h3").text("Deduced beside published");
  box.append("p").attr("class", "soft").text("A point for each published figure above 0: published across, deduced up, both logarithmic; the line is where both are equal.");
  const legend = box.append("div").attr("class", "legend");
  verdicts.slice(0, 3).forEach((v, i) => legend.append("span").html(`<i style="background:${shade[i]}"></i> `).append("span")
    .text(["equal", "within the publication\u2019s accuracy", "differs"][i]));
  const info = (s, r) => () => ({title: `${s.gpu}: ${r.what}`, value: `${typeof r.deduced === "number" ? plot.number(r.deduced) : r.deduced} ${r.unit || ""}`,
    lines: [["published", `${r.published == null ? "not" : r.published} (${r.publication})`], ["configured", `${r.configured == null ? "not" : r.configured} (${r.deduction})`],
      ["from", r.from || ""], ["note", r.note || ""]], command: s.command});
  plot.panels(box, plot.points, report.studies.map(s => {
    const points = s.rows.filter(r => typeof r.deduced === "number" && typeof r.published === "number" && r.deduced > 0 && r.published > 0)
      .sort((a, b) => verdicts.indexOf(a.publication) - verdicts.indexOf(b.publication));
    const both = points.flatMap(r => [r.deduced, r.published]);
    return {title: `${s.gpu}: ${points.length} figures`, height: 210, diagonal: true, x: {label: "published", log: true, domain: both}, y: {log: true, domain: both},
      points: points.map(r => ({x: r.published, y: r.deduced, colour: shade[Math.max(0, verdicts.indexOf(r.publication))], info: info(s, r)}))};
  }), "small");
  report.studies.forEach(s => {
    const more = box.append("details"), wrong = s.rows.filter(r => r.publication === "differs" || r.deduction === "differs").length;
    more.append("summary").text(`${s.title}: ${s.rows.length} lines${wrong ? `, ${wrong} differ` : ""}`);
    let made = false;
    more.on("toggle", () => {
      if (made) return;
      made = true;
      plot.table(more, [{name: "what", of: r => r.what}, {name: "unit", of: r => r.unit, wide: true}, {name: "deduced", of: r => r.deduced, number: true},
        {name: "configured", of: r => r.configured, number: true}, {name: "deduction", of: r => r.deduction, cls: r => r.deduction === "differs" ? "far" : ""},
        {name: "published", of: r => r.published, number: true}, {name: "publication", of: r => r.publication, cls: r => r.publication === "differs" ? "far" : ""},
        {name: "origin", of: r => r.origin, wide: true}, {name: "from", of: r => r.from, wide: true},
        {name: "note", of: r => r.note, wide: true}], s.rows.map(r => Object.assign({info: info(s, r)}, r)), {most: 400});
      more.append("p").attr("class", "soft").text(`From ${s.source}; made by ${s.command}.`);
    });
  });
};
