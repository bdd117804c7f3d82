/* SPDX-License-Identifier: Apache-2.0 */
/* What every plot has: axes that hold all marks, panels of rows, panels of points, and what a mark says. */
"use strict";
const report = JSON.parse(document.getElementById("document").textContent);
const plot = {};

// ---- numbers ----
plot.number = v => v == null ? "not run" : Number.isInteger(v) ? d3.format(",")(v) :
  Math.abs(v) >= 1000 ? d3.format(",.0f")(v) : d3.format(Math.abs(v) < 0.1 ? ".3~g" : ".3~f")(v);
plot.percent = v => (v >= 0 ? "+" : "\u2212") + d3.format(".1f")(Math.abs(v)) + " %";
plot.geomean = list => list.length && list.every(v => v > 0) ? Math.exp(d3.mean(list, Math.log)) : null;
plot.colour = i => `var(--s${i % 7})`;

// ---- axes ----
// A scale over [0, width] whose ends lie beyond every value (flush: bars may begin at its end, if that is 0). No value at or below 0 has a place on a logarithmic one.
plot.scale = (values, width, {log = false, holds = [], flush = false} = {}) => {
  const all = values.concat(holds).filter(v => Number.isFinite(v) && (!log || v > 0));
  let [low, high] = all.length ? d3.extent(all) : log ? [0.5, 2] : [0, 1];
  if (log) {
    const room = Math.max(1.06, Math.pow(high / low, 0.04));
    return Object.assign(d3.scaleLog().domain([low / room, high * room]).range([0, width]), {logarithmic: true});
  }
  const room = (high - low || Math.abs(high) || 1) * 0.04;
  return d3.scaleLinear().domain([flush && low === 0 ? 0 : low - room, high + room]).range([0, width]);
};
plot.ticks = (scale, width, gap = 46) => {
  const [low, high] = scale.domain(), most = Math.max(2, Math.floor(width / gap));
  if (!scale.logarithmic) return scale.ticks(Math.min(most, 8));
  for (const step of high / low > 300 ? [10, 100, 1000] : [Math.sqrt(2), 2, 4]) {
    if (step < 2 && high / low > 2.2) continue;
    const list = [];
    for (let k = Math.ceil(Math.log(low) / Math.log(step) - 1e-9); Math.pow(step, k) <= high; k++) list.push(Math.pow(step, k));
    if (list.length > most) continue;
    if (step >= 2 && list.length > 2) return list;
    const plain = d3.ticks(low, high, Math.min(most, 6));
    if (step <= 2 && plain.length <= most && plain.every((v, i) => v > 0 && (i === 0 || scale(v) - scale(plain[i - 1]) >= 26))) return plain;
    if (list.length > 1) return list;
  }
  return [low, high].map(v => Number(v.toPrecision(2))).filter(v => v >= low && v <= high);
};
plot.short = v => v !== 0 && (Math.abs(v) >= 1e4) ? d3.format(".3~s")(v) : d3.format(".4~g")(v);

// ---- what a mark says ----
// info: {title, value, lines: [[name, text]], differs: [{key, base, value}], command}
const tip = d3.select("#tip");
plot.show = (info, at, pinned) => {
  tip.html("").attr("hidden", null);
  tip.append("b").text(info.title);
  tip.append("div").attr("class", "value").text(info.value);
  const list = tip.append("dl");
  const line = (name, text) => { list.append("dt").text(name); list.append("dd").text(text); };
  (info.lines || []).forEach(l => line(l[0], l[1]));
  if (info.differs) {
    line("differs", info.differs.length === 0 ? "in nothing: the baseline itself" :
      info.differs.map(d => `${d.key} ${d.base == null ? "" : d.base + " \u2192 "}${d.value}`).join(", "));
  }
  if (info.command) {
    tip.append("code").text(info.command);
    if (pinned) tip.append("button").attr("type", "button").text("copy the command")
      .on("click", () => navigator.clipboard && navigator.clipboard.writeText(info.command));
  }
  const box = tip.node().getBoundingClientRect(), edge = 8;
  const below = at.bottom + edge + box.height < innerHeight;
  tip.style("left", Math.max(edge, Math.min(at.left + 14, innerWidth - box.width - edge)) + "px")
    .style("top", Math.max(edge, below ? at.bottom + edge : at.top - box.height - edge) + "px");
};
plot.hide = () => tip.attr("hidden", true);

