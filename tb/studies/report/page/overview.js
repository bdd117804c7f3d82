/* SPDX-License-Identifier: Apache-2.0 */
/* The first thing that is seen: how far what was measured is from what was published, and what is not there yet. */
"use strict";
const overview = {};
const NEAR = 5; // per cent

// "the same as flits" is said of an earlier number that has the same value in the paper.
const named = (list, i) => {
  const same = /^the same /.test(list[i].text), of = same && list.find(p => p.published === list[i].published);
  return same && of ? `${of.text.replace(/ \([^)]*\)$/, "")}, ${list[i].text.replace(/^the same /, "").replace(/, with .*/, "")}` : list[i].text;
};
overview.published = () => figures.list.flatMap(f => f.published.map((p, i) => Object.assign({}, p, {figure: f, text: named(f.published, i),
  far: p.difference == null ? null : p.difference})));

const tile = (to, href, big, small, text) => {
  const t = to.append("a").attr("class", "tile").attr("href", href);
  t.append("b").text(big).append("small").text(" " + small);
  t.append("span").text(text);
};

const tiles = to => {
  const list = overview.published(), known = list.filter(p => p.far != null);
  const bars = figures.list.flatMap(f => f.bars.filter(b => b.drawn)), there = bars.filter(b => figures.value(b) != null);
  if (list.length) tile(to, "#overview", known.filter(p => Math.abs(p.far) <= NEAR).length, `of ${known.length}`,
    `published numbers met within ${NEAR} %; ${list.length - known.length} not run`);
  if (bars.length) tile(to, "#figures", there.length, `of ${bars.length}`, "bars of the paper\u2019s figures measured");
  if (report.accuracy) {
    const rows = report.accuracy.rows.filter(r => r.group !== "sched" && r.reference && r.values[2] != null);
    tile(to, "#accuracy", rows.filter(r => r.values[2] === r.reference).length, `of ${rows.length}`,
      "runs equal to GPGPU-Sim to the cycle, in the reference\u2019s own order");
  }
  if (report.studies) {
    const rows = report.studies.flatMap(s => s.rows).filter(r => r.publication && r.publication !== "not published");
    tile(to, "#studies", rows.filter(r => r.publication === "equal" || r.publication === "within").length, `of ${rows.length}`,
      `published figures of ${report.studies.length} GPUs deduced again`);
  }
  const points = d3.sum(report.sweeps, s => s.points.length);
  if (points) tile(to, "#sweeps", plot.number(points), "points", `in ${report.sweeps.length} ${report.sweeps.length === 1 ? "sweep" : "sweeps"}`);
};

const differences = to => {
  const list = overview.published();
  if (!list.length) return;
  const card = to.append("div").attr("class", "card");
  card.append("h3").text("Published numbers: difference of the measured");
  card.append("p").attr("class", "soft").text(`Each number that the paper\u2019s text gives. The band is \u00b1${NEAR} %; dotted: not run yet.`);
  const rows = list.map(p => ({name: p.text, lanes: [[Object.assign({
    info: () => ({title: p.text, value: p.measured == null ? "not run" : `${plot.number(p.measured)} (published ${plot.number(p.published)})`,
      lines: [["figure", p.figure.title], ["difference", p.far == null ? "" : plot.percent(p.far)], ["what it is", p.metric || ""]],
      command: p.figure.command}),
    colour: p.far != null && Math.abs(p.far) <= NEAR ? plot.colour(2) : plot.colour(3)},
    p.far == null ? {gap: true} : {from: 0, to: p.far})]]}));
  plot.panels(card, plot.rows, [{rows, one: 0, holds: [-10, 10], band: [-NEAR, NEAR], label: "per cent from the published number",
    format: v => v > 0 ? `+${v}` : String(v).replace("-", "\u2212")}]);
};

const coverage = to => {
  if (!figures.list.length) return;
  const card = to.append("div").attr("class", "card");
  card.append("h3").text("Bars measured");
  card.append("p").attr("class", "soft").text("Bars of each figure that have been run at full size, and those that have not.");
  const rows = figures.list.map(f => {
    const bars = f.bars.filter(b => b.drawn), there = bars.filter(b => figures.value(b) != null).length;
    const info = (n, what) => () => ({title: f.title, value: `${n} of ${bars.length} bars ${what}`, lines: [["data", f.source]], command: f.command});
    const lane = [];
    if (there) lane.push({from: 0, to: there, colour: plot.colour(0), info: info(there, "measured")});
    if (there < bars.length) lane.push({from: there, to: bars.length, colour: "var(--grid)", info: info(bars.length - there, "not run")});
    return {name: f.title.replace(/^(Figure \d+): .*/, "$1").replace(/^Numbers of the text: /, ""), lanes: [lane]};
  });
  plot.panels(card, plot.rows, [{rows, holds: [0], label: "bars"}]);
};

// The final design, programs from the largest gain to the least: what an architect asks first.
const gains = to => {
  const f = figures.list.find(g => g.id === "fig14"), q = f ? f.points.indexOf("MRPB") : -1;
  if (q < 0) return;
  const card = to.append("div").attr("class", "card");
  card.append("h3").text("What the final design gains");
  card.append("p").attr("class", "soft").text("SM cycles of the baseline over those with MRPB, each program on both baselines, logarithmic.");
  const of = f.bars.filter(b => b.point === q), programs = [...new Set(of.map(b => b.program))];
  const most = p => d3.max(of.filter(b => b.program === p), b => figures.value(b)) || 0;
  const rows = programs.sort((a, b) => most(b) - most(a)).map(p => ({name: p, lanes: ["s", "l"].map((base, i) =>
    of.filter(b => b.program === p && b.base === base).map(b => figures.value(b) == null ?
      {gap: true, colour: plot.colour(i), info: figures.info(f, b)} :
      {from: 1, to: figures.value(b), colour: plot.colour(i), info: figures.info(f, b)}))}));
  plot.legend(card, ["Base-S", "Base-L"], new Set(), () => {}, rows.some(r => r.lanes.some(l => l.some(m => m.gap))));
  plot.panels(card, plot.rows, [{rows, one: 1, holds: [1], log: true, label: "speed over the base cache"}]);
};

overview.section = to => {
  if (Object.keys(report).length === 3 && !report.sweeps.length && !report.estimates.length)
    to.append("p").text("The current folder has no data for a report: mrpb report --help names the files that it looks for.");
  tiles(to.append("div").attr("class", "tiles"));
  const two = to.append("div").attr("class", "two"), left = two.append("div"), right = two.append("div");
  differences(left);
  coverage(left);
  gains(right);
};
