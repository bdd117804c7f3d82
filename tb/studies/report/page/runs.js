/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of the user: what they waited for, by instruction, array, set, queue and bank, and over time. */
"use strict";
const runs = {};

// ---- what a run has ----
const share = (v, of) => of > 0 ? 100 * v / of : 0;
const whole = d3.format(",.0f");
const cent = v => `${d3.format(v >= 9.95 ? ".0f" : ".1f")(v)} %`;
runs.name = r => r.source.replace(/.*\//, "").replace(/\.json$/, "");
const hit = row => share(row.hits, row.hits + row.misses + row.merges + (row.bypasses || 0));

// What the schedulers' cycles were: [name, cycles]. An in-order core says it itself.
const ownParts = o => o.stack ? Object.entries(o.stack) : [["issued", o.warp_instructions], ["register", o.sm.scheduler_scoreboard],
  ["unit", o.sm.scheduler_pipeline], ["instruction", o.sm.scheduler_idle]];
// `run` says how many schedulers there are: what is left of their cycles had no warp at all.
const partsOf = (o, run) => {
  const parts = ownParts(o), all = o.cycles * run.configuration.SMS * run.configuration.SCHEDULERS;
  return parts.concat([["no warp", Math.max(0, all - d3.sum(parts, p => p[1]))]]);
};
// The first, the five largest of the others, and the rest together: no more than there are colours.
const shownOf = list => {
  const names = partsOf(list[0], list[0]).map(p => p[0]), sum = i => d3.sum(list, o => partsOf(o, o)[i][1]), all = d3.range(names.length).filter(i => i === 0 || sum(i) > 0);
  const kept = all.length <= 7 ? all : [0, ...all.slice(1).sort((a, b) => sum(b) - sum(a)).slice(0, 5).sort((a, b) => a - b)];
  const rest = all.filter(i => !kept.includes(i));
  const of = (o, run) => { const v = partsOf(o, run).map(p => p[1]); return kept.map(i => v[i]).concat(rest.length ? [d3.sum(rest, i => v[i])] : []); };
  return {names: kept.map(i => partName(names[i])).concat(rest.length ? [`others: ${rest.map(i => names[i]).join(", ")}`] : []),
    colours: coloursOf(kept.map(i => names[i]).concat(rest.length ? ["others"] : [])), of};
};
const meaning = {issue: "an instruction issued", issued: "an instruction issued", scoreboard: "waits for operands of arithmetic", units: "waits for an arithmetic unit",
  fetch: "waits for the next instruction to be fetched", lsu: "waits for the load/store unit", table: "waits for an entry of the table of misses", lines: "waits for a free line of the L1D",
  l1: "waits for data of the L1D", l2: "waits for data of the L2", dram: "waits for data of the DRAM", barrier: "waits at a barrier", constants: "waits for constants", shared: "waits for shared memory",
  register: "waits for a register", unit: "waits for the load/store unit or an arithmetic one", instruction: "no instruction to issue: no warp on this scheduler, or its warps are at a barrier, not fetched, or at their end", "no warp": "no warp"};
const partName = name => meaning[name] || name;
// A cause has the same colour in each run, as far as there are colours.
const wish = {issue: 0, issued: 0, dram: 1, register: 1, l2: 2, unit: 2, l1: 3, instruction: 3, lsu: 4, fetch: 5, "no warp": 6};
const coloursOf = names => {
  const taken = new Set(names.map(n => wish[n]).filter(c => c != null)), free = d3.range(7).filter(c => !taken.has(c));
  return names.map(n => plot.colour(wish[n] != null ? wish[n] : free.length ? free.shift() : 5));
};
const refusals = {refused_assoc: "all ways of its sets are reserved", refused_missq: "the miss queue is full", refused_mshr: "the MSHR table is full",
  refused_merge: "its MSHR entry can take no more reads", refused_mrpb: "the MRPB is full", waits_interconnect: "no room in the interconnect",
  waits_table: "no entry for reads that bypass", waits_store: "an older store to its line"};
const refused = row => Object.keys(refusals).filter(k => row[k]).map(k => [refusals[k], row[k]]).sort((a, b) => b[1] - a[1]);
const where = row => row.pc === "-" ? "no instruction" : row.line ? `line ${row.line}: ${row.text.replace(/;$/, "")}` : `pc ${row.pc}`;
// The arrays that an instruction accesses, as in "array A" or "arrays A, B".
const namedArray = name => name === "-" ? "no array" : `array ${name}`;
const arrayName = name => name === "-" ? "no array" : name;
const touched = row => (row.buffers || []).map(b => arrayName(b.buffer));
const onArrays = row => { const names = touched(row); return names.length ? `${names.length > 1 ? "arrays" : "array"} ${names.slice(0, 3).join(", ")}${names.length > 3 ? " ..." : ""}` : ""; };
const sourceOf = row => row.source ? `${row.source.replace(/.*\//, "")}:${row.source_line}` : "";
// In-order cores say it in one count, and its causes.
const waited = row => row.stalled != null ? row.stalled : (row.awaited || 0) + (row.no_unit || 0);
const stackOf = row => Object.keys(row).filter(k => k.startsWith("stack_") && row[k]).map(k => [partName(k.slice(6)), row[k]]).sort((a, b) => b[1] - a[1]);

// ---- cells ----
const stackLegend = (to, names, colours) => {
  const legend = to.append("div").attr("class", "legend").selectAll("span").data(names).join("span");
  legend.append("i").style("background", (n, i) => colours[i]);
  legend.append("span").text(n => ` ${n}`);
};
/* Rectangles on a panel: {x0, x1, y0, y1, colour, info} of values on its axes. */
const rectangles = list => (f, x, y) => f.g.append("g").selectAll("rect").data(list).join("rect").attr("class", "mark heat")
  .attr("x", c => x(c.x0)).attr("width", c => Math.max(0.5, x(c.x1) - x(c.x0))).attr("y", c => y(c.y1)).attr("height", c => Math.max(0.5, y(c.y0) - y(c.y1)))
  .style("fill", c => c.colour);
const panelOf = (title, list, label, o = {}) => ({title, points: [], height: o.height || 180, x: {label, domain: d3.extent((o.across || []).concat(list.flatMap(c => [c.x0, c.x1]))), log: o.log},
  y: {domain: d3.extent((o.up || []).concat(list.flatMap(c => [c.y0, c.y1])))}, cells: rectangles(list)});

// At most so many columns: neighbours are joined.
const COLUMNS = 60;
const spansOf = run => {
  const step = Math.ceil(run.intervals.length / COLUMNS);
  return d3.range(0, run.intervals.length, step).map(i => ({first: i, last: Math.min(i + step, run.intervals.length) - 1,
    from: run.intervals[i].from, to: run.intervals[Math.min(i + step, run.intervals.length) - 1].to}));
};
const overTime = (run, column, of) => d3.sum(run.intervals.slice(column.first, column.last + 1), of);
const span = c => `SM cycles ${plot.number(c.from)} to ${plot.number(c.to - 1)}`;

const stackOverTime = run => {
  const {names, colours, of} = shownOf([run]);
  const list = spansOf(run).flatMap(c => {
    const parts = names.map((n, i) => overTime(run, c, v => of(v, run)[i])), total = d3.sum(parts);
    let at = 0;
    return total === 0 ? [] : parts.flatMap((v, i) => {
      const y0 = at;
      at += share(v, total);
      return v === 0 ? [] : [{x0: c.from, x1: c.to, y0, y1: at, colour: colours[i], info: {title: names[i], value: cent(at - y0), lines: [["when", span(c)]]}}];
    });
  });
  return {names, colours, panel: panelOf("what the schedulers did, % of their cycles", list, "SM cycles", {across: [0, run.cycles]})};
};
const lineOverTime = (run, title, of, unit) => {
  const list = spansOf(run).map(c => {
    const v = of(c);
    return {x0: c.from, x1: c.to, y0: 0, y1: v, colour: plot.colour(5), info: {title, value: `${plot.number(v)} ${unit}`, lines: [["when", span(c)]]}};
  });
  return d3.max(list, c => c.y1) > 0 ? panelOf(title, list, "SM cycles", {height: 110, across: [0, run.cycles]}) : null;
};
const overTimeOf = (to, run) => {
  if (!run.intervals || run.intervals.length < 2) return;
  to.append("h3").text("Over time");
  const {names, colours, panel} = stackOverTime(run), ratio = (a, b) => c => { const n = overTime(run, c, b); return n ? 100 * overTime(run, c, a) / n : 0; };
  const mean = of => c => d3.sum(run.intervals.slice(c.first, c.last + 1), v => of(v) * (v.to - v.from)) / (c.to - c.from);
  plot.panels(to, plot.points, [panel]);
  stackLegend(to, names, colours);
  const first = run.intervals[0];
  if (first.stacks) plot.panels(to, plot.points, [smsOf(run)]);
  plot.panels(to, plot.points, [
    lineOverTime(run, "instructions a cycle", mean(v => v.ipc), "thread instructions"),
    lineOverTime(run, "L1D: reads that hit, %", ratio(v => v.l1d.hits, v => v.l1d.hits + v.l1d.misses + v.l1d.merges + v.l1d.bypasses), "%"),
    lineOverTime(run, "L2: reads that hit, %", ratio(v => v.l2.read_hits, v => v.l2.reads), "%"),
    first.l1d.mshr && lineOverTime(run, "MSHRs of an SM in use", mean(v => v.l1d.mshr.mean), "entries"),
    first.mrpb && first.mrpb.held && lineOverTime(run, "requests in an SM\u2019s MRPB", mean(v => v.mrpb.held.mean), "requests"),
    first.dram.activates != null && lineOverTime(run, "DRAM: requests that hit an open row, %", ratio(v => v.dram.row_hits, v => v.dram.row_hits + v.dram.activates), "%")
  ].filter(Boolean), "small");
};

// Cycle stacks of each SM: the share in which it issued.
const smsOf = run => {
  const columns = spansOf(run), cells = new Map();
  columns.forEach(c => run.intervals.slice(c.first, c.last + 1).forEach(v => v.stacks.forEach(s => {
    const key = `${c.from} ${s.sm}`, cell = cells.get(key) || {c, sm: s.sm, parts: {}};
    partsOfSm(s).forEach(([k, n]) => { cell.parts[k] = (cell.parts[k] || 0) + n; });
    cells.set(key, cell);
  })));
  const list = [...cells.values()].map(d => Object.assign(d, {total: d3.sum(Object.values(d.parts)), issued: d.parts.issued == null ? d.parts.issue : d.parts.issued})).filter(d => d.total);
  const most = d3.max(list, d => share(d.issued, d.total)), shade = d3.scaleSequential(d3.interpolateCividis).domain([0, most || 1]);
  return panelOf("cycles in which each SM issued, %", list.map(d => ({x0: d.c.from, x1: d.c.to, y0: d.sm, y1: d.sm + 1, colour: shade(share(d.issued, d.total)),
    info: () => ({title: `SM ${d.sm}`, value: `${cent(share(d.issued, d.total))} issued`, lines: [["when", span(d.c)]].concat(Object.entries(d.parts).filter(p => p[1]).map(([k, n]) => [partName(k), cent(share(n, d.total))]))})})),
  `SM cycles; SMs upwards; brightest: ${d3.format(".0f")(most)} %`, {height: Math.max(140, Math.min(300, 8 * run.configuration.SMS)), across: [0, run.cycles], up: [0, run.configuration.SMS]});
};

// ---- maps ----
const mapOf = (run, part, layer, title, unit, place) => {
  const n = run.maps[part].places, values = run.maps[part][layer], rows = values.length / n, columns = spansOf(run).filter(c => c.first < rows);
  const cells = columns.flatMap(c => d3.range(n).map(k => ({c, k, v: d3.sum(d3.range(c.first, Math.min(c.last + 1, rows)), i => values[i * n + k])})));
  const most = d3.max(cells, c => c.v);
  if (!most) return null;
  const shade = d3.scaleSequential(d3.interpolateCividis).domain([0, most]);
  return panelOf(title, cells.map(d => ({x0: d.c.from, x1: d.c.to, y0: d.k, y1: d.k + 1, colour: shade(d.v),
    info: () => ({title: place(d.k), value: `${plot.number(d.v)} ${unit}`, lines: [["when", span(d.c)]]})})), `SM cycles; ${part} upwards; brightest: ${plot.short(most)}`,
  {height: Math.max(140, Math.min(300, 4 * n)), across: [0, run.cycles]});
};
const mapsOf = (to, run) => {
  if (!run.maps || !run.intervals) return;
  const set = k => `set ${k}`, queue = k => `queue ${k}`, slice = k => `slice ${k}`, banks = run.configuration.DRAM_BANKS, bank = k => `channel ${Math.floor(k / banks)}, bank ${k % banks}`;
  const there = part => Boolean(run.maps[part]);
  to.append("h3").text("Sets, queues, slices and banks over time");
  plot.panels(to, plot.points, [
    there("sets") && mapOf(run, "sets", "reads", "reads of each set of the L1D", "reads", set),
    there("sets") && mapOf(run, "sets", "misses", "reads that went to the memory", "reads", set),
    there("sets") && mapOf(run, "sets", "refused", "cycles in which a set refused", "SM cycles", set),
    there("queues") && mapOf(run, "queues", "held", "requests held by each queue of the MRPB", "requests times SM cycles", queue),
    there("slices") && mapOf(run, "slices", "asked", "requests to each slice of the L2", "requests", slice),
    there("banks") && mapOf(run, "banks", "served", "requests of each bank of the DRAM", "requests", bank),
    there("banks") && mapOf(run, "banks", "opened", "rows opened by each bank", "rows", bank)
  ].filter(Boolean));
};

// ---- latencies ----
const latenciesOf = (to, run) => {
  const loads = (run.by_pc || []).filter(r => r.latencies && r.latencies.length).sort((a, b) => b.latency_sum - a.latency_sum).slice(0, 6);
  if (!loads.length) return;
  to.append("h3").text("Latency of loads");
  to.append("p").attr("class", "soft").text("The loads that take the most time in all. Across: SM cycles from issue to the last data, logarithmic. Up: loads.");
  plot.panels(to, plot.points, loads.map(r => {
    const least = Math.max(1, d3.min(r.latencies, s => s.cycles)), wide = s => s.cycles * Math.pow(2, 0.25) + 1;
    return panelOf(where(r), r.latencies.map(s => ({x0: Math.max(least, s.cycles), x1: wide(s), y0: 0, y1: s.loads, colour: plot.colour(0),
      info: {title: where(r), value: `${plot.number(s.loads)} loads`, lines: [["SM cycles, from", plot.number(s.cycles)], ["mean", whole(r.latency_mean)], ["half below", plot.number(r.latency_p50)]]}})),
    "SM cycles", {height: 110, log: true});
  }), "small");
};

// ---- tables ----
const number = (name, of, text = v => plot.number(v), wide = false) => ({name, of, number: true, wide, text: r => { const v = of(r); return v == null ? "" : text(v); }});
const counts = weight => [number("waited for, %", weight, v => d3.format(".1f")(v))];
const memory = of => r => r.transactions ? of(r) : null; // an instruction without transactions has empty cells
const common = [
  number("transactions", memory(r => r.transactions)), number("hit %", r => r.transactions && !r.writes ? hit(r) : null, v => d3.format(".1f")(v)),
  number("misses", memory(r => r.misses), undefined, true), number("merges", memory(r => r.merges), undefined, true), number("bypasses", memory(r => r.bypasses), undefined, true),
  number("refused, cycles", memory(r => d3.sum(refused(r), w => w[1]))), {name: "why", wide: true, of: r => { const w = refused(r); return w.length ? w[0][0] : ""; }},
  number("latency", r => r.answered ? r.latency_mean : null, whole), number("p99", r => r.answered ? r.latency_p99 : null, undefined, true)];
// Rows of the same source line become one: their counts added up.
const bySource = (rows, weight) => d3.groups(rows.filter(r => r.source), r => `${r.source}:${r.source_line}`).map(([, list]) => {
  const sum = {name: sourceOf(list[0]), list};
  list.forEach(r => Object.entries(r).filter(([, v]) => typeof v === "number").forEach(([k, v]) => { sum[k] = (sum[k] || 0) + v; }));
  sum.weight = d3.sum(list, weight);
  sum.latency_mean = sum.answered ? sum.latency_sum / sum.answered : 0;
  sum.buffers = [...new Set(list.flatMap(touched))].map(buffer => ({buffer}));
  return sum;
});
const sourcesOf = (to, run, weight) => {
  const rows = bySource(run.by_pc, weight);
  if (!rows.length) return;
  to.append("h3").text("By line of the source");
  plot.table(to, [{name: "line", of: r => r.name}, {name: "array", of: r => touched(r).join(", ")}, ...counts(r => r.weight), number("instructions", r => r.list.length), number("issues", r => r.issues),
    ...common.filter(c => c.name !== "p99")],
  rows.sort((a, b) => b.weight - a.weight).map(r => Object.assign({info: () => ({title: r.name, value: cent(r.weight), lines: r.list.filter(weight).sort((a, b) => weight(b) - weight(a)).slice(0, 8).map(i => [cent(weight(i)), where(i)])})}, r)), {most: 15});
};
// The instructions that access an array, those with the most transactions first.
const usersOf = (run, name) => (run.by_pc || []).flatMap(r => (r.buffers || []).filter(b => b.buffer === name).map(b => ({r, n: b.transactions}))).sort((a, b) => b.n - a.n);
const kernelsOf = (to, run) => {
  const kernels = byKernel(run), schedulers = run.configuration.SMS * run.configuration.SCHEDULERS;
  if (kernels.length < 2) return;
  to.append("h3").text("By kernel");
  plot.table(to, [{name: "kernel", of: k => k.name}, number("cycles, %", k => share(k.cycles, run.cycles), v => d3.format(".1f")(v)), number("launches", k => k.launches), number("SM cycles", k => k.cycles),
    number("instructions", k => k.instructions), number(`schedulers with an instruction, of ${schedulers}`, k => k.busy / k.cycles)],
  kernels.map(k => Object.assign({info: () => ({title: k.name, value: cent(share(k.cycles, run.cycles)), lines: [["SM cycles", plot.number(k.cycles)], ["launches", plot.number(k.launches)]]})}, k)), {most: 12});
};
const busyTable = (to, run) => {
  const parts = busyOf(run);
  if (!parts.length) return;
  to.append("h3").text("How busy the memory path was");
  plot.table(to, [{name: "part", of: p => p.name}, number("used, %", p => p.share, v => d3.format(".1f")(v)), {name: "of", of: p => p.of}],
    parts.map(p => Object.assign({info: () => ({title: p.name, value: cent(p.share), lines: [["of", p.of]]})}, p)));
};
const tablesOf = (to, run) => {
  kernelsOf(to, run);
  if (run.by_pc) {
    const weight = weightOf(run);
    sourcesOf(to, run, weight);
    to.append("h3").text("By instruction");
    to.append("p").attr("class", "soft").text("Waited for: the instruction\u2019s share of the waiting in its kernel, times the kernel\u2019s share of the cycles. A click on a name sorts; a click on a line holds what is known of it.");
    plot.table(to, [{name: "instruction", of: where}, {name: "array", of: r => touched(r).join(", ")}, ...(byKernel(run).length > 1 ? [{name: "kernel", of: r => r.kernel, wide: true}] : []), ...counts(weight), number("issues", r => r.issues),
      number("per issue", r => r.issues && r.transactions ? r.transactions / r.issues : null), ...common],
    run.by_pc.filter(r => r.pc !== "-").sort((a, b) => weight(b) - weight(a)).map(r => Object.assign({info: () => ({title: where(r), value: cent(weight(r)),
      lines: [["kernel", r.kernel], ["source", r.source ? `${r.source}:${r.source_line}` : "-"]].concat((r.buffers || []).map(b => [namedArray(b.buffer), `${plot.number(b.transactions)} transactions`]), causes(r, run).map((c, i) => [`cause ${i + 1}`, c]), stackOf(r).map(w => [w[0], `${plot.number(w[1])} scheduler cycles`]), refused(r).map(w => [w[0], `${plot.number(w[1])} cycles`]))})}, r)), {most: 25});
  }
  busyTable(to, run);
  if (run.by_buffer) {
    to.append("h3").text("By array");
    plot.table(to, [{name: "array", of: r => arrayName(r.buffer)}, {name: "most by", of: r => { const u = usersOf(run, r.buffer); return u.length ? where(u[0].r) : ""; }}, number("bytes", r => r.bytes, undefined, true), ...common],
      run.by_buffer.slice().sort((a, b) => b.latency_sum - a.latency_sum).map(r => Object.assign({info: () => ({title: arrayName(r.buffer), value: `${plot.number(r.transactions)} transactions`,
        lines: usersOf(run, r.buffer).slice(0, 6).map(u => [where(u.r), `${plot.number(u.n)} transactions`]).concat(refused(r).map(w => [w[0], `${plot.number(w[1])} cycles`]))})}, r)));
  }
};

// ---- the section ----
const stackRow = shown => r => {
  const parts = shown.of(r.run, r.run), total = d3.sum(parts);
  let at = 0;
  return {name: runs.name(r), lanes: [parts.map((v, k) => {
    const from = at;
    at += share(v, total);
    return {from, to: at, colour: shown.colours[k], info: {title: `${runs.name(r)}: ${shown.names[k]}`, value: cent(at - from), lines: [["scheduler cycles", plot.number(v)], ["SM cycles of the run", plot.number(r.run.cycles)]]}};
  }).filter(b => b.to > b.from)]};
};
const what = run => [run.kernel, run.cut && `cut ${run.cut}`, run.size && `size ${run.size}`, run.steps && `${run.steps} steps`].filter(Boolean).join(", ");
const runCard = (to, r) => {
  const run = r.run, box = to.append("div").attr("class", "card run");
  box.append("h3").text(`${runs.name(r)}: ${what(run)}`);
  box.append("p").attr("class", "soft").text(`${plot.number(run.cycles)} SM cycles, ${plot.number(run.ipc)} thread instructions a cycle. Configuration ${run.config_hash}. From ${r.source}.`);
  box.append("ul").attr("class", "findings").selectAll("li").data(findings(run)).join("li").text(t => t);
  tablesOf(box, run);
  overTimeOf(box, run);
  mapsOf(box, run);
  latenciesOf(box, run);
};
runs.section = to => {
  const alike = report.runs.every(r => Boolean(r.run.stack) === Boolean(report.runs[0].run.stack));
  if (report.runs.length > 1) compare.section(to);
  const box = to.append("div").attr("class", "card");
  box.append("h3").text("Where the time went");
  (alike ? [report.runs] : report.runs.map(r => [r])).forEach(list => {
    const shown = shownOf(list.map(r => r.run));
    plot.panels(box, plot.rows, [{title: "scheduler cycles, %", rows: list.map(stackRow(shown)), domain: [0, 100], label: "% of the schedulers\u2019 cycles"}]);
    stackLegend(box, shown.names, shown.colours);
  });
  report.runs.forEach(r => runCard(to, r));
};