let pinned = null;
const markOf = e => e.target.closest ? e.target.closest(".mark") : null;
const infoOf = mark => { const d = d3.select(mark).datum(); return typeof d.info === "function" ? d.info() : d.info; };
const pin = mark => {
  if (pinned) pinned.classList.remove("on");
  pinned = mark;
  if (mark) mark.classList.add("on"), plot.show(infoOf(mark), mark.getBoundingClientRect(), true);
  else plot.hide();
};
document.addEventListener("pointerover", e => {
  const mark = markOf(e);
  if (pinned || tip.node().contains(e.target)) return;
  if (mark) plot.show(infoOf(mark), mark.getBoundingClientRect(), false); else plot.hide();
});
document.addEventListener("focusin", e => {
  const mark = markOf(e);
  if (mark && !pinned) plot.show(infoOf(mark), mark.getBoundingClientRect(), false);
});
document.addEventListener("click", e => {
  if (tip.node().contains(e.target)) return;
  const mark = markOf(e);
  pin(mark && mark !== pinned ? mark : null);
});
// One stop of the tabulator for each panel; arrows go from mark to mark in it.
document.addEventListener("keydown", e => {
  const mark = markOf(e), step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[e.key];
  if (e.key === "Escape") return pin(null);
  if (!mark) return;
  if (e.key === "Enter" || e.key === " ") { e.preventDefault(); return pin(mark !== pinned ? mark : null); }
  if (!step) return;
  const all = [...mark.closest("svg, tbody").querySelectorAll(".mark")], to = all[all.indexOf(mark) + step];
  e.preventDefault();
  pin(null);
  if (to) to.focus();
});
addEventListener("scroll", () => { if (!pinned) plot.hide(); }, {passive: true});
plot.reachable = root => root.selectAll(".mark").attr("tabindex", (d, i) => i === 0 ? 0 : -1)
  .attr("aria-label", d => { const n = typeof d.info === "function" ? d.info() : d.info; return `${n.title}: ${n.value}`; });

// ---- panels ----
plot.width = node => Math.max(240, Math.floor(node.getBoundingClientRect().width));
const pen = document.createElement("canvas").getContext("2d");
pen.font = "12px system-ui, 'DejaVu Sans', sans-serif"; // as page.css has it for svg
const textWidth = text => pen.measureText(text).width;
// In at most three lines that are so wide; what is still too long is cut.
const broken = (text, width) => {
  const lines = [];
  text.split(" ").forEach(word => {
    const more = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && (textWidth(more) <= width || lines.length === 3)) lines[lines.length - 1] = more; else lines.push(word);
  });
  return lines.map(line => {
    let n = line.length;
    while (n > 1 && textWidth(line.slice(0, n)) > width) n--;
    return n < line.length ? line.slice(0, n - 1) + "\u2026" : line;
  });
};
// The middle of the axis, or where a longer text still has its place.
const drawLabel = (f, y, text) => {
  const half = textWidth(text) / 2;
  f.g.append("text").attr("class", "axis").attr("x", Math.max(half - f.left, Math.min(f.width / 2, f.width + 12 - half))).attr("y", y)
    .attr("text-anchor", "middle").text(text);
};

// The frame of a panel: its title, an SVG as wide as it is shown, the axis below (and above a long one), the frame.
const frame = (to, o, left, height, right = 14) => {
  const full = plot.width(to.node()), width = full - left - right, top = o.above ? 20 : 6, bottom = o.label ? 40 : 24;
  const svg = to.append("svg").attr("viewBox", `0 0 ${full} ${top + height + bottom}`).attr("role", "group")
    .attr("aria-label", o.title || o.label || "plot");
  const g = svg.append("g").attr("transform", `translate(${left},${top})`);
  return {svg, g, width, height, left};
};
const drawAxis = (f, o, x) => {
  const tick = f.g.append("g").selectAll("g").data(plot.ticks(x, f.width)).join("g").attr("class", "tick")
    .attr("transform", v => `translate(${x(v)},0)`);
  tick.append("line").attr("y2", f.height);
  const below = o.above ? [f.height + 15, -6] : [f.height + 15];
  below.forEach(y => tick.append("text").attr("y", y).attr("text-anchor", "middle").text(o.format || plot.short));
  if (o.label) drawLabel(f, f.height + 33, o.label);
};

// Small multiples: all have their place before the first is drawn, or it would be drawn as wide as all of them.
plot.panels = (to, draw, list, kind = "") => {
  const panel = to.append("div").attr("class", "panels " + kind).selectAll("div").data(list).join("div").attr("class", "panel");
  panel.filter(o => o.title).append("h4").text(o => o.title);
  panel.each(function (o) { draw(d3.select(this), o); });
};

