/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the ports of a module in a VCD. */
#include "cosim/vcd/vcd_bind.h"
#include "base/sizes.h"

#include "cosim/lockstep/report.h"
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

enum { SIZES = SIZES_TEXT };

/* What one scope has, to find the scope that is the module. */
typedef struct {
  uint64_t input[VCD_BIND_PORTS / 64]; /* bit i: input i is there */
  unsigned inputs, others;             /* inputs found; outputs, parameters and clock found */
} found_t;

static bool has(const found_t *f, unsigned input) {
  return f->input[input / 64] >> input % 64 & 1;
}

static int index_of(const module_port_t *ports, unsigned n, const char *name) {
  for (unsigned i = 0; i < n; i++)
    if (strcmp(ports[i].name, name) == 0) return (int)i;
  return -1;
}

/* Whether the declarations of a port in two scopes are the same signal, or both are missing. */
static bool same_members(const vcd_in_t *dump, const vcd_members_t *m, unsigned a, unsigned b) {
  for (size_t i = 0; i < m->n; i++) {
    const vcd_member_t *x = &m->list[i];
    bool same = x->scope != a;
    for (size_t k = 0; k < m->n && !same; k++) {
      const vcd_member_t *y = &m->list[k];
      same = y->scope == b && y->at == x->at && strcmp(x->port, y->port) == 0 &&
             vcd_in_var(dump, y->var)->id == vcd_in_var(dump, x->var)->id;
    }
    if (!same) return false;
  }
  return true;
}

static bool same_signals(const vcd_in_t *dump, const vcd_bind_t *bind, unsigned a, unsigned b) {
  const module_port_t *in = bind->face->in;
  const unsigned n_in = bind->face->n_in;
  for (unsigned i = 0; i < vcd_in_n_vars(dump); i++) {
    const vcd_in_var_t *x = vcd_in_var(dump, i);
    if (x->scope != a || index_of(in, n_in, x->name) < 0) continue;
    bool same = false;
    for (unsigned k = 0; k < vcd_in_n_vars(dump) && !same; k++) {
      const vcd_in_var_t *y = vcd_in_var(dump, k);
      same = y->scope == b && y->id == x->id && strcmp(x->name, y->name) == 0;
    }
    if (!same) return false;
  }
  return same_members(dump, &bind->members, a, b);
}

static const char *scope_name(const vcd_in_t *dump, unsigned scope) {
  const char *path = vcd_in_scope(dump, scope);
  return path[0] ? path : "(top)";
}

static int lacking(const vcd_in_t *dump, const vcd_face_t *face, const found_t *found,
                   unsigned scope, mrpb_err_t *err) {
  char list[256] = "";
  for (unsigned i = 0; i < face->n_in; i++) {
    size_t n = strlen(list);
    if (!has(&found[scope], i)) snprintf(list + n, sizeof list - n, " %s", face->in[i].name);
  }
  return mrpb_fail(err, "%s: scope %s lacks inputs of %s:%s", vcd_in_path(dump),
                   scope_name(dump, scope), face->name, list);
}

/* Finds the scope that --scope names. */
static int named_scope(vcd_bind_t *b, const vcd_in_t *dump, const char *name, mrpb_err_t *err) {
  names_near_t near = names_near(name);
  for (unsigned s = 0; s < vcd_in_n_scopes(dump); s++) {
    if (strcmp(vcd_in_scope(dump, s), name) == 0) return b->scope = s, 0;
    if (s > 0) names_offer(&near, vcd_in_scope(dump, s));
  }
  return mrpb_fail(err, "%s: no scope '%s'%s", vcd_in_path(dump), name, near.text);
}

/* Finds the scope that has all inputs. If several have them, their signals must be the same; the
 * scope with most of the rest, above all the sizes, is taken. */
static int find_scope(vcd_bind_t *b, const vcd_in_t *dump, const found_t *found, mrpb_err_t *err) {
  const vcd_face_t *face = b->face;
  unsigned best = 0, chosen = 0;
  bool have = false;
  for (unsigned s = 0; s < vcd_in_n_scopes(dump); s++) {
    if (found[s].inputs > found[best].inputs) best = s;
    if (found[s].inputs != face->n_in) continue;
    if (have && !same_signals(dump, b, chosen, s))
      return mrpb_fail(err, "%s: --scope is needed: both %s and %s have the inputs of %s",
                       vcd_in_path(dump), scope_name(dump, chosen), scope_name(dump, s),
                       face->name);
    if (!have || found[s].others > found[chosen].others) chosen = s;
    have = true;
  }
  if (!have && found[best].inputs == 0)
    return mrpb_fail(err, "%s: no scope has an input of %s, such as %s", vcd_in_path(dump),
                     face->name, face->in[0].name);
  if (!have) return lacking(dump, face, found, best, err);
  b->scope = chosen;
  return 0;
}

