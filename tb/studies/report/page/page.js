/* SPDX-License-Identifier: Apache-2.0 */
/* The page: its sections in order, the theme, and drawing again when the width changes. */
"use strict";
const sections = [
  {id: "runs", name: "Your runs", there: report.runs.length > 0, fill: runs.section,
    text: "What a run waited for, and which instruction, array, set, queue and bank that was. Hover, tap, or Tab and the arrow keys; a click holds it."},
  {id: "overview", name: "Overview", there: true, fill: overview.section,
    text: "Cycle-accurate models of GPU miss-handling structures, and the MRPB paper\u2019s experiments on them. Every mark says its value, what its configuration differs in and the command that makes it: hover, tap, or Tab and the arrow keys; a click holds it."},
  {id: "figures", name: "Figures", there: figures.list.length > 0, fill: figures.section,
    text: "The paper\u2019s figures, measured at full size. Bars begin at 1, the baseline: to the right is faster. A dotted stub is a run that has not been made, never a zero."},
  {id: "sweeps", name: "Sweeps", there: report.sweeps.length > 0, fill: sweeps.section, text: "Any key, statistic or the program on either axis; two keys make a map."},
  {id: "accuracy", name: "Accuracy", there: Boolean(report.accuracy), fill: others.accuracy,
    text: "Cycles beside GPGPU-Sim 3.2.0\u2019s, in four settings; nothing in the model is fitted to them."},
  {id: "cost", name: "Cost", there: Boolean(report.modules) || report.estimates.length > 0, fill: others.cost, text: "What the hardware costs: logic, time and storage."},
  {id: "studies", name: "GPUs", there: Boolean(report.studies), fill: others.studies,
    text: "Four studies\u2019 micro-benchmarks on models of these GPUs: what was deduced from measurement alone."}
].filter(s => s.there);

// ---- theme: the system's until the switch says otherwise ----
const dark = matchMedia("(prefers-color-scheme: dark)"), themes = ["auto", "dark", "light"];
const stored = () => { try { return localStorage.getItem("mrpb-theme"); } catch (e) { return null; } };
let theme = themes.includes(stored()) ? stored() : "auto";
const setTheme = () => {
  document.documentElement.dataset.theme = theme === "auto" ? (dark.matches ? "dark" : "light") : theme;
  d3.select("#theme").text(`theme: ${theme}`);
};
d3.select("#theme").on("click", () => {
  theme = themes[(themes.indexOf(theme) + 1) % themes.length];
  try { localStorage.setItem("mrpb-theme", theme); } catch (e) { /* a page from a file may have no storage */ }
  setTheme();
});
dark.addEventListener("change", setTheme);
setTheme();

// ---- sections ----
const main = d3.select("#main");
sections.forEach(s => {
  d3.select("#nav").append("a").attr("href", "#" + s.id).text(s.name);
  const at = main.append("section").attr("id", s.id);
  at.append("h2").text(s.name === "GPUs" ? "Studies of GPUs" : s.name);
  at.append("p").attr("class", "soft").text(s.text);
  s.box = at.append("div");
});
const drawAll = () => sections.forEach(s => { s.box.html(""); sweeps.redraw = []; s.fill(s.box); });
drawAll();
d3.select("#footer").text(`Made by mrpb report, version ${report.mrpb_version}. d3 is under the BSD licence of its author, Mike Bostock.`);

let width = innerWidth, timer = null;
addEventListener("resize", () => {
  if (innerWidth === width) return;
  width = innerWidth;
  clearTimeout(timer);
  timer = setTimeout(() => { pin(null); drawAll(); }, 150);
});
if (location.hash.length > 1) {
  const to = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (to) to.scrollIntoView();
}