/* Rows with a name each; a row has lanes, a lane has bars or dots: {from, to, colour, info} of values, or {gap: true, colour, info}.
 * o: title, rows, log, holds (values that the axis must have), one (where a line stands), dots, label, format, band, domain. */
plot.rows = (panel, o) => {
  const lanes = d3.max(o.rows, r => r.lanes.length) || 1, thin = lanes > 3, most = plot.width(panel.node()) * 0.45;
  const wide = r => textWidth(r.name) * (r.mean ? 1.14 : 1), left = Math.min(most, 10 + d3.max(o.rows, wide));
  const lines = d3.max(o.rows, r => broken(r.name, left - 9).length), lane = o.dots ? 14 : thin ? 8 : lanes === 1 ? 13 : 10;
  const row = Math.max(lanes * lane + 10, 13 * lines + 6), pad = (row - lanes * lane) / 2;
  const f = frame(panel, Object.assign({above: o.rows.length * row > 420}, o), left, o.rows.length * row);
  const values = o.domain || o.rows.flatMap(r => r.lanes.flatMap(l => l.flatMap(m => m.gap ? [] : [m.from, m.to])));
  const x = plot.scale(values, f.width, {log: o.log, holds: o.holds || [], flush: !o.dots});
  const at = v => x(v);
  f.g.selectAll(".stripe").data(o.rows.map((r, i) => i).filter(i => i % 2)).join("rect").attr("class", "stripe")
    .attr("y", i => i * row).attr("width", f.width).attr("height", row);
  if (o.band) f.g.append("rect").attr("class", "band").attr("x", at(o.band[0])).attr("width", at(o.band[1]) - at(o.band[0]))
    .attr("height", f.height);
  drawAxis(f, Object.assign({above: o.rows.length * row > 420}, o), x);
  if (o.one != null) f.g.append("line").attr("class", "one").attr("x1", at(o.one)).attr("x2", at(o.one)).attr("y2", f.height);
  f.g.append("rect").attr("class", "frame").attr("width", f.width).attr("height", f.height);
  const line = f.g.selectAll(".row").data(o.rows).join("g").attr("transform", (r, i) => `translate(0,${i * row})`);
  line.append("text").attr("text-anchor", "end").attr("class", r => r.mean ? "mean" : null).each(function (r) {
    const part = broken(r.name, r.mean ? Infinity : left - 9);
    d3.select(this).selectAll("tspan").data(part).join("tspan").attr("x", -8).attr("y", (t, i) => row / 2 + 4 + (i - (part.length - 1) / 2) * 13).text(t => t);
    d3.select(this).append("title").text(r.name);
  });
  const zero = o.one != null ? at(o.one) : 0, stub = Math.min(16, Math.max(0, f.width - zero - 2));
  line.each(function (r) {
    const g = d3.select(this), marks = r.lanes.flatMap((l, k) => l.map(m => Object.assign({y: pad + k * lane}, m)));
    g.selectAll(".bar").data(marks.filter(m => !m.gap && !o.dots)).join("rect").attr("class", "mark bar")
      .attr("x", m => Math.min(at(m.from), at(m.to))).attr("width", m => Math.max(1, Math.abs(at(m.to) - at(m.from))))
      .attr("y", m => m.y + 1).attr("height", lane - 2).style("fill", m => m.colour);
    g.selectAll(".dot").data(marks.filter(m => !m.gap && o.dots)).join("circle").attr("class", "mark dot")
      .attr("cx", m => at(m.to)).attr("cy", m => m.y + lane / 2 + (m.shift || 0)).attr("r", 4.5).style("fill", m => m.colour);
    g.selectAll(".gap").data(marks.filter(m => m.gap)).join("line").attr("class", "mark gap").attr("x1", zero + 1).attr("x2", zero + 1 + stub)
      .attr("y1", m => m.y + lane / 2).attr("y2", m => m.y + lane / 2).style("stroke", m => m.colour);
    if (marks.length && marks.every(m => m.gap)) g.append("text").attr("class", "said").attr("x", zero + stub + 7)
      .attr("y", row / 2 + 4).text(r.said || "not run");
  });
  plot.reachable(f.svg);
};

