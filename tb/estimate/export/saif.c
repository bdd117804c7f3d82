/* SPDX-License-Identifier: Apache-2.0 */
/* Makes backward SAIF 2.0 of a VCD: of every bit below one instance, how long it was 0, 1 and
 * unknown, and how often it changed between 0 and 1. */
#include "estimate/export/state.h"

#include "base/waves/vcd_in.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A bit's history up to the time of its last change. */
typedef struct {
  uint64_t t0, t1, tx, tc, since;
  char value; /* '0', '1' or 'x' */
} bit_t;

typedef struct {
  vcd_in_t *vcd;
  FILE *f;
  unsigned n_ids;
  unsigned *width; /* by signal; 0: not below the instance */
  bit_t **bit;
  uint64_t end;
} saif_t;

static bool is_below(const char *scope, const char *instance) {
  const size_t n = strlen(instance);
  return strncmp(scope, instance, n) == 0 && (scope[n] == '\0' || scope[n] == '.');
}

/* Parameters and loop variables of a simulator are no nets. */
static bool is_net(const saif_t *s, const vcd_in_var_t *v, const char *instance) {
  return v->valued && is_below(vcd_in_scope(s->vcd, v->scope), instance);
}

static int watch(saif_t *s, const char *instance, mrpb_err_t *err) {
  const unsigned n = vcd_in_n_vars(s->vcd);
  for (unsigned i = 0; i < n; i++)
    if (vcd_in_var(s->vcd, i)->id >= s->n_ids) s->n_ids = vcd_in_var(s->vcd, i)->id + 1;
  s->width = calloc(s->n_ids + 1, sizeof *s->width);
  s->bit = calloc(s->n_ids + 1, sizeof *s->bit);
  if (!s->width || !s->bit) return mrpb_fail(err, "out of memory");
  for (unsigned i = 0; i < n; i++) {
    const vcd_in_var_t *v = vcd_in_var(s->vcd, i);
    if (!is_net(s, v, instance) || s->width[v->id]) continue;
    s->width[v->id] = v->width;
    s->bit[v->id] = calloc(v->width, sizeof **s->bit);
    if (!s->bit[v->id]) return mrpb_fail(err, "out of memory");
    for (unsigned b = 0; b < v->width; b++) s->bit[v->id][b].value = 'x';
    if (vcd_in_watch(s->vcd, v->id, err) != 0) return -1;
  }
  return 0;
}

static void settle(bit_t *b, uint64_t time) {
  *(b->value == '0' ? &b->t0 : b->value == '1' ? &b->t1 : &b->tx) += time - b->since;
  b->since = time;
}

static void take(saif_t *s, unsigned id, uint64_t time) {
  const uint64_t *ones = vcd_in_ones(s->vcd, id), *unknown = vcd_in_unknown(s->vcd, id);
  for (unsigned i = 0; i < s->width[id]; i++) {
    bit_t *b = &s->bit[id][i];
    const char now = unknown[i / 64] >> (i % 64) & 1 ? 'x'
                     : ones[i / 64] >> (i % 64) & 1  ? '1'
                                                     : '0';
    if (now == b->value) continue;
    settle(b, time);
    if (now != 'x' && b->value != 'x') b->tc++;
    b->value = now;
  }
}

static int count(saif_t *s, mrpb_err_t *err) {
  uint64_t time;
  int rc;
  while ((rc = vcd_in_step(s->vcd, &time, err)) == 1) {
    for (unsigned id = 0; id < s->n_ids; id++)
      if (s->width[id]) take(s, id, time);
    s->end = time;
  }
  for (unsigned id = 0; rc == 0 && id < s->n_ids; id++)
    for (unsigned i = 0; i < s->width[id]; i++) settle(&s->bit[id][i], s->end);
  return rc;
}

/* ---- the file ---- */

/* Characters with a meaning of their own are escaped. */
static void put_name(FILE *f, const char *name) {
  if (*name == '\\') name++; /* an escaped name of Verilog */
  for (; *name; name++) {
    if (strchr("[].()/\\$ ", *name)) fputc('\\', f);
    fputc(*name, f);
  }
}

static void put_nets(const saif_t *s, unsigned scope, int in) {
  fprintf(s->f, "%*s(NET\n", in, "");
  for (unsigned i = 0; i < vcd_in_n_vars(s->vcd); i++) {
    const vcd_in_var_t *v = vcd_in_var(s->vcd, i);
    if (v->scope != scope || !v->valued || !s->width[v->id]) continue;
    for (unsigned k = 0; k < v->width; k++) {
      const bit_t *b = &s->bit[v->id][k];
      const int low = v->msb < v->lsb ? v->msb : v->lsb;
      fprintf(s->f, "%*s(", in + 2, "");
      put_name(s->f, v->name);
      if (v->ranged) fprintf(s->f, "\\[%d\\]", low + (int)k);
      fprintf(s->f,
              " (T0 %" PRIu64 ") (T1 %" PRIu64 ") (TX %" PRIu64 ") (TC %" PRIu64 ") (IG 0))\n",
              b->t0, b->t1, b->tx, b->tc);
    }
  }
  fprintf(s->f, "%*s)\n", in, "");
}

static void put_instance(const saif_t *s, unsigned scope, const char *name, int in) {
  fprintf(s->f, "%*s(INSTANCE ", in, "");
  put_name(s->f, name);
  fputc('\n', s->f);
  put_nets(s, scope, in + 2);
  for (unsigned k = 1; k < vcd_in_n_scopes(s->vcd); k++) {
    if (k == scope || vcd_in_parent(s->vcd, k) != scope) continue;
    const char *full = vcd_in_scope(s->vcd, k);
    put_instance(s, k, full + strlen(vcd_in_scope(s->vcd, scope)) + 1, in + 2);
  }
  fprintf(s->f, "%*s)\n", in, "");
}

static int put_file(const saif_t *s, const char *instance, const char *design, mrpb_err_t *err) {
  for (unsigned k = 0; k < vcd_in_n_scopes(s->vcd); k++) {
    if (strcmp(vcd_in_scope(s->vcd, k), instance) != 0) continue;
    fprintf(s->f,
            "(SAIFILE\n  (SAIFVERSION \"2.0\")\n  (DIRECTION \"backward\")\n  (DESIGN \"%s\")\n"
            "  (VENDOR \"mrpb\")\n  (PROGRAM_NAME \"mrpb\")\n  (VERSION \"1\")\n  (DIVIDER / )\n"
            "  (TIMESCALE 1 ps)\n  (DURATION %" PRIu64 ")\n",
            design, s->end);
    put_instance(s, k, design, 2);
    fprintf(s->f, ")\n");
    return 0;
  }
  return mrpb_fail(err, "%s: no instance %s in it", vcd_in_path(s->vcd), instance);
}

int export_saif(const char *vcd, const char *scope, const char *design, FILE *f, mrpb_err_t *err) {
  saif_t s = {.f = f};
  if (vcd_in_open(&s.vcd, vcd, err) != 0) return -1;
  int rc = watch(&s, scope, err);
  if (rc == 0) rc = count(&s, err);
  if (rc == 0) rc = put_file(&s, scope, design, err);
  for (unsigned id = 0; s.bit && id < s.n_ids; id++) free(s.bit[id]);
  free(s.bit);
  free(s.width);
  vcd_in_close(s.vcd);
  return rc;
}
