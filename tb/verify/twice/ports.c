/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/twice/ports.h"

#include "base/hash.h"
#include "base/memory_file.h"
#include "base/output.h"
#include "verilog/build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WIDEST = 4096 };

typedef struct {
  twice_ports_t *p;
  const map_t *map;
  const describe_t *design;
  const char *top;
  char *text; /* text of the map */
  size_t size;
  FILE *out; /* written to the map */
} job_t;

/* True if one of the user's lines concerns this port of the design. */
static bool said(const map_t *m, const char *port, map_kind_t kind) {
  for (unsigned i = 0; i < m->n; i++) {
    const map_statement_t *s = &m->statement[i];
    const char *name = kind == MAP_IN && s->to ? s->to->name : s->name;
    if (s->kind == kind && strcmp(name, port) == 0) return true;
  }
  return false;
}

static bool clock_or_reset(const job_t *j, const char *port) {
  return said(j->map, port, MAP_CLOCK) || said(j->map, port, MAP_RESET) ||
         strcmp(port, "clk_i") == 0 || strcmp(port, "srst_ni") == 0;
}

/* Adds the leaves of a type, from its lowest bit on. */
static void add_fields(job_t *j, int type, unsigned lsb) {
  const type_t *t = describe_type(j->design, type);
  const unsigned width = describe_width(j->design, type);
  twice_ports_t *p = j->p;
  const unsigned each = t->kind == TYPE_PACKED ? describe_width(j->design, t->of) : 0;
  if (t->kind == TYPE_STRUCT) {
    for (unsigned i = t->n; i-- > 0;) {
      const int member = describe_member(j->design, t, i)->type;
      add_fields(j, member, lsb);
      lsb += describe_width(j->design, member);
    }
  } else if (each > 1) {
    for (unsigned at = 0; at < width; at += each) add_fields(j, t->of, lsb + at);
  } else if (p->n_fields < TWICE_FIELDS) {
    p->field[p->n_fields++] =
        (twice_field_t){64 * offsetof(twice_in_t, in_i) / sizeof(uint64_t) + lsb, width};
  } else { /* no more room: the rest is one field */
    twice_field_t *last = &p->field[TWICE_FIELDS - 1];
    last->width += width;
  }
}

static void add_port(twice_ports_t *p, const decl_t *d, unsigned lsb, unsigned width) {
  if (p->n_ports == BIND_PORTS) return; /* bind_open refuses so many */
  twice_port_t *to = &p->port[p->n_ports++];
  *to = (twice_port_t){.input = d->kind == DECL_INPUT, .lsb = lsb, .width = width};
  snprintf(to->name, sizeof to->name, "%s", d->name);
}

static int add_input(job_t *j, const decl_t *d, unsigned *bits, mrpb_err_t *err) {
  const unsigned width = describe_width(j->design, d->type);
  if (clock_or_reset(j, d->name) || said(j->map, d->name, MAP_IN) || width == 0) return 0;
  if (*bits + width > WIDEST)
    return mrpb_fail(err, "%s: its inputs have more than %d bits; legal: fewer, `in %s = VALUE`",
                     j->top, (int)WIDEST, d->name);
  fprintf(j->out, "in %s = in_i[%u:%u]\n", d->name, *bits + width - 1, *bits);
  add_fields(j, d->type, *bits);
  add_port(j->p, d, *bits, width);
  *bits += width;
  j->p->n_in++;
  return 0;
}

static int add_ports(job_t *j, mrpb_err_t *err) {
  twice_ports_t *p = j->p;
  unsigned in = 0, out = 0;
  bool reset = false;
  const decl_t *d;
  for (unsigned i = 0; (d = describe_item(j->design, j->top, i)); i++) {
    if (d->kind == DECL_INPUT && add_input(j, d, &in, err) != 0) return -1;
    if (d->kind == DECL_INPUT)
      reset |= strcmp(d->name, "srst_ni") == 0 || said(j->map, d->name, MAP_RESET);
  }
  for (unsigned i = 0; (d = describe_item(j->design, j->top, i)); i++) {
    if (d->kind != DECL_OUTPUT) continue;
    const unsigned width = describe_width(j->design, d->type);
    fprintf(j->out, "%s%s", p->n_out++ ? ", " : "out out_o = {", d->name);
    for (unsigned k = 0; k < p->n_ports; k++) /* the first one is highest */
      if (!p->port[k].input) p->port[k].lsb += width;
    add_port(p, d, 0, width);
    out += width;
  }
  if (out == 0) return mrpb_fail(err, "%s: no output: there is nothing to compare", j->top);
  if (out > WIDEST)
    return mrpb_fail(err, "%s: its outputs have %u bits; legal: at most %d", j->top, out,
                     (int)WIDEST);
  fprintf(j->out, "}\n%s%s", in ? "" : "none in_i\n", reset ? "" : "none srst_ni\n");
  p->cfg = (twice_cfg_t){in ? in : 1, out};
  return 0;
}

/* Names the map by a hash of its contents, next to the files built with it. */
static int write_map(job_t *j, const char *cache, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  const uint64_t key = hash_text(HASH_START, j->text);
  if (!files_path(j->p->map, "%s/twice-%016llx.map", cache, (unsigned long long)key))
    return mrpb_fail(err, "%s: the path is too long", cache);
  FILE *f = output_open(j->p->map, temp, err);
  if (!f) return -1;
  fputs(j->text, f);
  return output_close(f, ferror(f) != 0, j->p->map, temp, err);
}

int twice_ports(twice_ports_t *p, const rtl_env_t *env, const char *given, mrpb_err_t *err) {
  describe_t *design = NULL;
  struct stat st;
  *p = (twice_ports_t){.cfg = {1, 1}};
  if (given && (stat(given, &st) != 0 || !S_ISREG(st.st_mode)))
    return mrpb_fail(err, "--map %s: legal: a file, which is read twice", given), RTL_BAD_INPUT;
  int rc = rtl_env_describe(&design, env, &twice_class, (const uint32_t *)&p->cfg, err);
  if (rc != RTL_OK) return rc;
  job_t j = {.p = p, .map = rtl_env_map(env), .design = design, .top = rtl_env_top(env)};
  char *users = given ? files_read(given, NULL) : NULL;
  j.out = memory_file(&j.text, &j.size);
  rc = j.out ? RTL_OK : (mrpb_fail(err, "out of memory"), RTL_BAD_TOOL);
  if (j.out) {
    fprintf(j.out, "%s\n", users ? users : "");
    if (add_ports(&j, err) != 0) rc = RTL_BAD_INPUT;
    if (fclose(j.out) != 0 && rc == RTL_OK) rc = (mrpb_fail(err, "out of memory"), RTL_BAD_TOOL);
  }
  if (rc == RTL_OK && write_map(&j, rtl_env_cache(env), err) != 0) rc = RTL_BAD_INPUT;
  free(users);
  free(j.text);
  describe_close(design);
  return rc;
}