/* Points: {x, y, colour, info}; lane, -0.5 to 0.5: beside the word. o: title, points, x and y: {label, log, words: [..] or null}, height, diagonal. */
plot.points = (panel, o) => {
  const height = o.height || 240, sorted = side => side.words ? null : o.points.map(p => p[side === o.x ? "x" : "y"]);
  const over = (side, room, flip) => {
    if (!side.words) {
      const s = plot.scale(side.domain || sorted(side), room, side);
      return flip ? s.range([room, 0]) : s;
    }
    return Object.assign(d3.scalePoint().domain(side.words).padding(0.6).range(flip ? [room, 0] : [0, room]), {words: true});
  };
  const y = over(o.y, height, true), yTicks = o.y.words || plot.ticks(y, height, 34);
  const name = v => o.y.words ? String(v) : plot.short(v);
  const left = 12 + Math.min(120, d3.max(yTicks, v => textWidth(name(v))) || 0);
  const f = frame(panel, {title: o.title, label: o.x.label}, left, height);
  const x = over(o.x, f.width, false);
  const ticks = o.x.words ? o.x.words.filter((w, i) => i % Math.ceil(o.x.words.length * Math.max(40, d3.max(o.x.words, v => textWidth(String(v)) + 8)) / f.width) === 0)
    : plot.ticks(x, f.width);
  const tick = f.g.append("g").selectAll("g").data(ticks).join("g").attr("class", "tick").attr("transform", v => `translate(${x(v)},0)`);
  tick.append("line").attr("y2", height);
  tick.append("text").attr("y", height + 15).attr("text-anchor", "middle").text(v => o.x.words ? v : plot.short(v));
  const side = f.g.append("g").selectAll("g").data(yTicks).join("g").attr("class", "tick").attr("transform", v => `translate(0,${y(v)})`);
  side.append("line").attr("x2", f.width);
  side.append("text").attr("x", -6).attr("dy", 4).attr("text-anchor", "end").text(name);
  drawLabel(f, height + 33, o.x.label || "");
  if (o.diagonal) {
    const low = Math.max(x.domain()[0], y.domain()[0]), high = Math.min(x.domain()[1], y.domain()[1]);
    f.g.append("line").attr("class", "one").attr("x1", x(low)).attr("y1", y(low)).attr("x2", x(high)).attr("y2", y(high));
  }
  f.g.append("rect").attr("class", "frame").attr("width", f.width).attr("height", height);
  if (o.cells) o.cells(f, x, y);
  else f.g.append("g").selectAll("circle").data(o.points).join("circle").attr("class", "mark point").attr("r", o.points.length > 400 ? 3.2 : 4.5)
    .attr("cx", p => x(p.x) + (p.lane ? p.lane * x.step() * 0.7 : 0)).attr("cy", p => y(p.y)).style("fill", p => p.colour);
  plot.reachable(f.svg);
};

// ---- legends, tables ----
plot.legend = (to, names, off, changed, gap = true) => {
  const legend = to.append("div").attr("class", "legend");
  names.forEach((name, i) => {
    const b = legend.append("button").attr("type", "button").attr("aria-pressed", !off.has(i)).on("click", () => {
      if (off.has(i)) off.delete(i); else off.add(i);
      changed();
    });
    b.append("i").style("background", plot.colour(i));
    b.append("span").text(name);
  });
  if (gap) legend.append("span").attr("class", "gap").html("<i></i> not run");
};
/* columns: [{name, of: row => value, text: row => shown, number, wide (not on a narrow page), cls: row => class}]; a click on a name sorts. */
plot.table = (to, columns, rows, {most = 200} = {}) => {
  const box = to.append("div").attr("class", "scroll"), table = box.append("table");
  let by = null, up = true;
  const head = table.append("thead").append("tr").selectAll("th").data(columns).join("th").attr("class", c => c.number ? "number" : c.wide ? "wide" : null);
  const body = table.append("tbody"), note = to.append("p").attr("class", "soft");
  const fill = () => {
    const list = by ? rows.slice().sort((a, b) => {
      const p = by.of(a), q = by.of(b);
      if (p == null || q == null) return p == null ? (q == null ? 0 : 1) : -1;
      return (up ? 1 : -1) * (typeof p === "number" && typeof q === "number" ? p - q : d3.ascending(String(p), String(q)));
    }) : rows;
    const tr = body.selectAll("tr").data(list.slice(0, most)).join("tr").attr("class", d => d.info ? "mark" : null);
    tr.selectAll("td").data(d => columns.map(c => ({c, d}))).join("td")
      .attr("class", k => [k.c.number ? "number" : "", k.c.wide ? "wide" : "", k.c.cls ? k.c.cls(k.d) : ""].join(" ").trim() || null)
      .text(k => k.c.text ? k.c.text(k.d) : k.c.of(k.d) == null ? "" : k.c.of(k.d));
    plot.reachable(body);
    note.text(list.length > most ? `${most} of ${list.length} lines; sort for others.` : "");
  };
  head.append("button").attr("type", "button").text(c => c.name).on("click", c => { up = by === c ? !up : true; by = c; fill(); });
  fill();
};