/* Finds a signal of one bit: a name in the scope or in an enclosing one, or a full path. */
static int find_clock(vcd_bind_t *b, const vcd_in_t *dump, const char *name, mrpb_err_t *err) {
  const char *dot = strrchr(name, '.');
  const vcd_in_var_t *clock = NULL;
  for (unsigned s = b->scope;; s = vcd_in_parent(dump, s)) {
    for (unsigned i = 0; i < vcd_in_n_vars(dump) && !clock; i++) {
      const vcd_in_var_t *var = vcd_in_var(dump, i);
      const char *path = vcd_in_scope(dump, var->scope);
      if (dot ? strlen(path) == (size_t)(dot - name) && strncmp(path, name, strlen(path)) == 0 &&
                    strcmp(var->name, dot + 1) == 0
              : var->scope == s && strcmp(var->name, name) == 0)
        clock = var;
    }
    if (clock || dot || s == 0) break;
  }
  if (!clock)
    return mrpb_fail(err, "%s: no clock '%s' in scope %s or around it; name it with --clock",
                     vcd_in_path(dump), name, scope_name(dump, b->scope));
  if (clock->width != 1 || !clock->valued)
    return mrpb_fail(err, "%s:%lu: the clock '%s' is not one bit", vcd_in_path(dump), clock->line,
                     name);
  b->clocked = true;
  b->clock = clock->id;
  return 0;
}

static int param_of(const vcd_face_t *face, const char *name) {
  for (unsigned p = 0; p < face->n_params; p++)
    if (strcmp(face->param[p], name) == 0) return (int)p;
  return -1;
}

/* Finds the parameters. Everything that may be a port is watched from the first value on, before
 * the sizes are known. */
static int find_params(vcd_bind_t *b, vcd_in_t *dump, mrpb_err_t *err) {
  const vcd_face_t *face = b->face;
  for (unsigned p = 0; p < face->n_params; p++) b->param[p] = -1;
  for (unsigned i = 0; i < vcd_in_n_vars(dump); i++) {
    const vcd_in_var_t *var = vcd_in_var(dump, i);
    if (var->scope != b->scope || !var->valued || var->width > VCD_BIND_WIDTH) continue;
    int p = var->width <= 64 ? param_of(face, var->name) : -1;
    bool port = index_of(face->in, face->n_in, var->name) >= 0 ||
                index_of(face->out, face->n_out, var->name) >= 0;
    if (p >= 0) b->param[p] = (int)var->id;
    if ((p >= 0 || port) && vcd_in_watch(dump, var->id, err) != 0) return -1;
  }
  for (size_t i = 0; i < b->members.n; i++)
    if (b->members.list[i].scope == b->scope &&
        vcd_in_watch(dump, vcd_in_var(dump, b->members.list[i].var)->id, err) != 0)
      return -1;
  return 0;
}

static void count_input(found_t *f, int port) {
  if (port < 0 || has(f, (unsigned)port)) return;
  f->input[port / 64] |= UINT64_C(1) << port % 64;
  f->inputs++;
}

/* Counts what each scope has of the module. */
static void count_scopes(const vcd_bind_t *b, const vcd_in_t *dump, found_t *found) {
  const vcd_face_t *face = b->face;
  for (size_t i = 0; i < b->members.n; i++)
    count_input(&found[b->members.list[i].scope],
                index_of(face->in, face->n_in, b->members.list[i].port));
  for (unsigned i = 0; i < vcd_in_n_vars(dump); i++) {
    const vcd_in_var_t *var = vcd_in_var(dump, i);
    found_t *f = &found[var->scope];
    count_input(f, var->valued ? index_of(face->in, face->n_in, var->name) : -1);
    f->others += index_of(face->out, face->n_out, var->name) >= 0 ||
                 param_of(face, var->name) >= 0 ||
                 (face->clock && strcmp(var->name, face->clock) == 0);
  }
}

int vcd_bind_scope(vcd_bind_t *b, vcd_in_t *dump, const vcd_face_t *face,
                   const vcd_choice_t *choice, mrpb_err_t *err) {
  memset(b, 0, sizeof *b);
  b->face = face;
  b->in = calloc(face->n_in + face->n_out + 1, sizeof *b->in);
  found_t *found = calloc(vcd_in_n_scopes(dump), sizeof *found);
  if (!found || !b->in || vcd_members_find(&b->members, dump, &face->types) != 0) {
    free(found);
    return mrpb_fail(err, "%s: out of memory", vcd_in_path(dump));
  }
  b->out = b->in + face->n_in;
  count_scopes(b, dump, found);
  int rc =
      choice->scope ? named_scope(b, dump, choice->scope, err) : find_scope(b, dump, found, err);
  if (rc == 0 && found[b->scope].inputs != face->n_in)
    rc = lacking(dump, face, found, b->scope, err);
  free(found);
  if (rc == 0 && (choice->clock || face->clock))
    rc = find_clock(b, dump, choice->clock ? choice->clock : face->clock, err);
  if (rc == 0 && b->clocked) rc = vcd_in_watch(dump, b->clock, err);
  return rc == 0 ? find_params(b, dump, err) : rc;
}

