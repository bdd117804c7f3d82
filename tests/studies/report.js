/* SPDX-License-Identifier: Apache-2.0 */
/* What tests/studies/report.sh appends to a copy of the page: it looks at what is drawn, moves the pointer, presses keys,
 * filters, and leaves a line for each check in <pre id="test">. `errors` has been put before the page's own scripts. */
"use strict";
(() => {
  const lines = [], check = (name, good, more = "") => lines.push(`${good ? "ok" : "FAILED"}  ${name}${good ? "" : ": " + more}`);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const box = node => node.getBoundingClientRect();
  const about = mark => { const d = d3.select(mark).datum(); return typeof d.info === "function" ? d.info() : d.info; };
  const tipText = () => { const t = document.getElementById("tip"); return t.hidden ? "" : t.textContent; };
  const fire = (node, type, more = {}) => node.dispatchEvent(new (type.startsWith("key") ? KeyboardEvent : type === "focusin" ? FocusEvent : type.startsWith("pointer") ? PointerEvent : MouseEvent)(type, Object.assign({bubbles: true, cancelable: true}, more)));
  const set = (selector, value, type) => { const e = document.querySelector(selector); e.value = value; fire(e, type); };

  // ---- what is drawn ----
  const outside = () => all("svg").flatMap(svg => {
    const frame = svg.querySelector(".frame"), f = frame && box(frame), near = 1.5;
    return all(".mark", svg).filter(m => { const b = box(m);
      return !f || !Number.isFinite(b.left) || b.left < f.left - near || b.right > f.right + near || b.top < f.top - near || b.bottom > f.bottom + near;
    }).map(m => about(m).title);
  });
  const broken = () => all("svg .mark").filter(m => /NaN|undefined|Infinity/.test(m.outerHTML)).map(m => m.outerHTML);
  const axes = () => all("svg").flatMap(svg => { // numbers of one axis over each other
    const texts = all(".tick text", svg).map(t => ({t: t.textContent, b: box(t)}));
    return texts.filter((p, i) => texts.some((q, k) => k > i && p.b.left < q.b.right && q.b.left < p.b.right && p.b.top + 2 < q.b.bottom && q.b.top + 2 < p.b.bottom)).map(p => p.t);
  });
  const wide = () => all("svg text").filter(t => { const b = box(t); return b.width && (b.left < -0.5 || b.right > innerWidth + 0.5); }).map(t => t.textContent);
  const small = () => all("svg text, p, td, label, li").filter(t => t.textContent && parseFloat(getComputedStyle(t).fontSize) < 10.9).map(t => t.textContent);
  const look = when => {
    const list = {"no mark outside its axes": outside(), "every mark has a place": broken(), "no two numbers of an axis over each other": axes(),
      "no text outside the page": wide(), "no type below 11 pixels": small()};
    Object.entries(list).forEach(([name, bad]) => check(`${when}: ${name}`, bad.length === 0, `${bad.length}: ${bad.slice(0, 3).join("; ")}`));
    check(`${when}: the page does not scroll sideways`, document.documentElement.scrollWidth <= innerWidth, document.documentElement.scrollWidth);
  };
  const marks = all(".mark");
  check("there are marks", marks.length > 1000, marks.length);
  look("all");
  check("each mark in a figure has its command", all(".figure svg .mark").every(m => /^(build\/mrpb |make |for v in )/.test(about(m).command)));
  // ---- runs ----
  const first = report.runs[0].run, stall = r => r.awaited + r.no_unit;
  const ofKernel = name => first.by_pc.filter(r => r.pc !== "-" && r.kernel === name), cyclesOf = name => d3.sum(first.kernels.filter(k => k.name === name), k => k.cycles);
  const heavy = r => stall(r) / d3.sum(ofKernel(r.kernel), stall) * cyclesOf(r.kernel), slow = first.by_pc.filter(r => r.pc !== "-").sort((a, b) => heavy(b) - heavy(a))[0];
  const runCards = all(".card.run"), instructionsOf = card => all("table", card).find(t => t.querySelector("th").textContent === "instruction");
  check("the runs come first", document.querySelector("main > section").id === "runs");
  check("a card for each run, a comparison for each but the first", runCards.length === 4 && all(".card.compare").length === 3, `${runCards.length}, ${all(".card.compare").length}`);
  check("the first line of the table is what is waited for most", instructionsOf(runCards[0]).querySelector("tbody td").textContent === `line ${slow.line}: ${slow.text.replace(/;$/, "")}`, instructionsOf(runCards[0]).querySelector("tbody td").textContent);
  check("it is named among the findings", all(".findings li", runCards[0]).some(l => l.textContent.includes(`line ${slow.line}:`)));
  const rowOf = (card, text) => all("tbody tr", card).find(r => all("td", r)[0].textContent === text);
  check("with its array, in the table and among the findings", slow.buffers.length === 1 && all("td", rowOf(runCards[0], `line ${slow.line}: ${slow.text.replace(/;$/, "")}`))[1].textContent === slow.buffers[0].buffer &&
    all(".findings li", runCards[0]).some(l => l.textContent.includes(`line ${slow.line}:`) && l.textContent.includes(`array ${slow.buffers[0].buffer})`)), JSON.stringify(slow.buffers));
  const longest = first.kernels.slice().sort((a, b) => b.cycles - a.cycles)[0];
  check("kernels: the one with most cycles first, among the findings too", all("td", rowOf(runCards[0], longest.name))[3].textContent === plot.number(longest.cycles) && all(".findings li", runCards[0]).some(l => l.textContent.includes(`are of kernel ${longest.name} (1 launch)`)));
  const bus = all("td", rowOf(runCards[0], "DRAM")).map(t => t.textContent);
  check("how busy the DRAM was", bus[1] === d3.format(".1f")(100 * first.dram.data_cycles / first.dram.channel_cycles), bus.join(" | "));
  const asked = all(".heat", runCards[0]).map(about).filter(i => /^slice /.test(i.title));
  check("requests of the slices add up", d3.sum(asked, i => Number(i.value.replace(/[^0-9]/g, ""))) === d3.sum(first.maps.slices.asked));
  const user = first.by_pc.filter(r => r.buffers.some(b => b.buffer === "A")).sort((a, b) => b.buffers[0].transactions - a.buffers[0].transactions)[0];
  check("an array with the instruction that accesses it most", all("td", rowOf(runCards[0], "A"))[1].textContent.startsWith(`line ${user.line}:`));
  const sources = report.runs[3].run.by_pc.filter(r => r.source_line === 5), ofLine = all("td", rowOf(runCards[3], "saxpy.cu:5")).map(t => t.textContent);
  check("lines of the source: their instructions, arrays and transactions", ofLine[1] === "x, y" && ofLine[3] === String(sources.length) && ofLine[5] === plot.number(d3.sum(sources, r => r.transactions)), ofLine.join(" | "));
  check("none where the text has no source", !/By line of the source/.test(runCards[0].textContent) && /saxpy\.cu:5/.test(all(".findings li", runCards[3]).map(l => l.textContent).join()));
  check("and where its misses fall", all(".findings li", runCards[0]).some(l => /1 of the 32 sets of the L1D \(set 0\)/.test(l.textContent)), all(".findings li", runCards[0]).map(l => l.textContent).join(" | "));
  const hopper = report.runs[2].run, used = new Set(hopper.intervals.flatMap(v => v.stacks.filter(s => s.issue > 0).map(s => s.sm))).size;
  check("how many SMs got a block", used < 132 && all(".findings li", runCards[2]).some(l => l.textContent.includes(`${used} of 132 SMs got a block`)), all(".findings li", runCards[2]).map(l => l.textContent).join(" | "));
  check("maps of sets and banks, queues only with an MRPB", all("h4", runCards[0]).every(h => !/queue of the MRPB/.test(h.textContent)) && all("h4", runCards[1]).some(h => /queue of the MRPB/.test(h.textContent)));
  const tiles = all(".heat", runCards[0]).map(about), reads = tiles.filter(i => /^set /.test(i.title) && / reads$/.test(i.value));
  const shown = d3.sum(reads, i => Number(i.value.replace(/[^0-9]/g, "")));
  check("the cells of the maps add up", shown === d3.sum(first.maps.sets.reads) + d3.sum(first.maps.sets.misses), shown);
  const times = all(".card.compare p")[0].textContent;
  check("the comparison has both cycles", times.includes(plot.number(first.cycles)) && times.includes(plot.number(report.runs[1].run.cycles)), times);
  check("and the key that differs", /Keys: MRPB 0 \u2192 1/.test(all(".card.compare")[0].textContent));
  const figure = report.figures.find(f => f.id === "fig14"), card = document.getElementById("fig14");
  const names = f => f.bars.filter(b => b.drawn && b.value[0] == null).length;
  check("two were not run", names(figure) === 2, names(figure));
  check("what was not run is a gap, never a bar", all("#fig14 .mark.gap").filter(m => !/mean/.test(about(m).title)).length === names(figure), all("#fig14 .gap").length);
  check("bars of fig14", all("#fig14 rect.bar").filter(m => !/mean/.test(about(m).title)).length === figure.bars.filter(b => b.drawn && b.value[0] != null).length);

  // ---- hover, keys ----
  const bars = figure.bars.filter(b => b.program === "gesummv" && b.base === "s" && b.value[0] != null && b.drawn); // the best of five runs, and one run
  let bar, mark;
  for (bar of bars) {
    mark = all("rect.bar", card).find(m => about(m).command === bar.command);
    fire(mark, "pointerover");
    const shown = d3.format(".3~f")(bar.value[0]);
    const difference = bar.differs.map(d => d.base == null ? `${d.key} ${d.value}` : `${d.key} ${d.base} \u2192 ${d.value}`).join(", ");
    check("hover: value, difference, command", [shown, difference, bar.command, bar.config_hash].every(t => tipText().includes(t)), tipText());
  }
  fire(document.querySelector("h2"), "pointerover");
  check("away from it: nothing", tipText() === "");
  fire(mark, "click");
  check("a click holds it, with a button", document.querySelector("#tip button") && tipText().includes(bar.command));
  fire(document.body, "keydown", {key: "Escape"});
  check("Escape lets go", tipText() === "");
  const tab = all("[tabindex='0']", card)[0];
  tab.focus();
  fire(tab, "focusin");
  check("focus says the value", tipText().includes(about(tab).command));
  const second = all(".mark", tab.closest("svg"))[1];
  fire(tab, "keydown", {key: "ArrowRight"});
  check("an arrow goes on", document.activeElement === second, document.activeElement.outerHTML);
  check("one stop a panel", all("svg").every(s => all("[tabindex='0']", s).length <= 1));
  fire(document.body, "keydown", {key: "Escape"});

  // ---- filters ----
  const programs = () => new Set(all(".figure svg .mark").map(m => about(m).title.split(":")[0]).filter(t => !/^(mean|PolyBench|Rodinia)/.test(t)));
  const tried = (name, key, value, good, type = "change") => {
    set(`#filter-${key}`, value, type);
    check(`filter ${name}`, good(), [...programs()].join(" "));
    if (name !== "program") look(`filter ${name}`);
    set(`#filter-${key}`, key === "order" ? "paper" : "", type);
  };
  const before = programs().size;
  tried("program", "text", "atax", () => [...programs()].join() === "atax-s,atax-l", "input");
  tried("suite", "suite", "rodinia", () => programs().has("nw-s") && !programs().has("atax-s"));
  tried("base", "base", "l", () => [...programs()].every(p => p.endsWith("-l")) && programs().size > 10);
  tried("contention", "type", "XW", () => [...programs()].sort().join() === "syr2k-l,syr2k-s,syrk-l,syrk-s", "change");
  tried("key", "key", "SCHEDULER", () => all(".figure svg .mark").every(m => /GTO/.test(about(m).title)) && programs().size === 0);
  tried("order", "order", "name", () => all("#fig14 .panel")[0].querySelectorAll("tspan")[0].textContent === "2dconv");
  check("filters let go", programs().size === before, programs().size);
  set("#filter-text", "no such program", "input");
  check("nothing passes: said so", /Nothing of this figure/.test(card.textContent));
  set("#filter-text", "", "input");
  fire(card.querySelector(".legend button"), "click");
  check("a name in the legend takes its point away", all("svg .mark", card).every(m => !/CCWS-SWL/.test(about(m).title)));
  fire(card.querySelector(".legend button"), "click");
  const detail = document.querySelector("#fig16 details");
  detail.open = true;

  // ---- sweeps ----
  const sweep = report.sweeps[0], good = sweep.points.filter(p => p.exit === 0).length, own = document.querySelector(".sweep");
  check("a point for each that was run", all("circle.point", own).length === good, all("circle.point", own).length);
  check("those that failed are named", own.textContent.includes(`${sweep.points.length - good} of them not run or failed`));
  check("a point whose configuration is known has a command", about(all("circle.point", own)[0]).command === null || /^build\/mrpb run/.test(about(all("circle.point", own)[0]).command));
  const stats = all(".choose-up option", own).map(o => o.value), keys = all(".choose-across option", own).map(o => o.value);
  stats.filter((s, i) => i < 12 || sweep.keys.includes(s)).forEach(s => keys.slice(0, 5).forEach(k => {
    set(".sweep .choose-across", k, "change");
    set(".sweep .choose-up", s, "change");
    ["linear", "logarithmic"].forEach(scale => {
      set(".sweep .choose-scale", scale, "change");
      const bad = outside().concat(broken(), axes());
      if (bad.length) check(`${s} over ${k}, ${scale}`, false, bad.slice(0, 3).join("; "));
    });
  }));
  set(".sweep .choose-across", sweep.keys[0], "change");
  set(".sweep .choose-up", sweep.keys[1], "change");
  check("two keys are a map", all("rect.cell", own).length > 1 && all("circle.point", own).length === 0, all("rect.cell", own).length);
  fire(all("rect.cell", own)[0], "pointerover");
  check("a cell says its value", /median of/.test(tipText()), tipText());
  fire(document.querySelector("h2"), "pointerover");
  const sort = all("th button", own).find(b => b.textContent === sweep.keys[0]), column = all("th button", own).indexOf(sort);
  fire(sort, "click");
  fire(sort, "click");
  const cells = all("tbody tr", own).map(tr => Number(tr.children[column].textContent));
  check("a column's name sorts", cells[0] === d3.max(sweep.points, p => p.keys[0]) && cells.every((v, i) => i === 0 || v <= cells[i - 1]), cells.slice(0, 5));
  all("details").forEach(d => { d.open = true; fire(d, "toggle"); });
  look("everything opened");

  // ---- colours: Machado, Oliveira and Fernandes 2009, complete ----
  const blind = {nobody: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]};
  const linear = v => { v /= 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); };
  const gamma = v => 255 * Math.max(0, Math.min(1, v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055));
  const seen = (colour, m) => { const c = d3.rgb(colour), p = [c.r, c.g, c.b].map(linear), q = m.map(row => gamma(d3.sum(row, (w, i) => w * p[i]))); return d3.lab(d3.rgb(...q)); };
  const light = c => { const p = d3.rgb(c), q = [p.r, p.g, p.b].map(linear); return 0.2126 * q[0] + 0.7152 * q[1] + 0.0722 * q[2]; };
  const contrast = (a, b) => { const [p, q] = [light(a), light(b)].sort((x, y) => y - x); return (p + 0.05) / (q + 0.05); };
  ["dark", "light"].forEach(theme => {
    document.documentElement.dataset.theme = theme;
    const style = getComputedStyle(document.documentElement), value = name => style.getPropertyValue(name).trim();
    Object.entries(blind).forEach(([who, m]) => {
      let least = Infinity, pair = "";
      for (let i = 0; i < 7; i++) for (let k = i + 1; k < 7; k++) {
        const a = seen(value(`--s${i}`), m), b = seen(value(`--s${k}`), m), d = Math.hypot(a.l - b.l, a.a - b.a, a.b - b.b);
        if (d < least) { least = d; pair = `${i} and ${k}`; }
      }
      check(`${theme}: series stay apart for ${who}`, least >= 11, `${least.toFixed(1)} between ${pair}`);
    });
    [["--text", 7], ["--soft", 4.5], ["--accent", 4.5], ["--good", 4.5], ["--far", 4.5]].forEach(([name, least]) =>
      check(`${theme}: ${name} can be read`, contrast(value(name), value("--ground")) >= least && contrast(value(name), value("--raised")) >= Math.min(least, 4.5),
        contrast(value(name), value("--ground")).toFixed(2)));
  });
  check("no error", errors.length === 0, errors.join("; "));
  const out = document.createElement("pre");
  out.id = "test";
  out.textContent = lines.join("\n");
  document.body.append(out);
})();
