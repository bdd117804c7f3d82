/* SPDX-License-Identifier: Apache-2.0 */
/* What a run says about itself, in words: what most of its time went to, and why. */
"use strict";

// ---- an instruction, an array, the sets ----
const operation = row => (row.text || "").replace(/^@\S+\s+/, "");
const isAtomic = row => /^(atom|red)\b/.test(operation(row));
const reads = row => {
  const all = row.hits + row.misses + row.merges + (row.bypasses || 0);
  return `${cent(share(row.hits, all))} of its reads hit the L1D, ${cent(share(row.merges, all))} joined a miss on its way`;
};
// Of an SM's cycle stack: scheduler cycles only.
const partsOfSm = s => Object.entries(s).filter(([name]) => name !== "sm" && name !== "memory_stage_stalled");
/* Of the cycles without a warp, in per cent of all: SMs that never got a block; those whose warps had all ended; before their
 * first; in between. Null if the SMs are not known one by one. */
const withoutWarp = (run, none, total) => {
  if (!run.intervals || !run.intervals.length || !run.intervals[0].stacks) return null;
  const c = run.configuration, used = new Map();
  run.intervals.forEach(v => v.stacks.filter(s => d3.sum(partsOfSm(s), p => p[1]) > 0).forEach(s => used.set(s.sm, {first: (used.get(s.sm) || {first: v.from}).first, end: v.to})));
  const never = share((c.SMS - used.size) * run.cycles * c.SCHEDULERS, total), after = share(d3.sum(used.values(), u => run.cycles - u.end) * c.SCHEDULERS, total),
    before = share(d3.sum(used.values(), u => u.first) * c.SCHEDULERS, total);
  return [[`on SMs that never got a block (${c.SMS - used.size} of ${c.SMS}; ${used.size} of ${c.SMS} SMs got a block)`, never], ["on SMs whose last warp had ended", after], ["before the first warp of an SM", before],
    ["in between", Math.max(0, share(none, total) - never - after - before)]];
};
const noWarp = (run, none, total) => {
  const parts = withoutWarp(run, none, total), said = `In ${cent(share(none, total))} of their cycles they had no warp at all`;
  return parts ? `${said}: ${parts.filter(p => p[1] >= 2).map(p => `${cent(p[1])} ${p[0]}`).join(", ")}.` : `${said}: too few blocks or warps for this GPU, blocks of unequal length, or warps that had ended while their requests were still on the way.`;
};
const launching = run => {
  const part = share((run.kernels || []).length * (run.configuration.LAUNCH_CYCLES || 0), run.cycles);
  return part >= 5 ? `${cent(part)} of the cycles go to launching: ${run.kernels.length} launch${run.kernels.length > 1 ? "es" : ""}, LAUNCH_CYCLES = ${run.configuration.LAUNCH_CYCLES}.` : null;
};
// In-order cores count tries, the others SM cycles.
const refusedFor = (row, n, run) => row.stalled != null ? `${plot.number(n)} tries` : `${cent(share(n, run.cycles * run.configuration.SMS))} of the cycles of all SMs`;
const causes = (row, run) => {
  const list = [], per = row.transactions / row.issues, why = refused(row), stack = stackOf(row);
  if (stack.length && waited(row)) list.push(`${cent(share(stack[0][1], waited(row)))} of that: ${stack[0][0]}`);
  if (per >= 4) list.push(isAtomic(row) ? `${plot.number(per)} transactions an issue: lanes that change the same word take turns` : `${plot.number(per)} transactions an issue: its lanes access different lines`);
  const word = (row.words || [])[0];
  if (word && share(word.lanes, row.thread_instructions) >= 10) list.push(`${cent(share(word.lanes, row.thread_instructions))} of its lanes change one word: byte ${word.offset} of ${namedArray(word.buffer)}`);
  const busy = busiest(run), often = why.length > 0 && !isAtomic(row) && why[0][1] > 0.02 * run.cycles * run.configuration.SMS;
  if (often) list.push(`refused: ${why[0][0]} (${refusedFor(row, why[0][1], run)})${why[0][0] === refusals.refused_mshr ? `; its entries wait for the memory behind it${busy ? `, where the busiest part is ${busy.name}, ${cent(busy.share)} used` : ""}` : ""}`);
  if (row.transactions && !row.writes && !isAtomic(row) && hit(row) < 50) list.push(reads(row));
  if (row.no_unit > 0.5 * waited(row) && !often) list.push("it waits for a unit that the instructions before it hold, not for data");
  if (row.answered) list.push(`data come after ${whole(row.latency_mean)} SM cycles in the mean, ${plot.number(row.latency_p99)} for the slowest 1 %`);
  return list;
};
/* A text if, in each interval, a third of the sets or less has nine tenths of a count: of the misses, or of the cycles of
 * refusal. */
