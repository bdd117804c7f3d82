/* SPDX-License-Identifier: Apache-2.0 */
/* Binds registers, word by word and bit by bit. */
#include "verilog/design/bind_regs.h"

#include "base/grow.h"
#include "base/names.h"
#include "verilog/design/resolve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 1 << 20 };

/* The names and shapes of our registers; their data pointers are no longer valid. */
static int our_regs(const bind_t *b, module_reg_t regs[MODULE_MAX_REGS], mrpb_err_t *err) {
  void *model = NULL;
  if (b->cls->n_regs == 0) return 0;
  if (b->cls->create(&model, b->cfg, err) != 0) return -1;
  b->cls->regs(model, regs);
  b->cls->destroy(model);
  return 0;
}

static int find_reg(const bind_t *b, const module_reg_t *regs, const char *name, mrpb_err_t *err) {
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < b->cls->n_regs; i++) {
    if (strcmp(regs[i].name, name) == 0) return (int)i;
    names_offer(&near, regs[i].name);
  }
  return mrpb_fail(err, "'%s' is no register of %s%s", name, b->cls->stem, near.text);
}

int bind_no_register(bind_t *b, const char *name, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  return our_regs(b, regs, err) == 0 && find_reg(b, regs, name, err) >= 0 ? 0 : -1;
}

/* Our constants, and the variable that runs over a register's words. */
typedef struct {
  scope_t ours;
  const char *variable;
  uint64_t i;
} loop_t;

static bool loop_constant(void *ctx, const char *name, uint64_t *value) {
  const loop_t *l = ctx;
  if (!l->variable || strcmp(l->variable, name) != 0)
    return l->ours.constant(l->ours.ctx, name, value);
  return *value = l->i, true;
}

/* The part of our register that a statement is about. */
typedef struct {
  const map_statement_t *s;
  const module_reg_t *reg;
  unsigned number;
  const step_t *index, *part; /* on the left side; NULL: none */
  loop_t loop;
  scope_t scope;
} target_t;

static int take_target(const bind_t *b, target_t *t, module_reg_t *regs, mrpb_err_t *err) {
  char name[2 * MAP_NAME];
  const step_t *at = t->s->to;
  size_t n = (size_t)snprintf(name, sizeof name, "%s", at->name);
  for (at = at->next; at && at->kind == STEP_NAME && n < sizeof name; at = at->next)
    n += (size_t)snprintf(name + n, sizeof name - n, ".%s", at->name);
  int i = our_regs(b, regs, err) == 0 ? find_reg(b, regs, name, err) : -1;
  if (i < 0) return -1;
  t->reg = &regs[i];
  t->number = (unsigned)i;
  if (at && at->kind == STEP_INDEX) t->index = at, at = at->next;
  if (at && at->kind != STEP_NAME) t->part = at, at = at->next;
  if (at) return mrpb_fail(err, "'%s': legal: NAME, NAME[i], NAME[i][high:low]", name);
  t->loop.ours = bind_ours(b);
  const expr_t *e = t->index ? t->index->high : NULL;
  uint64_t v;
  if (e && e->kind == EXPR_PATH && !e->path->next &&
      !t->loop.ours.constant(t->loop.ours.ctx, e->path->name, &v))
    t->loop.variable = e->path->name;
  t->scope = (scope_t){.ctx = &t->loop, .constant = loop_constant};
  return 0;
}

/* Finds the word and bits that the loop has reached. */
static int target_bits(const target_t *t, bind_reg_t *r, mrpb_err_t *err) {
  uint64_t index = 0, high, low;
  if (t->index && expr_constant(t->index->high, &t->scope, &index, err) != 0) return -1;
  const bool bit = t->index && !t->reg->array;
  if (index >= (bit ? t->reg->width : t->reg->words))
    return mrpb_fail(err, "'%s' has no element or bit %" PRIu64 "; legal: 0 to %u", t->reg->name,
                     index, (bit ? t->reg->width : t->reg->words) - 1);
  if (!t->index && t->reg->array && t->reg->words > 1)
    return mrpb_fail(err, "'%s' has %u elements; legal: %s[i]", t->reg->name, t->reg->words,
                     t->reg->name);
  r->word = bit ? 0 : (unsigned)index;
  r->lsb = bit ? (unsigned)index : 0;
  r->width = bit ? 1 : t->reg->width;
  if (!t->part) return 0;
  if (bit) return mrpb_fail(err, "'%s[%" PRIu64 "]' is a bit", t->reg->name, index);
  if (expr_constant(t->part->high, &t->scope, &high, err) != 0) return -1;
  low = high;
  if (t->part->low && expr_constant(t->part->low, &t->scope, &low, err) != 0) return -1;
  if (high >= t->reg->width || low > high)
    return mrpb_fail(err, "'%s': legal bits: %u to 0, the higher first", t->reg->name,
                     t->reg->width - 1);
  r->lsb = (unsigned)low;
  r->width = (unsigned)(high - low + 1);
  return 0;
}

