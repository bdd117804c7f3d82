/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/model.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

static uint64_t read_word(const mem_t *m, uint64_t at, unsigned bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < 8 * bytes; i++)
    v |= (uint64_t)(mem_byte(m, mem_object(at), (uint32_t)at + i / 8)[i % 8] & 1) << i;
  return v;
}

static void read_text(const mem_t *m, uint64_t at, char *text, size_t size) {
  size_t n = 0;
  uint32_t room = mem_size(m, mem_object(at));
  while (n + 1 < size && (uint32_t)at + n < room) {
    text[n] = (char)read_word(m, at + n, 1);
    if (text[n] == '\0') return;
    n++;
  }
  text[n] = '\0';
}

static void set_word(mem_t **m, uint64_t at, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < 8 * bytes; i++)
    mem_set_byte(m, mem_object(at), (uint32_t)at + i / 8)[i % 8] = (lit_t)(value >> i & 1);
}

static int call(model_t *m, const char *what, const val_t *args, unsigned n, mem_t **mem,
                val_t *ret, mrpb_err_t *err) {
  char name[96];
  snprintf(name, sizeof name, "%s_%s", m->cls->stem, what);
  return exec_call(m->exec, name, args, n, AIG_TRUE, mem, ret, err) == 0 ? MODEL_OK : MODEL_UNKNOWN;
}

static int create(model_t *m, const uint32_t *cfg, mrpb_err_t *err) {
  mem_t *mem = exec_memory(m->exec);
  val_t ret, args[3];
  uint64_t place = exec_object(m->exec, &mem, 8, MEM_ZERO);
  uint64_t sizes = exec_object(m->exec, &mem, 4 * MODULE_MAX_PARAMS, MEM_ZERO);
  for (unsigned i = 0; i < m->cls->n_params; i++) set_word(&mem, sizes + 4 * i, cfg[i], 4);
  args[0] = exec_const(m->exec, place);
  args[1] = exec_const(m->exec, sizes);
  args[2] = exec_const(m->exec, 0);
  m->first = mem_objects(mem);
  int rc = call(m, "create", args, 3, &mem, &ret, err);
  if (rc != MODEL_OK) return rc;
  m->end = mem_objects(mem);
  m->self = exec_const(m->exec, read_word(mem, place, 8));
  mem_kill(&mem, mem_object(place)); /* the caller's object, to which no pointer may be kept */
  mem_kill(&mem, mem_object(sizes));
  m->made = mem;
  if (bv_is_const(ret.v) && bv_value(ret.v) == 0 && m->self.base) return MODEL_OK;
  return mrpb_fail(err, "%s_create fails", m->cls->stem), MODEL_UNKNOWN;
}

static int find_registers(model_t *m, mrpb_err_t *err) {
  val_t ret, args[2] = {m->self, {.base = 0}};
  mem_t *mem = mem_share(m->made);
  uint64_t table = exec_object(m->exec, &mem, MODEL_MAX_REGS * sizeof(module_reg_t), MEM_ZERO);
  args[1] = exec_const(m->exec, table);
  int rc = call(m, "registers", args, 2, &mem, &ret, err);
  if (rc != MODEL_OK) return rc;
  m->n_regs = (unsigned)bv_value(ret.v);
  for (unsigned i = 0; i < m->n_regs; i++) {
    model_reg_t *r = &m->reg[i];
    uint64_t at = table + i * sizeof(module_reg_t);
    read_text(mem, at + offsetof(module_reg_t, name), r->name, sizeof r->name);
    r->width = (unsigned)read_word(mem, at + offsetof(module_reg_t, width), 4);
    r->words = (unsigned)read_word(mem, at + offsetof(module_reg_t, words), 4);
    r->elem_bytes = (unsigned)read_word(mem, at + offsetof(module_reg_t, elem_bytes), 4);
    uint64_t data = read_word(mem, at + offsetof(module_reg_t, data), 8);
    r->object = mem_object(data);
    r->offset = (uint32_t)data;
  }
  mem_close(mem);
  return MODEL_OK;
}