const fewSets = run => {
  const sets = run.maps.sets, least = {misses: 100, refused: 0.02 * run.cycles * run.configuration.SMS};
  const third = Math.floor(sets.places / 3);
  // The share that the `n` busiest sets of each interval have, and which sets these are.
  const busiest = (name, n) => {
    const values = sets[name], by = new Set();
    let sum = 0;
    for (let i = 0; i < values.length; i += sets.places) {
      const row = d3.range(sets.places).map(k => ({k, v: values[i + k]})).sort((p, q) => q.v - p.v).slice(0, n).filter(s => s.v > 0);
      sum += d3.sum(row, s => s.v);
      row.forEach(s => by.add(s.k));
    }
    return {name, n, by, share: d3.sum(values) < least[name] ? 0 : share(sum, d3.sum(values))};
  };
  const is = [["misses", "misses"], ["refused", "cycles of refusal"]].flatMap(([name, said]) => d3.range(1, third + 1).map(n => Object.assign(busiest(name, n), {said})))
    .find(b => b.share >= 90);
  if (!is) return null;
  const which = is.by.size <= is.n ? `(${[...is.by].sort((p, q) => p - q).map(k => `set ${k}`).join(", ")})` : "at a time, others from interval to interval";
  return `${cent(is.share)} of the ${is.said} fall into ${is.n} of the ${sets.places} sets of the L1D ${which}: addresses that are far apart by a multiple of the sets share them.`;
};
// Of the waits for registers: what share of them is for loads.
const byLoads = run => {
  const rows = (run.by_pc || []).filter(r => r.pc !== "-" && r.awaited), all = d3.sum(rows, r => r.awaited);
  return all ? ` (${cent(share(d3.sum(rows.filter(r => r.answered), r => r.awaited), all))} of that of loads from memory)` : "";
};
// ---- kernels and what an instruction weighs ----
// Launches of the same name together, the one with most cycles first. busy: scheduler cycles in which a warp
// had an instruction.
const byKernel = run => d3.groups(run.kernels || [], k => k.name).map(([name, list]) => ({name, launches: list.length, cycles: d3.sum(list, k => k.cycles),
  instructions: d3.sum(list, k => k.warp_instructions), busy: d3.sum(list, k => d3.sum(ownParts(k).filter(p => p[0] !== "instruction"), p => p[1]))})).sort((a, b) => b.cycles - a.cycles);
/* In per cent of the time: the share of the waiting in its kernel, times the kernel's share of the cycles. Many warps that wait
 * together for a short time weigh no more than the time they take. */
const weightOf = run => {
  const rows = run.by_pc.filter(r => r.pc !== "-"), kernels = new Map(byKernel(run).map(k => [k.name, k.cycles]));
  const known = rows.every(r => kernels.has(r.kernel)), all = d3.sum(rows, waited), cycles = d3.sum(kernels.values());
  const of = d3.rollup(rows, list => d3.sum(list, waited), r => r.kernel);
  return r => r.pc === "-" ? 0 : known ? share(waited(r), of.get(r.kernel)) * kernels.get(r.kernel) / cycles : share(waited(r), all);
};
// It waits only because instructions before it fill the load/store unit.
const isBehind = row => !row.transactions && row.no_unit > 0.5 * waited(row) && /^(ld|ldu|st|tex|atom|red|cp)\b/.test(operation(row));
const families = [[/^(atom|red)\b/, "atomics"], [/^\S*\.shared\b/, "shared memory"], [/^ld\S*\.(const|param)\b/, "constants and parameters"], [/^(ldu?|tex|tld4|cp)\b/, "loads from memory"], [/^st\b/, "stores"],
  [/^(sqrt|rsqrt|rcp|sin|cos|ex2|lg2|div|tanh)\b/, "roots, divisions and other special functions"], [/^bar/, "barriers"], [/^(bra|brx|call|ret|exit)\b/, "branches"], [/./, "other arithmetic"]];
