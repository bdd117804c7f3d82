/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/timing.h"

#include "base/json_out.h"
#include "module.h"

#include <string.h>

/* A corner of a row, with or without wires. */
typedef struct {
  const liberty_t *lib;
  double wire_ff;
  const sta_view_t *view;
} seen_t;

enum { VIEWS = 2 * LOGIC_VIEWS };

/* All views of a row: each corner without wires, then with. */
static unsigned views_of(const timing_row_t *row, seen_t seen[VIEWS]) {
  const logic_job_t *job = row->job;
  for (unsigned i = 0; i < job->n_corners; i++) {
    const sta_corner_t *c = &row->result->corner[i];
    seen[2 * i] = (seen_t){job->corner[i].lib, 0, &c->bare};
    seen[2 * i + 1] = (seen_t){job->corner[i].lib, job->wire_ff, &c->wired};
  }
  return 2 * job->n_corners;
}

static bool asks_l1(const timing_row_t *row) {
  return row->result->corner[0].bare.ns[STA_ANSWER] >= 0;
}

/* The cycles between a request and its answer. */
static uint32_t answer_of(const timing_row_t *row) {
  const synth_job_t *s = &row->job->synth;
  return s->cls ? module_option(s->cls, s->cfg, "ANSWER") : 0;
}

/* The answer's arrival in the cycle in which the L1 gives it. */
static double answer_at(const timing_row_t *row, const sta_view_t *v,
                        const logic_surroundings_t *around) {
  return around->l1.value + (answer_of(row) == 0 ? v->ns[STA_REQUEST] : 0);
}

static void longer(timing_need_t *need, const sta_view_t *v, sta_kind_t kind, double outside,
                   const char *by) {
  if (v->ns[kind] >= 0 && v->ns[kind] + outside > need->ns)
    *need = (timing_need_t){v->ns[kind] + outside, by, v->from[kind], v->to[kind]};
}

timing_need_t timing_need(const timing_row_t *row, const sta_view_t *v,
                          const logic_surroundings_t *around) {
  timing_need_t need = {-1, "", "", ""};
  const double in = around->input.value, out = around->output.value;
  longer(&need, v, STA_REG, 0, "between registers");
  longer(&need, v, STA_IN, in, "from an input");
  longer(&need, v, STA_OUT, out, "to an output");
  longer(&need, v, STA_ACROSS, in + out, "from an input to an output");
  if (!around->l1.stated) {
    longer(&need, v, STA_ANSWER, in, "from the L1's answer");
  } else if (answer_of(row) > 0) {
    longer(&need, v, STA_ANSWER, answer_at(row, v, around), "from the L1's answer");
  } else {
    const double before = need.ns;
    longer(&need, v, STA_ANSWER, answer_at(row, v, around), "by way of the L1");
    if (need.ns > before) need.from = v->from[STA_REQUEST];
  }
  return need;
}

double timing_left(const timing_row_t *row, const timing_need_t *need,
                   const logic_surroundings_t *around) {
  return 1 / row->clock_ghz - around->uncertainty.value - need->ns;
}

/* ---- text ---- */

static const char *proof_of(const flow_t *f, const timing_row_t *row) {
  if (!row->job->synth.cls) return "not ours";
  return f->opt->prove ? row->result->proof : "not proved: --no-prove";
}

static void timing_put_areas(FILE *md, const flow_t *f, const timing_row_t *row, unsigned n) {
  fprintf(md,
          "| module | cells um2 | NAND2s | flip-flops | AIG nodes / levels | placed um2 at "
          "utilisation %g | memories um2 | netlist = C model |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
          flow_utilisation(f));
  for (unsigned i = 0; i < n; i++) {
    const logic_result_t *r = row[i].result;
    fprintf(md, "| %s | %.0f | %.0f | %u | %u / %u | %.0f |", row[i].label, r->synth.area_um2,
            r->nand2, r->synth.flops, r->synth.aig_nodes, r->synth.aig_levels,
            r->synth.area_um2 / flow_utilisation(f));
    if (row[i].job->synth.n_srams == 0)
      fputs(" - |", md);
    else if (r->macro_area_um2 > 0)
      fprintf(md, " %.0f |", r->macro_area_um2);
    else
      fputs(" not known |", md);
    fprintf(md, " %s |\n", proof_of(f, &row[i]));
  }
}

