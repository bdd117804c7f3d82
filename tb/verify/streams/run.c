/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/run.h"

#include "base/hash.h"
#include "base/json_out.h"
#include "base/sizes.h"
#include "bits.h"
#include "verify/streams/report.h"
#include "verify/streams/wave.h"
#include "verify/twice/ports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { INTERRUPTED = 130, REPEAT = 2048 };

/* A design with what is known of it, or, without Verilog, a C model. */
typedef struct {
  const streams_command_t *c;
  rtl_from_t from;
  const char *map; /* as given */
  twice_ports_t ports;
  rtl_env_t *env;
  rtl_lib_t *lib;
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  char called[MAP_NAME], stimulus[64];
  streams_names_t names;
  streams_spec_t spec[STREAMS_MOST];
  unsigned n;
} design_side_t;

typedef struct {
  design_side_t side[2];
  pair_t pair;
  char repeat[REPEAT];
} run_t;

static int bad(mrpb_err_t *err, const char *text) {
  return mrpb_fail(err, "%s", text), RTL_BAD_INPUT;
}

/* ---- names ------------------------------------------------------------------------------------ */

static void add_port(streams_names_t *n, const char *name, bool input, unsigned bit,
                     unsigned width) {
  streams_port_t *p = &n->port[n->n_ports++];
  *p = (streams_port_t){.input = input, .bit = bit, .width = width};
  snprintf(p->name, sizeof p->name, "%s", name);
}

/* The ports of a design by their own names: bits of in_i and out_o. */
static void their_names(streams_names_t *n, const twice_ports_t *p, const bind_t *bind) {
  const unsigned in = 64 * offsetof(twice_in_t, in_i) / sizeof(uint64_t);
  const unsigned out = 64 * offsetof(twice_out_t, out_o) / sizeof(uint64_t);
  for (unsigned i = 0; i < p->n_ports; i++)
    add_port(n, p->port[i].name, p->port[i].input, (p->port[i].input ? in : out) + p->port[i].lsb,
             p->port[i].width);
  if (!bind->in_unused[0])
    add_port(n, "srst_ni", true, 64 * offsetof(twice_in_t, srst_ni) / sizeof(uint64_t), 1);
}

static void our_names(streams_names_t *n, const bind_t *bind) {
  for (unsigned i = 0; i < bind->cls->n_in; i++)
    add_port(n, bind->in[i].name, true, 64 * bind->in[i].word, bind->in[i].width);
  for (unsigned i = 0; i < bind->cls->n_out; i++)
    if (bind->output[i].there)
      add_port(n, bind->out[i].name, false, 64 * bind->out[i].word, bind->out[i].width);
}

static int find_streams(design_side_t *d, const bind_t *bind, mrpb_err_t *err) {
  d->names = (streams_names_t){.bind = bind, .theirs = d->cls == &twice_class};
  if (d->names.theirs)
    their_names(&d->names, &d->ports, bind);
  else
    our_names(&d->names, bind);
  snprintf(d->called, sizeof d->called, "%s", bind->called);
  return streams_spec(d->spec, &d->n, &d->names, err);
}

static side_t side_of(design_side_t *d, unsigned number) {
  return (side_t){.called = d->called,
                  .cls = d->cls,
                  .cfg = d->cfg,
                  .table = d->lib ? rtl_lib_table(d->lib) : NULL,
                  .number = number,
                  .names = &d->names,
                  .spec = d->spec,
                  .n = d->n};
}

/* ---- the designs ------------------------------------------------------------------------------ */

/* The stimulus under which the builds of the design are compared: its own streams. */
static int record(const rtl_recording_t *r, twice_stimulus_t *to, mrpb_err_t *err) {
  design_side_t *d = r->ctx;
  if (find_streams(d, rtl_lib_bind(r->lib), err) != 0) return -1;
  side_t side = side_of(d, 1);
  side.table = rtl_lib_table(r->lib);
  int rc = side_open(&side, err);
  if (rc == 0) rc = pair_record(&side, d->c->seed, to, err);
  side_close(&side);
  return rc;
}