const familiesOf = run => {
  const weight = weightOf(run), sum = d3.rollup(run.by_pc.filter(weight), list => d3.sum(list, weight), r => isBehind(r) ? "instructions behind others in the load/store unit" : families.find(f => f[0].test(operation(r) || "?"))[1]);
  return [...sum].sort((a, b) => b[1] - a[1]);
};

// ---- how busy the parts of the memory path were ----
/* [{name, share, of}]: what was moved, of what could be moved in the cycles of the run; the busiest first. */
const busyOf = run => {
  const c = run.configuration, list = [], per = clock => run.cycles * c[clock] / c.CLOCK_SM;
  const add = (name, used, most, of) => { if (used > 0 && most > 0) list.push({name, share: share(used, most), of}); };
  if (run.interconnect && run.interconnect.replies && c.CLOCK_ICNT) {
    add("interconnect, to the SMs", run.interconnect.replies.flits, per("CLOCK_ICNT") * c.L2_SLICES, "a flit a cycle from each slice of the L2");
    add("interconnect, to the L2", run.interconnect.requests.flits, per("CLOCK_ICNT") * c.L2_SLICES, "a flit a cycle into each slice of the L2");
    add("L2", run.l2.reads + run.l2.writes, per("CLOCK_L2") * c.L2_SLICES, "a request a cycle in each slice");
  }
  if (run.dram && run.dram.channel_cycles) add("DRAM", run.dram.data_cycles, run.dram.channel_cycles, "a transfer a cycle on each channel");
  if (c.LINE_CYCLES) add("load/store units", (run.sm.load_transactions + run.sm.store_transactions) * c.LINE_CYCLES, run.cycles * c.SMS, "a look-up of a line each LINE_CYCLES, in all SMs");
  if (c.L2_SLICE_PORT && c.L2_PORTS && run.l2.read_bytes) add("L2, reads", run.l2.read_bytes, run.cycles * c.L2_PORTS * c.L2_SLICE_PORT / 100, "L2_SLICE_PORT of each slice");
  if (c.DRAM_PORT && run.dram.read_bytes) add("DRAM, reads", run.dram.read_bytes, run.cycles * c.DRAM_PORT / 100, "DRAM_PORT");
  const slices = run.maps && run.maps.slices;
  if (slices && c.CLOCK_L2) add("L2, its busiest slice", mostAsked(slices), per("CLOCK_L2"), "a request a cycle");
  return list.sort((a, b) => b.share - a.share);
};
// Half or more: then requests wait for it when they come in bursts.
const busiest = run => busyOf(run).filter(p => p.share >= 50)[0];
// The requests of the slice that has most in each interval.
const mostAsked = slices => {
  let sum = 0;
  for (let i = 0; i < slices.asked.length; i += slices.places) sum += d3.max(slices.asked.slice(i, i + slices.places));
  return sum;
};
// A text if in each interval one slice has far more than its share.
const oneSlice = slices => {
  const all = d3.sum(slices.asked), part = share(mostAsked(slices), all);
  return slices.places > 1 && all > 100 * slices.places && part > Math.max(50, 300 / slices.places) ?
    `${cent(part)} of the requests to the L2 come to one of its ${slices.places} slices at a time, and take turns there.` : null;
};
const atomicsOf = run => {
  const rows = run.by_pc.filter(r => (r.words || []).length), lanes = d3.sum(rows, r => r.thread_instructions), all = d3.sum(run.by_pc, r => r.transactions || 0);
  if (!rows.length || share(d3.sum(rows, r => r.transactions), all) < 20) return null;
  const most = [...d3.rollup(rows.flatMap(r => r.words), list => d3.sum(list, w => w.lanes), w => w.buffer === "-" ? w.address : `byte ${w.offset} of array ${w.buffer}`)].sort((a, b) => b[1] - a[1]);
  return `${cent(share(d3.sum(rows, r => r.transactions), all))} of all transactions are atomics. The words that most of their ${whole(lanes)} lanes change: ${most.slice(0, 3).map(w => `${w[0]} (${whole(w[1])})`).join(", ")}.`;
};