static void put_ns(FILE *md, double ns) {
  if (ns >= 0)
    fprintf(md, " %.3f |", ns);
  else
    fputs(" - |", md);
}

static void put_delays(FILE *md, const flow_t *f, const timing_row_t *row, unsigned k,
                       const seen_t *s) {
  const sta_view_t *v = s->view;
  static const logic_surroundings_t ideal;
  const timing_need_t need = timing_need(row, v, &f->opt->around);
  const timing_need_t inside = timing_need(row, v, &ideal);
  const double fo4 = k < 2 ? f->fo4_ns : f->corner_fo4_ns[k / 2 - 1];
  fprintf(md, "| %s | %s | %g |", row->label, s->lib->corner, s->wire_ff);
  put_ns(md, v->ns[STA_REG]);
  put_ns(md, v->ns[STA_IN] > v->ns[STA_ANSWER] ? v->ns[STA_IN] : v->ns[STA_ANSWER]);
  put_ns(md, v->ns[STA_OUT]);
  put_ns(md, v->ns[STA_ACROSS]);
  put_ns(md, need.ns);
  if (need.ns < 0)
    fputs(" - | - | - |\n", md);
  else
    fprintf(md, " %s | %.1f | %+.3f |\n", need.by, inside.ns / fo4,
            timing_left(row, &need, &f->opt->around));
}

static void timing_put_delays(FILE *md, const flow_t *f, const timing_row_t *row, unsigned n) {
  fputs(
      "\nDelays inside in ns, of one netlist in each row. \"Needs\" is the longest path with what "
      "is outside; \"left\" is what\nthe clock's period and its uncertainty leave:\n\n"
      "| module | corner | wire fF | register to register | input to register | register to "
      "output | input to output | needs | by its path | FO4s inside | left |\n"
      "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: |\n",
      md);
  for (unsigned i = 0; i < n; i++) {
    seen_t seen[VIEWS];
    const unsigned views = views_of(&row[i], seen);
    for (unsigned k = 0; k < views; k++) put_delays(md, f, &row[i], k, &seen[k]);
  }
}

static void put_loop_row(FILE *md, const timing_row_t *row, const seen_t *s,
                         const logic_surroundings_t *around) {
  const sta_view_t *v = s->view;
  const double sum = answer_at(row, v, around) + v->ns[STA_ANSWER];
  const double left = 1 / row->clock_ghz - around->uncertainty.value - sum;
  fprintf(md, "| %s, ANSWER %u | %s | %g |", row->label, answer_of(row), s->lib->corner,
          s->wire_ff);
  put_ns(md, v->ns[STA_REQUEST]);
  if (around->l1.stated)
    fprintf(md, " %.3f |", around->l1.value);
  else
    fputs(" not stated |", md);
  put_ns(md, v->ns[STA_ANSWER]);
  put_ns(md, sum);
  fprintf(md, " %+.3f |\n", left);
}

/* The request of an MRPB to its L1, and the answer: a loop through both. */
static void timing_put_loop(FILE *md, const flow_t *f, const timing_row_t *row, unsigned n) {
  const logic_surroundings_t *around = &f->opt->around;
  bool any = false;
  for (unsigned i = 0; i < n; i++) {
    seen_t seen[VIEWS];
    if (!asks_l1(&row[i])) continue;
    if (!any)
      fprintf(
          md,
          "\nThe loop MRPB -> L1 -> MRPB in ns. With ANSWER 0 the request, the L1 and the "
          "answer are in one cycle.\nWith ANSWER above 0 the L1 has registers between: its "
          "answer comes after the last of them. %s\n\n"
          "| module | corner | wire fF | register to request | L1 | answer to register | sum in "
          "the answer's cycle | left at %g GHz |\n"
          "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
          around->l1.stated ? "The L1's time is `--l1-answer`."
                            : "What is left is for the L1: `--l1-answer` states its time.",
          row[i].clock_ghz);
    any = true;
    const unsigned views = views_of(&row[i], seen);
    for (unsigned k = 0; k < views; k++) put_loop_row(md, &row[i], &seen[k], around);
  }
}