static int take_sizes(design_side_t *d, mrpb_err_t *err) {
  module_defaults(d->cls, d->cfg);
  for (unsigned i = 0; i < d->c->n_sets; i++) {
    mrpb_err_t why = {""};
    if (sizes_set(d->cls, d->cfg, d->c->set[i], &why) != 0)
      return mrpb_fail(err, "--set %s", why.text);
  }
  return d->cls->check(d->cfg, err);
}

/* A design without a module of ours gets a map with all of its ports. */
static int any_module(design_side_t *d, mrpb_err_t *err) {
  rtl_env_t *env = NULL;
  int rc = rtl_env_open_source(&env, &d->from, err);
  if (rc == RTL_OK) rc = twice_ports(&d->ports, env, d->from.design.map, err);
  rtl_env_close(env);
  d->cls = &twice_class;
  memcpy(d->cfg, &d->ports.cfg, sizeof d->ports.cfg);
  d->from.design.map_said = d->from.design.map;
  d->from.design.map = d->ports.map;
  return rc;
}

static int open_design(design_side_t *d, const char *module, mrpb_err_t *err) {
  uint64_t key = d->c->seed;
  if (hash_file(&key, d->map, err) != 0) return RTL_BAD_INPUT;
  if (module && !(d->cls = sizes_module(module, err))) return RTL_BAD_INPUT;
  if (module && take_sizes(d, err) != 0) return RTL_BAD_INPUT;
  int rc = module ? RTL_OK : any_module(d, err);
  if (rc == RTL_OK) rc = rtl_env_open(&d->env, &d->from, d->c->progress, err);
  if (rc != RTL_OK) return rc;
  snprintf(d->stimulus, sizeof d->stimulus, "streams %016" PRIx64, key);
  rtl_env_set_patience(d->env, (unsigned)d->c->hang);
  rtl_env_set_stimulus(d->env, &(rtl_stimulus_t){.name = d->stimulus, .record = record, .ctx = d});
  rc = rtl_lib_open(&d->lib, d->env, d->cls, d->cfg, err);
  if (rc != RTL_OK) return rc;
  return find_streams(d, rtl_lib_bind(d->lib), err) == 0 ? RTL_OK : RTL_BAD_INPUT;
}

/* The module of ours that a design's map names. */
static int find_module(const rtl_from_t *from, char module[MAP_NAME], mrpb_err_t *err) {
  map_t map;
  module[0] = '\0';
  int rc = from->design.map
               ? map_read(&map, from->design.map, err)
               : mrpb_fail(err, "which streams? legal: --map FILE with `stream` lines");
  if (rc != 0) return RTL_BAD_INPUT;
  const map_statement_t *s = map_one(&map, MAP_MODULE);
  if (s) snprintf(module, MAP_NAME, "%s", s->name);
  for (unsigned i = 0; i < map.n && rc == 0; i++) {
    const map_kind_t kind = map.statement[i].kind;
    if (kind == MAP_ASSUME || kind == MAP_LATE || kind == MAP_WHEN || kind == MAP_AFTER)
      rc = map_fail(&map, &map.statement[i], err,
                    "assume, late, when, after compare cycles; legal: none of them in a map with "
                    "streams");
  }
  map_free(&map);
  return rc == 0 ? RTL_OK : RTL_BAD_INPUT;
}

/* The reference is the C model of the module that the map names. */
static void c_model(design_side_t *ref, const design_side_t *d) {
  ref->cls = d->cls;
  memcpy(ref->cfg, d->cfg, sizeof ref->cfg);
  ref->names = d->names;
  ref->n = d->n;
  memcpy(ref->spec, d->spec, sizeof ref->spec);
  snprintf(ref->called, sizeof ref->called, "%s in C", d->cls->stem);
}