static int add(bind_t *b, const bind_reg_t *r, const char *name, mrpb_err_t *err) {
  for (size_t i = 0; i < b->n_regs; i++) {
    const bind_reg_t *q = &b->reg[i];
    if (q->reg == r->reg && q->word == r->word && q->line != r->line &&
        r->lsb < q->lsb + q->width && q->lsb < r->lsb + r->width)
      return mrpb_fail(err, "'%s' a second time, after line %u", name, q->line);
  }
  bind_reg_t *more =
      b->n_regs < MOST_PIECES ? grow(b->reg, b->n_regs + 1, &b->room_regs, sizeof *more) : NULL;
  if (!more) return mrpb_fail(err, "too many bits of registers, or no memory for them");
  b->reg = more;
  b->reg[b->n_regs++] = *r;
  return 0;
}

static int add_piece(bind_t *b, const target_t *t, mrpb_err_t *err) {
  char what[2 * MAP_NAME];
  resolved_t at;
  bind_reg_t r = {.reg = t->number, .inverted = t->s->inverted, .line = t->s->line};
  snprintf(what, sizeof what, "register of %s", b->top);
  if (target_bits(t, &r, err) != 0 ||
      resolve(b->design, b->top, t->s->path, &t->scope, what, &at, err) != 0)
    return -1;
  expr_path_text(t->s->path, &t->scope, r.path, sizeof r.path);
  if (at.array) return mrpb_fail(err, "'%s' is an array; legal: an element", r.path);
  if (at.width != r.width)
    return mrpb_fail(err, "'%s' has %u bits, '%s' %u; legal: as many", r.path, at.width,
                     t->reg->name, r.width);
  snprintf(r.net, sizeof r.net, "%s", at.name);
  r.net_lsb = at.lsb;
  return add(b, &r, t->reg->name, err);
}

int bind_reg(bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  target_t t = {.s = s};
  if (take_target(b, &t, regs, err) != 0) return -1;
  t.scope.ctx = &t.loop;
  const unsigned n = !t.loop.variable ? 1 : t.reg->array ? t.reg->words : t.reg->width;
  for (t.loop.i = 0; t.loop.i < n; t.loop.i++)
    if (add_piece(b, &t, err) != 0) return -1;
  return 0;
}

/* `none` and `reg` exclude a register from the search by name. */
static bool spoken_of(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->map->n; i++) {
    const map_statement_t *s = &b->map->statement[i];
    if (s->kind == MAP_NONE && strcmp(s->name, name) == 0) return true;
    if (s->kind == MAP_REG && strcmp(s->to->name, name) == 0) return true;
  }
  return false;
}

int bind_same_regs(bind_t *b, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  if (our_regs(b, regs, err) != 0) return -1;
  for (unsigned i = 0; i < b->cls->n_regs; i++) {
    const decl_t *item = describe_find(b->design, b->top, regs[i].name);
    if (!item || item->kind != DECL_VARIABLE || spoken_of(b, regs[i].name)) continue;
    const type_t *t = describe_type(b->design, item->type);
    const bool array = t && t->kind == TYPE_UNPACKED;
    const unsigned width =
        array ? describe_width(b->design, t->of) : describe_width(b->design, item->type);
    const unsigned words = array && width ? describe_width(b->design, item->type) / width : 1;
    if (width != regs[i].width || words != regs[i].words || array != regs[i].array) continue;
    for (unsigned w = 0; w < words; w++) {
      bind_reg_t r = {.reg = i, .word = w, .width = width};
      const unsigned at = array ? w + (unsigned)(t->left < t->right ? t->left : t->right) : 0;
      snprintf(r.path, sizeof r.path, array ? "%s[%u]" : "%s", regs[i].name, at);
      snprintf(r.net, sizeof r.net, "%s", r.path);
      if (add(b, &r, regs[i].name, err) != 0) return -1;
    }
  }
  return 0;
}

const bind_reg_t *bind_said_reg(const bind_t *b, const char *name, unsigned elem, unsigned bit) {
  module_reg_t regs[MODULE_MAX_REGS];
  mrpb_err_t unheard = {""};
  if (our_regs(b, regs, &unheard) != 0) return NULL;
  for (size_t i = 0; i < b->n_regs; i++) {
    const bind_reg_t *r = &b->reg[i];
    if (r->word == elem && bit >= r->lsb && bit < r->lsb + r->width &&
        strcmp(regs[r->reg].name, name) == 0)
      return r;
  }
  return NULL;
}

const char *bind_said_output(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->cls->n_out; i++)
    if (strcmp(b->out[i].name, name) == 0) return b->output[i].said;
  return NULL;
}