static bool has(const model_t *m, const char *what) {
  char name[96];
  snprintf(name, sizeof name, "%s_%s", m->cls->stem, what);
  return exec_has(m->exec, name);
}

static int find_parts(model_t *m, mrpb_err_t *err) {
  enum { DATA = 0, BYTES = 8, SIZE = 16 }; /* private_t of inv/inv.h */
  val_t ret, args[2] = {m->self, {.base = 0}};
  if (!has(m, "private")) return MODEL_OK;
  mem_t *mem = mem_share(m->made);
  uint64_t table = exec_object(m->exec, &mem, MODEL_MAX_PARTS * SIZE, MEM_ZERO);
  args[1] = exec_const(m->exec, table);
  int rc = call(m, "private", args, 2, &mem, &ret, err);
  if (rc != MODEL_OK) return rc;
  m->n_parts = (unsigned)bv_value(ret.v);
  for (unsigned i = 0; i < m->n_parts; i++) {
    uint64_t data = read_word(mem, table + i * SIZE + DATA, 8);
    m->part[i] = (model_part_t){mem_object(data), (uint32_t)data,
                                (uint32_t)read_word(mem, table + i * SIZE + BYTES, 8)};
  }
  mem_close(mem);
  return MODEL_OK;
}

/* The bound of loops that end by data, if the module has its own. */
static int find_rounds(model_t *m, mrpb_err_t *err) {
  val_t ret;
  if (!has(m, "rounds")) return MODEL_OK;
  mem_t *mem = mem_share(m->made);
  int rc = call(m, "rounds", &m->self, 1, &mem, &ret, err);
  mem_close(mem);
  if (rc == MODEL_OK) exec_set_rounds(m->exec, (uint32_t)bv_value(ret.v));
  return rc;
}

/* The functions that every module has; modules with registers have all four. */
static int check_functions(const model_t *m, mrpb_err_t *err) {
  static const char *const names[] = {"create", "comb", "edge", "registers"};
  for (unsigned i = 0; i < (m->cls->n_regs > 0 ? 4 : 2); i++)
    if (!has(m, names[i]))
      return mrpb_fail(err, "the C model lacks %s_%s%s", m->cls->stem, names[i],
                       i < 3 ? "" : "; its invariant has REGISTERS(module)");
  return 0;
}

int model_open(model_t *m, aig_t *g, const sources_t *from, const module_class_t *cls,
               const uint32_t *cfg, uint32_t unroll, mrpb_err_t *err) {
  char object[SOURCES_MAX][FILES_PATH];
  const char *files[SOURCES_MAX];
  unsigned n = 0;
  *m = (model_t){.cls = cls, .n_in = cls->n_in, .n_out = cls->n_out};
  cls->ports(cfg, m->in, m->out);
  int rc = sources_compile(from, cls, object, &n, err);
  for (unsigned i = 0; i < n; i++) files[i] = object[i];
  if (rc != MODEL_OK) return rc;
  m->exec = exec_open(g, files, n, unroll, err);
  if (!m->exec) return MODEL_UNKNOWN;
  if (exec_check_state(m->exec, err) != 0 || exec_check_functions(m->exec, err) != 0 ||
      check_functions(m, err) != 0)
    return MODEL_BAD_INPUT;
  rc = create(m, cfg, err);
  if (rc == MODEL_OK && cls->n_regs > 0) rc = find_registers(m, err);
  if (rc == MODEL_OK) rc = find_parts(m, err);
  return rc == MODEL_OK ? find_rounds(m, err) : rc;
}

void model_close(model_t *m) {
  mem_close(m->made);
  exec_close(m->exec);
  *m = (model_t){0};
}

