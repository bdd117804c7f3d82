/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs side by side: what changed, first. The first run is what the others are compared with. */
"use strict";
const compare = {};

// Every count of a run by its name.
const lists = new Set(["kernels", "configuration", "intervals", "by_pc", "by_buffer", "maps", "lockstep"]);
const flat = (o, prefix = "") => Object.entries(o).flatMap(([k, v]) => prefix === "" && lists.has(k) ? [] :
  typeof v === "number" ? [[prefix + k, v]] : v && typeof v === "object" && !Array.isArray(v) ? flat(v, `${prefix}${k}.`) : []);
// Below it, a ratio says little: a thousandth of the cycles, and no less than 100.
const least = (a, b) => Math.max(100, Math.max(a.cycles, b.cycles) / 1000);
const change = (a, b) => Math.log((b + 1) / (a + 1));
const ratio = (a, b) => a === b ? "same" : a === 0 ? "new" : `\u00d7${d3.format(".3~g")(b / a)}`;

const countsOf = (a, b) => {
  const other = new Map(flat(b));
  return flat(a).filter(([k]) => other.has(k)).map(([name, v]) => ({name, a: v, b: other.get(name)}))
    .filter(c => c.a !== c.b && (Math.max(c.a, c.b) >= least(a, b) || !Number.isInteger(c.a) || !Number.isInteger(c.b)))
    .sort((p, q) => Math.abs(change(q.a, q.b)) - Math.abs(change(p.a, p.b)));
};
const keysOf = (a, b) => Object.keys(a.configuration).filter(k => JSON.stringify(a.configuration[k]) !== JSON.stringify(b.configuration[k]))
  .map(k => `${k} ${a.configuration[k]} \u2192 ${b.configuration[k] == null ? "absent" : b.configuration[k]}`)
  .concat(Object.keys(b.configuration).filter(k => !(k in a.configuration)).map(k => `${k} absent \u2192 ${b.configuration[k]}`));

/* Rows of both, by their text: the first such line beside the first, the second beside the second. A kernel may have another
 * name. What only one has is there too. */
const textsOf = rows => {
  const seen = new Map();
  return new Map(rows.filter(r => r.pc !== "-").map(r => {
    const text = r.text || `${r.kernel} ${r.pc}`, n = (seen.get(text) || 0) + 1;
    seen.set(text, n);
    return [`${text} ${n}`, r];
  }));
};
const rowsOf = (a, b) => {
  if (!a.by_pc || !b.by_pc) return [];
  const [p, q] = [textsOf(a.by_pc), textsOf(b.by_pc)];
  return [...new Set([...p.keys(), ...q.keys()])].map(k => ({r: p.get(k), o: q.get(k)}))
    .map(d => Object.assign(d, {a: d.r ? waited(d.r) : null, b: d.o ? waited(d.o) : null, line: d.r || d.o}))
    .filter(d => d.a !== d.b && Math.max(d.a, d.b) > 0).sort((x, y) => Math.abs(y.b - y.a) - Math.abs(x.b - x.a));
};
const arraysOf = (a, b) => {
  if (!a.by_buffer || !b.by_buffer) return [];
  const other = new Map(b.by_buffer.map(r => [r.buffer, r]));
  return a.by_buffer.filter(r => other.has(r.buffer)).map(r => ({r, o: other.get(r.buffer)}));
};
const past = r => r.misses + (r.bypasses || 0);

const said = v => v == null ? "absent" : plot.number(v);
const pair = (to, first, r) => {
  const a = first.run, b = r.run, box = to.append("div").attr("class", "card compare"), names = [runs.name(first), runs.name(r)];
  const keys = keysOf(a, b), rows = rowsOf(a, b);
  box.append("h3").text(`What changed: ${names[1]} beside ${names[0]}`);
  box.append("p").text(`${plot.number(b.cycles)} SM cycles instead of ${plot.number(a.cycles)}: ${b.cycles === a.cycles ? "the same" : b.cycles < a.cycles ?
    `${d3.format(".3~g")(a.cycles / b.cycles)} times as fast` : `${d3.format(".3~g")(b.cycles / a.cycles)} times as long`}.`);
  box.append("p").attr("class", "soft").text(keys.length === 0 ? "The configurations are the same." : keys.length > 12 ? `${keys.length} keys differ, the first: ${keys.slice(0, 12).join(", ")}` : `Keys: ${keys.join(", ")}`);
  if (rows.length) plot.table(box, [{name: "instruction", of: d => where(d.line)}, number(`waited for, ${names[0]}`, d => d.a), number(names[1], d => d.b),
    number("difference", d => (d.b || 0) - (d.a || 0), v => d3.format("+,")(v)), number(`latency, ${names[0]}`, d => d.r && d.r.answered ? d.r.latency_mean : null, whole, true), number(`latency, ${names[1]}`, d => d.o && d.o.answered ? d.o.latency_mean : null, whole, true)],
  rows.map(d => Object.assign({info: () => ({title: where(d.line), value: `${said(d.a)} \u2192 ${said(d.b)}`, lines: [["scheduler cycles", "without issue, due to it"]]})}, d)), {most: 8});
  const arrays = arraysOf(a, b);
  if (arrays.length) plot.table(box, [{name: "array", of: d => d.r.buffer}, number(`reads past the L1D, ${names[0]}`, d => past(d.r)), number(names[1], d => past(d.o)),
    number(`latency, ${names[0]}`, d => d.r.answered ? d.r.latency_mean : null, whole), number(`latency, ${names[1]}`, d => d.o.answered ? d.o.latency_mean : null, whole)],
  arrays.map(d => Object.assign({info: () => ({title: d.r.buffer, value: `${plot.number(past(d.r))} \u2192 ${plot.number(past(d.o))}`, lines: [["reads", "that the L1D did not answer"]]})}, d)));
  plot.table(box, [{name: "count", of: c => c.name}, number(names[0], c => c.a), number(names[1], c => c.b), {name: "ratio", of: c => Math.abs(change(c.a, c.b)), number: true, text: c => ratio(c.a, c.b)}],
    countsOf(a, b).map(c => Object.assign({info: () => ({title: c.name, value: ratio(c.a, c.b), lines: [[names[0], plot.number(c.a)], [names[1], plot.number(c.b)]]})}, c)), {most: 20});
};
compare.section = to => report.runs.slice(1).forEach(r => pair(to, report.runs[0], r));