/* The options that a verdict needs and that are missing: "`--input-delay`, `--uncertainty`". */
static void unstated(const timing_row_t *row, const logic_surroundings_t *a, char text[128]) {
  const struct {
    bool needed;
    const char *option;
  } all[] = {{!a->input.stated, "`--input-delay`"},
             {!a->output.stated, "`--output-delay`"},
             {!a->uncertainty.stated, "`--uncertainty`"},
             {!a->wire.stated, "`--wire`"},
             {asks_l1(row) && !a->l1.stated, "`--l1-answer`"}};
  text[0] = '\0';
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    const size_t at = strlen(text);
    if (all[i].needed) snprintf(text + at, 128 - at, "%s%s", at ? ", " : "", all[i].option);
  }
}

static bool timeless_memory(const timing_row_t *row) {
  const synth_job_t *s = &row->job->synth;
  for (unsigned i = 0; i < s->n_srams; i++)
    if (s->sram[i].access_ns <= 0) return true;
  return false;
}

/* The verdict at one corner with the stated wires. What does not even close without wires needs
 * nothing stated. */
static const char *verdict_at(const timing_row_t *row, const sta_corner_t *c,
                              const logic_surroundings_t *around, const char *missing) {
  const timing_need_t bare = timing_need(row, &c->bare, around);
  const timing_need_t wired = timing_need(row, &c->wired, around);
  if (bare.ns < 0) return "has no path";
  if (timing_left(row, &bare, around) < 0) return "does not close";
  if (missing[0] || timeless_memory(row)) return "no verdict";
  return timing_left(row, &wired, around) < 0 ? "does not close" : "closes";
}

static void put_left(FILE *md, double ns) {
  fprintf(md, ns >= 0 ? "%.3f ns left" : "%.3f ns short", ns >= 0 ? ns : -ns);
}

/* "with wires 0.020 ns left (between registers, `pick_q[5]` to `pick_q[1]`, 0.830 ns)". */
static void put_sides(FILE *md, const timing_row_t *row, const sta_corner_t *c,
                      const logic_surroundings_t *around) {
  const timing_need_t bare = timing_need(row, &c->bare, around);
  const timing_need_t wired = timing_need(row, &c->wired, around);
  fputs("without wires ", md);
  put_left(md, timing_left(row, &bare, around));
  fputs(", with wires ", md);
  put_left(md, timing_left(row, &wired, around));
  fprintf(md, " (%s, `%s` to `%s`, %.3f ns)", wired.by, wired.from, wired.to, wired.ns);
}

static void put_missing(FILE *md, const timing_row_t *row, const logic_surroundings_t *around) {
  char missing[128];
  unstated(row, around, missing);
  if (missing[0]) fprintf(md, " Not stated: %s.", missing);
  if (timeless_memory(row)) fputs(" The time of its memories is not known.", md);
}

/* True if what is left with wires is less than equivalent netlists differ by. */
static bool within_noise(const timing_row_t *row, const sta_corner_t *c,
                         const logic_surroundings_t *around) {
  const double noise = 0.1; /* docs/estimate/logic.md: of the period */
  const timing_need_t wired = timing_need(row, &c->wired, around);
  const double left = timing_left(row, &wired, around);
  return left >= 0 && left < noise * wired.ns;
}

void timing_put_verdict(FILE *md, const flow_t *f, const timing_row_t *row) {
  const logic_surroundings_t *around = &f->opt->around;
  const logic_result_t *r = row->result;
  char missing[128];
  bool open = false, narrow = false;
  if (r->synth.cells == 0 && row->job->synth.n_srams == 0) {
    fprintf(md, "- %s is wires alone: no cells, no delay.\n", row->label);
    return;
  }
  unstated(row, around, missing);
  fprintf(md, "- %s:", row->label);
  for (unsigned i = 0; i < row->job->n_corners; i++) {
    const sta_corner_t *c = &r->corner[i];
    const char *verdict = verdict_at(row, c, around, missing);
    fprintf(md, "%s **%s** at corner %s", i ? ";" : "", verdict, row->job->corner[i].lib->corner);
    open = open || strcmp(verdict, "no verdict") == 0;
    narrow = narrow || (strcmp(verdict, "closes") == 0 && within_noise(row, c, around));
    if (timing_need(row, &c->bare, around).ns < 0) continue;
    fputs(": ", md);
    put_sides(md, row, c, around);
  }
  fputs(".", md);
  if (narrow) fputs(" What is left is less than the 10 % by which equivalent netlists differ.", md);
  if (open) put_missing(md, row, around);
  if (row->job->synth.cls) fprintf(md, " Netlist = C model: %s.", proof_of(f, row));
  fputs("\n", md);
}