void vcd_bind_close(vcd_bind_t *b) {
  free(b->in); /* `out` is its second half */
  b->in = b->out = NULL;
  vcd_members_free(&b->members);
}

/* Where a declaration's bits lie in the port: the whole port in either direction, or a bit or slice
 * of a descending vector. */
static bool place(const vcd_in_var_t *var, unsigned width, vcd_piece_t *piece) {
  *piece = (vcd_piece_t){var->id, 0, var->width};
  if (var->width == width && !(var->ranged && var->msb == var->lsb && width > 1)) return true;
  if (!var->ranged || var->msb < var->lsb || var->lsb < 0 || (unsigned)var->msb >= width)
    return false;
  piece->at = (unsigned)var->lsb;
  return true;
}

static unsigned bits_of(const uint64_t *words) {
  unsigned n = 0;
  for (unsigned i = 0; i < VCD_BIND_WIDTH / 64; i++) n += (unsigned)__builtin_popcountll(words[i]);
  return n;
}

/* Binds members until no bit is missing. The members of a union are the same bits. */
static unsigned bind_members(vcd_port_t *port, const vcd_in_t *dump, const vcd_bind_t *b,
                             const module_port_t *table, uint64_t *bound, unsigned long *line) {
  for (size_t i = 0; i < b->members.n; i++) {
    const vcd_member_t *m = &b->members.list[i];
    const unsigned before = bits_of(bound);
    if (m->scope != b->scope || strcmp(m->port, table->name) != 0 ||
        m->at + m->width > table->width || port->n == VCD_BIND_PIECES)
      continue;
    *line = vcd_in_var(dump, m->var)->line;
    for (unsigned k = m->at; k < m->at + m->width; k++) bound[k / 64] |= UINT64_C(1) << (k % 64);
    if (bits_of(bound) > before)
      port->piece[port->n++] = (vcd_piece_t){vcd_in_var(dump, m->var)->id, m->at, m->width};
  }
  return bits_of(bound);
}

static int bind_port(vcd_port_t *port, const vcd_in_t *dump, const vcd_bind_t *b,
                     const module_port_t *table, const uint32_t *cfg, mrpb_err_t *err) {
  uint64_t bound[VCD_BIND_WIDTH / 64] = {0};
  unsigned bits = 0;
  unsigned long line = 0;
  char sizes[SIZES];
  sizes_text(b->face->cls, cfg, "", sizes, sizeof sizes);
  for (unsigned i = 0; i < vcd_in_n_vars(dump); i++) {
    const vcd_in_var_t *var = vcd_in_var(dump, i);
    vcd_piece_t piece;
    bool known = false;
    if (var->scope != b->scope || !var->valued || strcmp(var->name, table->name) != 0) continue;
    line = var->line;
    if (!place(var, table->width, &piece))
      return mrpb_fail(err,
                       "%s:%lu: %s.%s has %u bits here; %s with %s has %u (other sizes: --set)",
                       vcd_in_path(dump), line, scope_name(dump, b->scope), var->name, var->width,
                       b->face->name, sizes, table->width);
    for (unsigned k = 0; k < port->n; k++)
      known = known || (port->piece[k].id == piece.id && port->piece[k].at == piece.at);
    if (known) continue; /* the same member, declared twice */
    for (unsigned k = piece.at; k < piece.at + piece.width; k++) {
      if (bound[k / 64] >> (k % 64) & 1)
        return mrpb_fail(err, "%s:%lu: bit %u of %s.%s is declared twice", vcd_in_path(dump), line,
                         k, scope_name(dump, b->scope), var->name);
      bound[k / 64] |= UINT64_C(1) << (k % 64);
    }
    if (port->n == VCD_BIND_PIECES)
      return mrpb_fail(err, "%s:%lu: %s.%s is in more than %d pieces", vcd_in_path(dump), line,
                       scope_name(dump, b->scope), var->name, VCD_BIND_PIECES);
    port->piece[port->n++] = piece;
    bits += piece.width;
  }
  if (bits < table->width) bits = bind_members(port, dump, b, table, bound, &line);
  if (bits == table->width || line == 0) return 0;
  return mrpb_fail(err,
                   "%s:%lu: %s.%s is dumped with %u bits; %s with %s has %u (other sizes: --set)",
                   vcd_in_path(dump), line, scope_name(dump, b->scope), table->name, bits,
                   b->face->name, sizes, table->width);
}

int vcd_bind_ports(vcd_bind_t *b, const vcd_in_t *dump, const uint32_t *cfg, mrpb_err_t *err) {
  const vcd_face_t *face = b->face;
  for (unsigned i = 0; i < face->n_in; i++)
    if (bind_port(&b->in[i], dump, b, &face->in[i], cfg, err) != 0) return -1;
  for (unsigned i = 0; i < face->n_out; i++)
    if (bind_port(&b->out[i], dump, b, &face->out[i], cfg, err) != 0) return -1;
  return 0;
}