// ---- in words ----
const mostOf = parts => parts.reduce((a, b) => b[1] > a[1] ? b : a);
const kernelFinding = run => {
  const kernels = byKernel(run);
  return kernels.length > 1 ? `${kernels.slice(0, 3).map(k => `${cent(share(k.cycles, run.cycles))} of the cycles are of kernel ${k.name} (${k.launches} launch${k.launches > 1 ? "es" : ""})`).join(", ")}.` : null;
};
const instructionFindings = run => {
  const weight = weightOf(run), kinds = familiesOf(run), list = [], parts = partsOf(run, run);
  const known = share(d3.sum(run.by_pc.filter(r => r.pc !== "-"), waited), d3.sum(parts, p => p[1]));
  if (kinds.length) list.push(`What is waited for, in the ${cent(known)} of the schedulers\u2019 cycles that are due to an instruction: ${kinds.filter((k, i) => i === 0 || k[1] >= 5).slice(0, 4).map(k => `${cent(k[1])} ${k[0]}`).join(", ")}.`);
  return list.concat(run.by_pc.filter(r => weight(r) > 10 && !isBehind(r)).sort((a, b) => weight(b) - weight(a)).slice(0, 3).map(r =>
    `${cent(weight(r))} of the waiting is due to ${where(r)} (${[r.kernel, sourceOf(r), onArrays(r)].filter(Boolean).join(", ")}).${causes(r, run).map(c => ` ${c[0].toUpperCase()}${c.slice(1)}.`).join("")}`));
};
const findings = run => {
  const parts = partsOf(run, run), total = d3.sum(parts, p => p[1]), none = parts[parts.length - 1][1], worst = mostOf(parts.slice(1, -1));
  const list = [`The schedulers issued an instruction in ${cent(share(parts[0][1], total))} of their cycles. Most of the others, ${cent(share(worst[1], total))} of all: ${worst[0] === "register" ? `waits for a register${byLoads(run)}` : partName(worst[0])}.`];
  if (none > 0.3 * total) list.push(noWarp(run, none, total));
  list.push(launching(run));
  const late = (run.by_pc || []).filter(r => r.answered).sort((a, b) => b.latency_mean - a.latency_mean)[0];
  if (late && none > 0.3 * total && late.latency_mean > 0.02 * run.cycles) list.push(`The longest on the way is ${where(late)}: ${whole(late.latency_mean)} SM cycles in the mean.`);
  list.push(kernelFinding(run));
  if (run.by_pc) list.push(...instructionFindings(run), atomicsOf(run));
  const buffers = (run.by_buffer || []).slice().sort((a, b) => b.latency_sum - a.latency_sum), sum = d3.sum(buffers, b => b.latency_sum);
  const ofMemory = run.by_pc ? d3.sum(familiesOf(run).filter(f => /^(loads|atomics)/.test(f[0])), f => f[1]) : 100;
  if (buffers.length && sum && ofMemory >= 10) list.push(`${cent(share(buffers[0].latency_sum, sum))} of the time of all loads is for ${buffers[0].buffer === "-" ? "addresses in no array, such as local memory" : `array ${buffers[0].buffer}`}${buffers[0].hits + buffers[0].misses + buffers[0].merges + (buffers[0].bypasses || 0) ? `: ${reads(buffers[0])}` : ""}.`);
  const busy = busiest(run);
  if (busy) list.push(`The busiest part of the memory path: ${busy.name}, ${cent(busy.share)} used (all: ${busy.of}). Half or more makes requests wait.`);
  if (run.maps && run.maps.sets) list.push(fewSets(run));
  if (run.maps && run.maps.slices) list.push(oneSlice(run.maps.slices));
  if (!run.by_pc) list.push("Run it with --profile to see which instruction, array, phase and set it is.");
  return list.filter(Boolean);
};