void timing_put_around(FILE *md, const flow_t *f, const timing_row_t *row) {
  const logic_surroundings_t *a = &f->opt->around;
  const struct {
    const char *what;
    const logic_stated_t *v;
  } delays[] = {{"input delay", &a->input},
                {"output delay", &a->output},
                {"clock uncertainty", &a->uncertainty}};
  fprintf(md, "Clock %g GHz; wires %g fF a sink%s", row->clock_ghz, flow_wire(f),
          a->wire.stated ? "" : " (not stated)");
  for (unsigned i = 0; i < sizeof delays / sizeof *delays; i++)
    if (delays[i].v->stated)
      fprintf(md, "; %s %g ns", delays[i].what, delays[i].v->value);
    else
      fprintf(md, "; %s not stated, 0 here", delays[i].what);
  if (a->l1.stated) fprintf(md, "; the L1's answer %g ns", a->l1.value);
  fputs(
      ". These are the same at all corners; memories are\nscaled like an inverter. No clock tree, "
      "no scan, no hold times.\n",
      md);
}

static void timing_put_verdicts(FILE *md, const flow_t *f, const timing_row_t *row, unsigned n) {
  fputs("\nDoes it close before layout? ", md);
  timing_put_around(md, f, row);
  fputs("\n", md);
  for (unsigned i = 0; i < n; i++) timing_put_verdict(md, f, &row[i]);
}

void timing_put(FILE *md, const flow_t *f, const timing_row_t *row, unsigned n) {
  timing_put_areas(md, f, row, n);
  timing_put_verdicts(md, f, row, n);
  timing_put_loop(md, f, row, n);
  timing_put_delays(md, f, row, n);
}

/* ---- JSON ---- */

static json_t *view_json(const timing_row_t *row, const seen_t *s,
                         const logic_surroundings_t *around) {
  static const char *const names[STA_KINDS] = {"reg_ns",     "in_ns",      "out_ns",
                                               "through_ns", "request_ns", "answer_ns"};
  const timing_need_t need = timing_need(row, s->view, around);
  json_t *o = json_object();
  json_out_set(&o, "corner", json_string(s->lib->corner));
  json_out_set(&o, "wire_ff", json_real(s->wire_ff));
  for (unsigned k = 0; k < STA_KINDS; k++)
    if (s->view->ns[k] >= 0) json_out_set(&o, names[k], json_real(s->view->ns[k]));
  if (need.ns < 0) return o;
  json_out_set(&o, "need_ns", json_real(need.ns));
  json_out_set(&o, "by", json_string(need.by));
  json_out_set(&o, "from", json_string(need.from));
  json_out_set(&o, "to", json_string(need.to));
  json_out_set(&o, "left_ns", json_real(timing_left(row, &need, around)));
  return o;
}

json_t *timing_json(const flow_t *f, const timing_row_t *row) {
  const logic_surroundings_t *around = &f->opt->around;
  char missing[128];
  seen_t seen[VIEWS];
  const unsigned views = views_of(row, seen);
  json_t *o = json_object(), *list = json_array(), *verdicts = json_object();
  unstated(row, around, missing);
  for (unsigned k = 0; k < views; k++) json_out_append(&list, view_json(row, &seen[k], around));
  for (unsigned i = 0; i < row->job->n_corners; i++)
    json_out_set(&verdicts, row->job->corner[i].lib->corner,
                 json_string(verdict_at(row, &row->result->corner[i], around, missing)));
  json_out_set(&o, "clock_ghz", json_real(row->clock_ghz));
  json_out_set(&o, "corners", list);
  json_out_set(&o, "verdicts", verdicts);
  return o;
}
