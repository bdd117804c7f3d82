/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's figures: bars from 1 (the base) to the value, a panel for each suite on each base. */
"use strict";
const figures = {list: report.figures || [], filter: {text: "", suite: "", base: "", type: "", key: "", order: "paper"}, off: {}};

figures.types = {CI: "cache insensitive", IW: "intra-warp", XW: "cross-warp", "-": "not classified"};
figures.suites = {polybench: "PolyBench", rodinia: "Rodinia"};
figures.bases = {s: "Base-S", l: "Base-L"};
figures.name = b => `${b.program}-${b.base}`;
figures.value = b => b.value.length === 1 ? b.value[0] : b.value.some(v => v == null) ? null : d3.sum(b.value);
figures.pass = b => {
  const f = figures.filter;
  return (!f.text || b.program.includes(f.text.trim().toLowerCase())) && (!f.suite || b.suite === f.suite) &&
    (!f.base || b.base === f.base) && (!f.type || b.type === f.type);
};
figures.differsIn = b => !figures.filter.key || b.differs.some(d => d.key === figures.filter.key);

const baseBar = (figure, p) => figure.bars.find(b => b.of === p && b.point === figure.points.length - 1);

figures.info = (figure, bar, part) => () => {
  const over = baseBar(figure, bar.over), v = part == null ? figures.value(bar) : bar.value[part];
  const lines = [["program", `${bar.program} on ${figures.bases[bar.base]}, ${figures.suites[bar.suite] || bar.suite}, ${figures.types[bar.type]}`],
    ["SM cycles", plot.number(bar.cycles)]];
  if (!figure.parts.length && over && over.cycles) lines.push([`over ${figures.name(over)}, base`, plot.number(over.cycles)]);
  if (over && over !== bar && over.of !== bar.of) lines.push(["which is", over.command]);
  if (v != null && !figure.parts.length) lines.push(["from the baseline", plot.percent(100 * (v - 1))]);
  if (bar.config_hash) lines.push(["configuration", bar.config_hash]);
  return {title: `${figures.name(bar)}: ${part == null ? figure.points[bar.point] : figure.parts[part].replace(/_/g, " ")}`,
    value: v == null ? "not run" : plot.number(v), lines, differs: bar.differs, command: bar.command};
};

const lane = (figure, bar, i) => {
  const colour = plot.colour(i);
  if (figure.parts.length) {
    let at = 0;
    if (figures.value(bar) == null) return [{gap: true, colour, info: figures.info(figure, bar)}];
    return bar.value.map((v, k) => ({from: at, to: at += v, colour: plot.colour(k), info: figures.info(figure, bar, k)}));
  }
  const v = figures.value(bar);
  return [v == null || v <= 0 ? {gap: true, colour, info: figures.info(figure, bar)} :
    {from: 1, to: v, colour, info: figures.info(figure, bar)}];
};

// The points that are shown: not switched off, and different in the key that is asked for.
const shownPoints = (figure, bars) => d3.range(figure.points.length).filter(q => !figures.off[figure.id].has(q) &&
  bars.some(b => b.drawn && b.point === q && figures.differsIn(b)));

const meanRow = (figure, name, bars, points) => ({name, mean: true, lanes: points.map(q => {
  const of = bars.filter(b => b.point === q), v = of.some(b => figures.value(b) == null) ? null : plot.geomean(of.map(figures.value));
  const info = () => ({title: `${name}: ${figure.points[q]}`, value: plot.number(v),
    lines: [["figure", figure.title], ["geometric mean of", `${of.length} programs`],
      ["not run", of.filter(b => figures.value(b) == null).map(figures.name).join(", ") || "none"]],
    differs: of.length && of[0].differs, command: figure.command});
  return [v == null ? {gap: true, colour: plot.colour(q), info} : {from: 1, to: v, colour: plot.colour(q), info}];
})});

const ordered = (programs, figure, bars, points) => {
  const most = p => d3.max(bars.filter(b => b.of === p && points.includes(b.point)), b => figures.value(b)) || 0;
  const name = p => bars.find(b => b.of === p).program;
  const by = {paper: null, name: (a, b) => d3.ascending(name(a), name(b)), value: (a, b) => most(b) - most(a)}[figures.filter.order];
  return by ? programs.slice().sort(by) : programs;
};