bv_t model_get(const model_t *m, const mem_t *mem, unsigned r, unsigned i) {
  const model_reg_t *reg = &m->reg[r];
  bv_t v = bv_new(exec_bv(m->exec), 8 * reg->elem_bytes);
  for (uint32_t k = 0; k < v.n; k++)
    v.b[k] = mem_byte(mem, reg->object, reg->offset + i * reg->elem_bytes + k / 8)[k % 8];
  return v;
}

void model_set(const model_t *m, mem_t **mem, unsigned r, unsigned i, bv_t v) {
  const model_reg_t *reg = &m->reg[r];
  for (uint32_t k = 0; k < 8 * reg->elem_bytes; k++)
    mem_set_byte(mem, reg->object, reg->offset + i * reg->elem_bytes + k / 8)[k % 8] =
        k < v.n ? v.b[k] : AIG_FALSE;
}

const model_reg_t *model_register(const model_t *m, uint32_t object, uint32_t offset) {
  for (unsigned r = 0; r < m->n_regs; r++) {
    const model_reg_t *reg = &m->reg[r];
    if (reg->object == object && offset >= reg->offset &&
        offset < reg->offset + reg->words * reg->elem_bytes)
      return reg;
  }
  return NULL;
}

bool model_is_private(const model_t *m, uint32_t object, uint32_t offset) {
  for (unsigned i = 0; i < m->n_parts; i++) {
    const model_part_t *p = &m->part[i];
    if (p->object == object && offset >= p->offset && offset - p->offset < p->bytes) return true;
  }
  return false;
}

val_t model_inputs(model_t *m, mem_t **mem, const bv_t *in) {
  uint64_t at = exec_object(m->exec, mem, m->cls->in_words * 8, MEM_ZERO);
  for (unsigned i = 0; i < m->n_in; i++)
    for (uint32_t k = 0; k < in[i].n; k++)
      mem_set_byte(mem, mem_object(at), m->in[i].word * 8 + k / 8)[k % 8] = in[i].b[k];
  mem_protect(mem, mem_object(at));
  return exec_const(m->exec, at);
}

int model_comb(model_t *m, mem_t *state, const bv_t *in, bv_t *out, mem_t **after,
               mrpb_err_t *err) {
  mem_t *mem = mem_share(state);
  val_t args[3] = {m->self, model_inputs(m, &mem, in), {.base = 0}};
  uint64_t at = exec_object(m->exec, &mem, m->cls->out_words * 8, MEM_UNKNOWN);
  args[2] = exec_const(m->exec, at);
  int rc = call(m, "comb", args, 3, &mem, NULL, err);
  for (unsigned i = 0; rc == MODEL_OK && i < m->n_out; i++) {
    out[i] = bv_new(exec_bv(m->exec), (m->out[i].width + 63) / 64 * 64);
    for (uint32_t k = 0; k < out[i].n; k++)
      out[i].b[k] = mem_byte(mem, mem_object(at), m->out[i].word * 8 + k / 8)[k % 8];
  }
  *after = mem;
  return rc;
}

int model_edge(model_t *m, mem_t **state, const bv_t *in, mrpb_err_t *err) {
  if (m->cls->n_regs == 0) return MODEL_OK;
  val_t args[2] = {m->self, model_inputs(m, state, in)};
  return call(m, "edge", args, 2, state, NULL, err);
}

int model_derive(model_t *m, mem_t **state, mrpb_err_t *err) {
  return has(m, "derive") ? call(m, "derive", &m->self, 1, state, NULL, err) : MODEL_OK;
}

int model_inv(model_t *m, mem_t *state, lit_t *holds, mrpb_err_t *err) {
  *holds = AIG_TRUE;
  if (!has(m, "inv")) return MODEL_OK;
  mem_t *mem = mem_share(state);
  val_t ret;
  int rc = call(m, "inv", &m->self, 1, &mem, &ret, err);
  if (rc == MODEL_OK) *holds = ret.v.b[0];
  mem_close(mem);
  return rc;
}
