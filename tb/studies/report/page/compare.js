/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs side by side: what changed, first. The first run is what the others are compared with. */
"use strict";
const compare = {};

// Every count of a run by its name.
const lists = new Set(["kernels", "configuration", "intervals", "by_pc", "by_buffer", "maps", "lockstep"]);
const flat = (o, prefix = "") => Object.entries(o).flatMap(([k, v]) => prefix === "" && lists.has(k) ? [] :
  typeof v === "number" ? [[prefix + k, v]] : v && typeof v === "object" && !Array.isArray(v) ? flat(v, `${prefix}${k}.`) : []);
const LEAST = 100; // of a count: below it a ratio says little
const change = (a, b) => Math.log((b + 1) / (a + 1));
const ratio = (a, b) => a === b ? "same" : a === 0 ? "new" : `\u00d7${d3.format(".3~g")(b / a)}`;

const countsOf = (a, b) => {
  const other = new Map(flat(b));
  return flat(a).filter(([k]) => other.has(k)).map(([name, v]) => ({name, a: v, b: other.get(name)}))
    .filter(c => c.a !== c.b && (Math.max(c.a, c.b) >= LEAST || !Number.isInteger(c.a) || !Number.isInteger(c.b)))
    .sort((p, q) => Math.abs(change(q.a, q.b)) - Math.abs(change(p.a, p.b)));
};
const keysOf = (a, b) => Object.keys(a.configuration).filter(k => JSON.stringify(a.configuration[k]) !== JSON.stringify(b.configuration[k]))
  .map(k => `${k} ${a.configuration[k]} \u2192 ${b.configuration[k] == null ? "absent" : b.configuration[k]}`)
  .concat(Object.keys(b.configuration).filter(k => !(k in a.configuration)).map(k => `${k} absent \u2192 ${b.configuration[k]}`));

// Instructions of both, by their place in the text.
const rowsOf = (a, b) => {
  if (!a.by_pc || !b.by_pc) return [];
  const key = r => `${r.kernel} ${r.pc}`, other = new Map(b.by_pc.map(r => [key(r), r]));
  return a.by_pc.filter(r => r.pc !== "-" && other.has(key(r))).map(r => ({r, a: waited(r), b: waited(other.get(key(r))), o: other.get(key(r))}))
    .filter(d => d.a !== d.b).sort((p, q) => Math.abs(q.b - q.a) - Math.abs(p.b - p.a));
};

const pair = (to, first, r) => {
  const a = first.run, b = r.run, box = to.append("div").attr("class", "card compare"), names = [runs.name(first), runs.name(r)];
  const keys = keysOf(a, b), rows = rowsOf(a, b);
  box.append("h3").text(`What changed: ${names[1]} beside ${names[0]}`);
  box.append("p").text(`${plot.number(b.cycles)} SM cycles instead of ${plot.number(a.cycles)}: ${b.cycles === a.cycles ? "the same" : b.cycles < a.cycles ?
    `${d3.format(".3~g")(a.cycles / b.cycles)} times as fast` : `${d3.format(".3~g")(b.cycles / a.cycles)} times as long`}.`);
  box.append("p").attr("class", "soft").text(keys.length === 0 ? "The configurations are the same." : keys.length > 12 ? `${keys.length} keys differ, the first: ${keys.slice(0, 12).join(", ")}` : `Keys: ${keys.join(", ")}`);
  if (rows.length) plot.table(box, [{name: "instruction", of: d => where(d.r)}, number(`waited for, ${names[0]}`, d => d.a), number(names[1], d => d.b),
    number("difference", d => d.b - d.a, v => d3.format("+,")(v)), number(`latency, ${names[0]}`, d => d.r.answered ? d.r.latency_mean : null, whole, true), number(`latency, ${names[1]}`, d => d.o.answered ? d.o.latency_mean : null, whole, true)],
  rows.map(d => Object.assign({info: () => ({title: where(d.r), value: `${plot.number(d.a)} \u2192 ${plot.number(d.b)}`, lines: [["scheduler cycles", "without issue, due to it"]]})}, d)), {most: 8});
  plot.table(box, [{name: "count", of: c => c.name}, number(names[0], c => c.a), number(names[1], c => c.b), {name: "ratio", of: c => Math.abs(change(c.a, c.b)), number: true, text: c => ratio(c.a, c.b)}],
    countsOf(a, b).map(c => Object.assign({info: () => ({title: c.name, value: ratio(c.a, c.b), lines: [[names[0], plot.number(c.a)], [names[1], plot.number(c.b)]]})}, c)), {most: 20});
};
compare.section = to => report.runs.slice(1).forEach(r => pair(to, report.runs[0], r));