static int open_sides(run_t *r, const streams_command_t *c, mrpb_err_t *err) {
  char module[MAP_NAME], other[MAP_NAME] = "";
  design_side_t *ref = &r->side[0], *d = &r->side[1];
  *ref = (design_side_t){.c = c, .from = c->ref, .map = c->ref.design.map};
  *d = (design_side_t){.c = c, .from = c->from, .map = c->from.design.map};
  ref->from.design.streams = d->from.design.streams = true;
  const bool given = design_given(&c->ref.design);
  if (!design_given(&c->from.design))
    return bad(err, "which module? legal: its files, -f LIST, --map FILE");
  int rc = find_module(&d->from, module, err);
  if (rc == RTL_OK && given) rc = find_module(&ref->from, other, err);
  if (rc != RTL_OK) return rc;
  if (given == (*module != '\0') || *other)
    return bad(err,
               "which reference? legal: a line `module OURS` in the map of --map, or --ref FILE "
               "--ref-map FILE, not both");
  if (given && c->n_sets) return bad(err, "--set is for a module of ours; legal: `param` in a map");
  rc = open_design(d, *module ? module : NULL, err);
  if (rc == RTL_OK && given) rc = open_design(ref, NULL, err);
  if (rc == RTL_OK && !given) c_model(ref, d);
  if (rc == RTL_OK &&
      streams_spec_same(ref->spec, ref->n, d->spec, d->n, d->names.bind->map, err) != 0)
    rc = RTL_BAD_INPUT;
  return rc;
}

/* ---- the run ---------------------------------------------------------------------------------- */

static int hold(run_t *r, const char *text, mrpb_err_t *err) {
  const char *at = strchr(text, '=');
  const size_t n = at ? (size_t)(at - text) : 0;
  char *end = NULL;
  const uint64_t value = at ? strtoull(at + 1, &end, 0) : 0;
  bool found = false;
  if (!at || end == at + 1 || *end || at[1] == '-')
    return mrpb_fail(err, "--hold %.80s; legal: PORT=NUMBER", text);
  for (unsigned s = 0; s < 2; s++) {
    side_t *side = &r->pair.side[s];
    for (unsigned i = 0; i < side->names->n_ports; i++) {
      const streams_port_t *p = &side->names->port[i];
      if (!p->input || strlen(p->name) != n || strncmp(p->name, text, n) != 0) continue;
      if (streams_uses(side->spec, side->n, p) || (int)i == side->reset)
        return mrpb_fail(err, "--hold %s: legal: an input that no stream uses", text);
      if (p->width < 64 && value >> p->width)
        return mrpb_fail(err, "--hold %s: legal: 0 to %" PRIu64, text,
                         (UINT64_C(1) << p->width) - 1);
      words_put(side->held, p->bit, p->width < 64 ? p->width : 64, value);
      found = true;
    }
  }
  return found ? 0 : mrpb_fail(err, "--hold %.80s: no such input", text);
}

/* The inputs that nothing drives: a second clock is one of them. */
static void name_idle(const side_t *s, char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < s->names->n_ports && n < size; i++) {
    const streams_port_t *p = &s->names->port[i];
    if (!p->input || (int)i == s->reset || streams_uses(s->spec, s->n, p)) continue;
    if (words_get(s->held, p->bit, p->width < 64 ? p->width : 64) != 0) continue;
    n += (size_t)snprintf(text + n, size - n, "%s%s", n ? ", " : "; it has 0 at the inputs ",
                          p->name);
  }
}

static int nothing_compared(const pair_t *b, mrpb_err_t *err) {
  char idle[160];
  name_idle(&b->side[1], idle, sizeof idle);
  for (unsigned i = 0; i < b->side[0].n; i++)
    if (!b->side[0].spec[i].enters && b->match[i].compared == 0)
      return mrpb_fail(err,
                       "stream %s: no item passed, so nothing was compared%s; legal: more "
                       "--cycles, or a map in which it moves, by one clock",
                       b->side[0].spec[i].name, idle);
  return 0;
}

/* Prints the mismatch, and looks for its shortest case. Takes over what it says for `*json`. */
static int mismatch(run_t *r, const streams_command_t *c, json_t **json, mrpb_err_t *err) {
  pair_t *b = &r->pair;
  const streams_report_t report = {c->out, r->repeat};
  shorter_t s = {.tried = 0};
  json_out_set(json, "mismatch", streams_json_mismatch(b));
  streams_report_mismatch(&report, b);
  streams_report_repeat(&report, b);
  if (c->no_shorter) return 0;
  fflush(c->out);
  const int rc = shorter(b, &s, err);
  if (rc == 0)
    fprintf(c->out, "  %-12sno: its last episodes alone do not lead to it\n", "shortened");
  int good = rc < 0 ? -1 : 0;
  if (rc == 1) good = streams_report_shorter(&report, b, &s, err);
  if (rc == 1 && good == 0) json_out_set(json, "shorter", streams_json_shorter(b, &s));
  if (rc == 1 && good == 0 && c->vcd) good = streams_wave(c->vcd, b, &s.script, err);
  if (rc == 1 && good == 0 && c->vcd) fprintf(c->out, "  %-12sgtkwave %s\n", "wave", c->vcd);
  script_close(&s.script);
  return good;
}

