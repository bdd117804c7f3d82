/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps: any key, statistic or the program on either axis; a map of cells where both are keys. */
"use strict";
const sweeps = {};

sweeps.label = program => program.replace(/^--(kernel|ptx|trace) /, "");

// Every column of a sweep by name: program, keys, statistics.
const columnsOf = s => [{name: "program", key: true, of: p => sweeps.label(p.program)}]
  .concat(s.keys.map((name, i) => ({name, key: true, of: p => p.keys[i]})))
  .concat(s.stats.map((name, i) => ({name, key: false, of: p => p.stats[i]})).filter(c => s.points.some(p => typeof c.of(p) === "number")));

const wordsOf = (column, points) => {
  if (!column.key) return null;
  const all = [...new Set(points.map(column.of))];
  return all.sort((a, b) => typeof a === "number" && typeof b === "number" ? a - b : d3.ascending(String(a), String(b)));
};

const pointInfo = (s, p, shown) => () => ({title: sweeps.label(p.program),
  value: p.exit === 0 ? shown.map(c => `${c.name} ${plot.number(c.of(p))}`).join(", ") : p.exit == null ? "not run" : `failed, exit ${p.exit}`,
  lines: s.keys.map((k, i) => [k, String(p.keys[i])]).concat([["configuration", p.configuration]],
    p.from ? [["over", p.from]] : [["command", "not known: name the configuration that the sweep began from with -c"]]),
  differs: p.differs, command: p.command});

const cellsOf = (s, o, statistic) => (f, x, y) => {
  const nest = d3.nest().key(p => JSON.stringify([o.x.of(p), o.y.of(p)])).entries(o.points).map(e => {
    const [a, b] = [o.x.of(e.values[0]), o.y.of(e.values[0])], good = e.values.filter(p => p.exit === 0 && typeof statistic.of(p) === "number");
    return {a, b, all: e.values, good, v: good.length ? d3.median(good, statistic.of) : null};
  });
  const extent = d3.extent(nest, c => c.v), shade = d3.scaleSequential(d3.interpolateCividis).domain(extent[0] === extent[1] ? [extent[0] - 1, extent[1]] : extent);
  const w = Math.min(f.width, x.step() || f.width) * 0.96, h = Math.min(f.height, y.step() || f.height) * 0.96;
  const g = f.g.append("g").selectAll("g").data(nest).join("g");
  g.append("rect").attr("class", "mark cell").attr("x", c => Math.max(0, x(c.a) - w / 2)).attr("y", c => Math.max(0, y(c.b) - h / 2))
    .attr("width", c => Math.min(f.width, x(c.a) + w / 2) - Math.max(0, x(c.a) - w / 2))
    .attr("height", c => Math.min(f.height, y(c.b) + h / 2) - Math.max(0, y(c.b) - h / 2))
    .style("fill", c => c.v == null ? "var(--raised)" : shade(c.v))
    .datum(c => Object.assign(c, {info: c.all.length === 1 ? pointInfo(s, c.all[0], [statistic]) : () => ({
      title: `${o.x.name} ${c.a}, ${o.y.name} ${c.b}`, value: c.v == null ? "not run" : `${statistic.name} ${plot.number(c.v)}`,
      lines: [["median of", `${c.good.length} points${c.good.length < c.all.length ? `, ${c.all.length - c.good.length} not run` : ""}`],
        ["least, most", c.good.length ? d3.extent(c.good, statistic.of).map(plot.number).join(" to ") : ""],
        ["the first", c.all[0].configuration]], command: c.all[0].command})}));
  if (w > 46 && h > 16) g.append("text").attr("x", c => x(c.a)).attr("y", c => y(c.b) + 4).attr("text-anchor", "middle").attr("pointer-events", "none")
    .style("fill", c => c.v != null && d3.lab(shade(c.v)).l < 55 ? "#fff" : c.v == null ? "var(--soft)" : "#000")
    .text(c => c.v == null ? "not run" : plot.short(Number(c.v.toPrecision(4))));
};