// One panel a group; all of a figure have one axis.
const panels = (to, figure, bars, onlyMeans) => {
  const stacked = figure.parts.length > 0, points = stacked ? [0] : shownPoints(figure, bars);
  const drawn = bars.filter(b => b.drawn && (stacked ? figures.differsIn(b) : points.includes(b.point))), groups = d3.nest().key(b => `${figures.suites[b.suite] || b.suite} on ${figures.bases[b.base]}`).entries(drawn);
  if (!drawn.length) { to.append("p").attr("class", "soft").text("Nothing of this figure passes the filter."); return; }
  const rows = groups.map(g => {
    const ids = ordered([...new Set(g.values.map(b => b.of))], figure, g.values, points);
    const list = onlyMeans ? [] : ids.map(p => {
      const of = g.values.filter(b => b.of === p);
      return {name: of[0].program, lanes: points.map(q => of.filter(b => b.point === q).flatMap(b => lane(figure, b, q)))};
    });
    if (!stacked && !figure.relative) list.push(meanRow(figure, onlyMeans ? g.key : `mean of ${ids.length}`, g.values, points));
    return {title: g.key, rows: list};
  });
  const all = rows.flatMap(g => g.rows.flatMap(r => r.lanes.flatMap(l => l.flatMap(m => m.gap ? [] : [m.from, m.to]))));
  const o = {domain: all, log: figure.logarithmic && all.every(v => v > 0), one: stacked ? null : 1, holds: stacked ? [0] : [1], label: figure.ylabel};
  if (!all.length) o.holds = [0.5, 2];
  const list = onlyMeans ? [{title: "geometric means", rows: rows.flatMap(g => g.rows)}] : rows;
  plot.panels(to, plot.rows, list.map(g => Object.assign({}, o, g)));
};

const publishedTable = (to, figure) => {
  if (!figure.published.length) return;
  const far = p => p.difference == null ? null : p.difference;
  plot.table(to, [
    {name: "number of the paper", of: p => p.text},
    {name: "published", of: p => p.published, number: true, text: p => d3.format(".3~f")(p.published)},
    {name: "measured", of: p => p.measured, number: true, text: p => p.measured == null ? "not run" : d3.format(".3f")(p.measured)},
    {name: "difference", of: far, number: true, text: p => far(p) == null ? "" : plot.percent(far(p)),
      cls: p => far(p) == null ? "" : Math.abs(far(p)) <= 5 ? "good" : "far"},
    {name: "what it is", of: p => p.metric, wide: true}], figure.published);
};

figures.draw = (card, figure) => {
  card.html("");
  const bars = figure.bars.filter(figures.pass), drawn = figure.bars.filter(b => b.drawn), gone = drawn.filter(b => figures.value(b) == null).length;
  card.append("h3").append("a").attr("href", "#" + figure.id).text(figure.title);
  card.append("p").attr("class", "soft").text(`${figure.reading}${gone ? ` \u2014 ${gone} of ${drawn.length} bars not run yet` : ""}`);
  const again = () => figures.draw(card, figure);
  if (figure.parts.length) plot.legend(card, figure.parts.map(p => p.replace(/_/g, " ")), new Set(), () => {}, gone > 0);
  else plot.legend(card, figure.points.slice(0, figure.relative ? undefined : -1), figures.off[figure.id], again, gone > 0);
  panels(card, figure, bars, figure.groups_only);
  if (figure.groups_only) {
    const more = card.append("details");
    more.append("summary").text("each program");
    let made = false;
    more.on("toggle", () => { if (!made) panels(more, figure, bars, false); made = true; });
  }
  publishedTable(card, figure);
  const notes = card.append("ul").attr("class", "notes");
  figure.notes.forEach(n => notes.append("li").text(n));
  card.append("p").attr("class", "soft").html("Made by ").append("code").text(`${figure.command}`).select(function () { return this.parentNode; })
    .append("span").text(` from ${figure.source}`);
};

const select = (to, name, values, key, changed) => {
  const s = to.append("label").text(name).append("select").attr("id", "filter-" + key).on("change", function () { figures.filter[key] = this.value; changed(); });
  values.forEach(v => s.append("option").attr("value", v[0]).text(v[1]));
};

figures.section = to => {
  const all = figures.list.flatMap(f => f.bars), distinct = f => [...new Set(all.map(f))];
  const bar = to.append("div").attr("class", "filters"), cards = to.append("div");
  const count = () => {
    const shown = figures.list.flatMap(f => f.bars.filter(b => b.drawn && figures.pass(b) && figures.differsIn(b)));
    bar.select(".count").text(`${shown.length} bars, ${shown.filter(b => figures.value(b) == null).length} of them not run`);
  };
  const changed = () => { count(); figures.redraw(); };
  bar.append("label").text("program").append("input").attr("id", "filter-text").attr("type", "search").attr("placeholder", "atax")
    .attr("size", 10).on("input", function () { figures.filter.text = this.value; changed(); });
  select(bar, "suite", [["", "all"]].concat(distinct(b => b.suite).map(s => [s, figures.suites[s] || s])), "suite", changed);
  select(bar, "base", [["", "both"], ["s", "Base-S"], ["l", "Base-L"]], "base", changed);
  select(bar, "contention", [["", "all"]].concat(Object.entries(figures.types)), "type", changed);
  const keys = [...new Set(all.flatMap(b => b.differs.map(d => d.key)))].sort();
  select(bar, "differs in key", [["", "any"]].concat(keys.map(k => [k, k])), "key", changed);
  select(bar, "order", [["paper", "the paper's"], ["name", "by name"], ["value", "largest first"]], "order", changed);
  bar.append("span").attr("class", "count");
  figures.list.forEach(f => { figures.off[f.id] = new Set(); });
  const card = cards.selectAll(".card").data(figures.list).join("div").attr("class", "card figure").attr("id", f => f.id);
  figures.redraw = () => card.each(function (f) { figures.draw(d3.select(this), f); });
  changed();
};