static int verdict(run_t *r, const streams_command_t *c, mrpb_err_t *err) {
  pair_t *b = &r->pair;
  const streams_report_t report = {c->out, r->repeat};
  const bool stopped = c->stop && c->stop();
  bool known = true;
  *c->json = streams_json(b);
  if (pair_broken(b)) return mismatch(r, c, c->json, err) == 0 ? 1 : RTL_BAD_INPUT;
  if (nothing_compared(b, err) != 0) return RTL_BAD_INPUT;
  for (unsigned s = 0; s < 2; s++)
    known &= !r->side[s].lib || *rtl_lib_unknown(r->side[s].lib) == '\0';
  streams_report_matched(&report, b,
                         !known    ? "FAILED, but matched"
                         : stopped ? "interrupted, but matched"
                                   : "matched");
  for (unsigned s = 2; s-- > 0;)
    if (r->side[s].lib) (void)rtl_lib_say(r->side[s].lib, c->out);
  return !known ? 1 : stopped ? INTERRUPTED : 0;
}

static void write_repeat(run_t *r, const streams_command_t *c) {
  size_t n = (size_t)snprintf(r->repeat, REPEAT, "%s streams%s", c->program,
                              rtl_env_options(r->side[1].env));
  const design_args_t *ref = &c->ref.design;
  for (unsigned i = 0; i < ref->n_words && n < REPEAT; i++)
    n += (size_t)snprintf(r->repeat + n, REPEAT - n, " --ref %s", ref->word[i]);
  if (ref->map && n < REPEAT)
    n += (size_t)snprintf(r->repeat + n, REPEAT - n, " --ref-map %s", ref->map);
  if (ref->top && n < REPEAT)
    n += (size_t)snprintf(r->repeat + n, REPEAT - n, " --ref-top %s", ref->top);
  for (unsigned i = 0; i < c->n_sets && n < REPEAT; i++)
    n += (size_t)snprintf(r->repeat + n, REPEAT - n, " --set %s", c->set[i]);
  for (unsigned i = 0; i < c->n_holds && n < REPEAT; i++)
    n += (size_t)snprintf(r->repeat + n, REPEAT - n, " --hold %s", c->hold[i]);
  if (n < REPEAT) snprintf(r->repeat + n, REPEAT - n, " --seed %" PRIu64, c->seed);
}

static int compare(run_t *r, const streams_command_t *c, mrpb_err_t *err) {
  pair_t *b = &r->pair;
  hang_t hang;
  int rc = 0;
  *b = (pair_t){.seed = c->seed, .cycles = c->cycles, .patience = c->patience, .stop = c->stop};
  for (unsigned s = 0; s < 2; s++) b->side[s] = side_of(&r->side[s], s);
  for (unsigned s = 0; s < 2 && rc == 0; s++) rc = side_open(&b->side[s], err);
  for (unsigned i = 0; i < c->n_holds && rc == 0; i++) rc = hold(r, c->hold[i], err);
  write_repeat(r, c);
  if (rc == 0) {
    b->hang = &hang;
    hang_watch(&hang, r->side[1].called, &b->cycle, (unsigned)c->hang);
    rc = pair_run(b, err) == 0 ? verdict(r, c, err) : RTL_BAD_INPUT;
    hang_end(&hang);
  } else {
    rc = RTL_BAD_INPUT;
  }
  pair_close(b);
  return rc;
}

int streams_command(const streams_command_t *c, mrpb_err_t *err) {
  run_t *r = calloc(1, sizeof *r);
  if (!r) return bad(err, "out of memory");
  int rc = open_sides(r, c, err);
  if (rc == RTL_OK) rc = compare(r, c, err);
  for (unsigned s = 0; s < 2; s++) {
    rtl_lib_close(r->side[s].lib);
    rtl_env_close(r->side[s].env);
  }
  free(r);
  return rc;
}