const draw = (to, s, o) => {
  to.html("");
  const points = s.points.filter(p => (!o.text || p.program.includes(o.text)) && (!o.only || String(o.filter.of(p)) === o.only));
  const known = points.filter(p => p.exit === 0), missing = points.length - known.length;
  if (o.y.key && o.x.key) {
    const rows = wordsOf(o.y, points);
    plot.panels(to, plot.points, [{title: `${o.statistic.name}: median of each cell`, points, x: {label: o.x.name, words: wordsOf(o.x, points)},
      y: {label: o.y.name, words: rows}, height: Math.max(120, Math.min(34 * rows.length, 700)),
      cells: cellsOf(s, {x: o.x, y: o.y, points}, o.statistic)}]);
  } else {
    const there = c => p => c.key || typeof c.of(p) === "number", shown = known.filter(there(o.y)).filter(there(o.x));
    const log = side => !side.key && o.log && shown.every(p => side.of(p) > 0), groups = o.colour ? wordsOf(o.colour, shown) : [];
    const place = p => groups.indexOf(o.colour.of(p));
    plot.panels(to, plot.points, [{title: `${o.y.name} by ${o.x.name}`, height: 340, x: {label: o.x.name, words: wordsOf(o.x, points), log: log(o.x)},
      y: {label: o.y.name, words: wordsOf(o.y, points), log: log(o.y)},
      points: shown.map(p => ({x: o.x.of(p), y: o.y.of(p), colour: o.colour ? plot.colour(place(p)) : plot.colour(0),
        lane: o.colour && o.x.key && groups.length > 1 ? place(p) / (groups.length - 1) - 0.5 : 0,
        info: pointInfo(s, p, [o.y, o.x].filter(c => !c.key))}))}]);
    if (o.colour && groups.length <= 7) plot.legend(to, groups.map(String), new Set(), () => {}, false);
    else if (o.colour) to.append("p").attr("class", "soft").text(`${o.colour.name} has ${groups.length} values: the seven colours repeat; hover tells them apart.`);
  }
  to.append("p").attr("class", "soft").text(`${points.length} points${missing ? `; ${missing} of them not run or failed: they are not drawn, but are in the table` : ""}.`);
  const numbers = o.y.key && o.x.key ? [o.statistic] : [...new Set([o.y, o.x].filter(c => !c.key))];
  plot.table(to, columnsOf(s).filter(c => c.key).map(c => ({name: c.name, of: d => c.of(d.p), number: s.points.every(p => typeof c.of(p) === "number")}))
    .concat(numbers.map(c => ({name: c.name, of: d => c.of(d.p), number: true, text: d => c.of(d.p) == null ? "" : plot.number(c.of(d.p))})))
    .concat([{name: "exit", of: d => d.p.exit, number: true, text: d => d.p.exit == null ? "not run" : d.p.exit}]),
  points.map(p => ({p, info: pointInfo(s, p, numbers)})));
};

const choose = (bar, name, list, chosen, took) => {
  const e = bar.append("label").text(name).append("select").attr("class", "choose-" + name.replace(/\W+/g, "-")).on("change", function () { took(this.value); });
  list.forEach(c => e.append("option").attr("value", c).property("selected", c === chosen).text(c));
  return e;
};

const card = (to, s) => {
  const box = to.append("div").attr("class", "card sweep"), columns = columnsOf(s), by = name => columns.find(c => c.name === name) || null;
  const keys = columns.filter(c => c.key), stats = columns.filter(c => !c.key);
  box.append("h3").text(s.source.replace(/.*\//, ""));
  box.append("p").attr("class", "soft").text(`${s.points.length} points, ${s.keys.length} keys, ${stats.length} statistics, from ${s.source}`);
  if (!stats.length) { box.append("p").text("None of its points has been run yet."); return; }
  const statistic = by("cycles") || stats[0], x = keys.find(c => c.name !== "program" && wordsOf(c, s.points).length > 1) || keys[0];
  const o = {x, y: statistic, statistic, colour: keys.find(c => c !== x && wordsOf(c, s.points).length > 1) || null, log: false, text: "", only: "", filter: keys[0]};
  const bar = box.append("div").attr("class", "filters"), plotted = box.append("div"), again = () => draw(plotted, s, o);
  const names = list => list.map(c => c.name);
  choose(bar, "across", names(columns), o.x.name, v => { o.x = by(v); again(); });
  choose(bar, "up", names(stats).concat(names(keys)), o.y.name, v => { o.y = by(v); if (!o.y.key) o.statistic = o.y; again(); });
  choose(bar, "shade of a map", names(stats), statistic.name, v => { o.statistic = by(v); again(); });
  choose(bar, "colour", ["(one)"].concat(names(keys)), o.colour ? o.colour.name : "(one)", v => { o.colour = by(v); again(); });
  choose(bar, "scale", ["linear", "logarithmic"], "linear", v => { o.log = v === "logarithmic"; again(); });
  bar.append("label").text("program").append("input").attr("type", "search").attr("size", 10).on("input", function () { o.text = this.value; again(); });
  let values;
  const refill = () => {
    values.selectAll("option").data([""].concat(wordsOf(o.filter, s.points).map(String))).join("option").attr("value", v => v).text(v => v || "all");
    o.only = "";
  };
  choose(bar, "only", names(keys), keys[0].name, v => { o.filter = by(v); refill(); again(); });
  values = bar.append("label").text("at").append("select").on("change", function () { o.only = this.value; again(); });
  refill();
  sweeps.redraw.push(again);
  again();
};

sweeps.redraw = [];
sweeps.section = to => report.sweeps.forEach(s => card(to, s));
