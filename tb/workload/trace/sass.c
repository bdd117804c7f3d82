/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of Accel-Sim's traces, tracer versions 1 to 6, as far as the memory path needs them:
 * registers, and the addresses of memory instructions in their three encodings. Atomics count as
 * loads; constant loads without an address count as other instructions. */
#include "workload/trace/accel.h"
#include "workload/trace/words.h"

#include <inttypes.h>
#include <string.h>

enum { FILE_SIZE = 256, MOST_REGS = 255, MOST_ELEM = 16, SHARED_WINDOW = 1 << 24 };

/* The words of an instruction, without its line number. */
typedef struct {
  char **dst, **src, **rest;
  const char *op;
  uint64_t n_dst, n_src, width, mask;
  unsigned left; /* number of words from `rest` on */
} inst_t;

/* A register that a load can write: R or, since version 6, UR; -1 if it is none. */
static int reg_number(const char *text) {
  uint64_t v;
  const bool uniform = text[0] == 'U';
  text += uniform;
  if (text[0] != 'R' || !trace_number(text + 1, 10, FILE_SIZE - 1, &v)) return -1;
  return (int)v + (uniform ? FILE_SIZE : 0);
}

/* The register is used, so the load that it waits for is waited for. */
static void use(accel_t *r, const char *text) {
  const int reg = reg_number(text);
  if (reg < 0 || r->reg_load[reg] == 0) return;
  const uint64_t load = r->reg_load[reg] - 1, distance = r->loads - load;
  for (unsigned i = 0; i < ACCEL_REGS; i++)
    if (r->reg_load[i] == load + 1) r->reg_load[i] = 0;
  if (distance <= TRACE_MAX_WAITS && r->r.n_wait < TRACE_MAX_WAITS)
    r->r.wait[r->r.n_wait++] = (uint8_t)distance;
}

/* The opcode's name ends before its first dot. */
static bool is(const char *op, const char *name) {
  const size_t n = strlen(name);
  return strncmp(op, name, n) == 0 && (op[n] == '.' || op[n] == '\0');
}

/* The kind of record that an opcode makes; false if it makes none. */
static bool classify(const char *op, trace_record_t *r) {
  static const struct {
    const char *name;
    trace_kind_t kind;
    warp_space_t space;
  } known[] = {{"LDG", TRACE_LOAD, WARP_GLOBAL},   {"LD", TRACE_LOAD, WARP_GLOBAL},
               {"LDL", TRACE_LOAD, WARP_GLOBAL},   {"LDS", TRACE_LOAD, WARP_SHARED},
               {"LDSM", TRACE_LOAD, WARP_SHARED},  {"LDC", TRACE_LOAD, WARP_CONST},
               {"LDCU", TRACE_LOAD, WARP_CONST},   {"LDGSTS", TRACE_LOAD, WARP_GLOBAL},
               {"STG", TRACE_STORE, WARP_GLOBAL},  {"ST", TRACE_STORE, WARP_GLOBAL},
               {"STL", TRACE_STORE, WARP_GLOBAL},  {"STS", TRACE_STORE, WARP_SHARED},
               {"STSM", TRACE_STORE, WARP_SHARED}, {"ATOM", TRACE_LOAD, WARP_GLOBAL},
               {"ATOMG", TRACE_LOAD, WARP_GLOBAL}, {"ATOMS", TRACE_LOAD, WARP_SHARED},
               {"RED", TRACE_STORE, WARP_GLOBAL},  {"REDG", TRACE_STORE, WARP_GLOBAL},
               {"BAR", TRACE_BARRIER, WARP_GLOBAL}};
  if (!strchr("LSARB", op[0])) return false;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (op[0] == known[i].name[0] && is(op, known[i].name)) {
      r->kind = known[i].kind;
      r->space = known[i].space;
      return true;
    }
  return false;
}

/* Bulk copies run on a separate engine, which is not modelled. */
static int refuse_bulk(const char *op, mrpb_err_t *err) {
  static const char *const names[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                      "UBLKCP",  "UBLKPF",  "UBLKRED"};
  for (unsigned i = 0; op[0] == 'U' && i < sizeof names / sizeof *names; i++)
    if (is(op, names[i]))
      return mrpb_fail(err,
                       "%s copies in bulk, by an engine that is not modelled; legal: kernels "
                       "without TMA",
                       names[i]);
  return 0;
}

/* ---- behind the addresses -------------------------------------------------- */

/* A signed or unsigned 64-bit number. */
static bool immediate(const char *text) {
  uint64_t v;
  int64_t s;
  return text[0] == '-' ? trace_signed(text, &s) : trace_number(text, 10, UINT64_MAX, &v);
}

/* Reads the values behind "Val": for each register 1 or 32, and that many values. */
static int parse_values(char *const *word, unsigned n, uint64_t registers, mrpb_err_t *err) {
  uint64_t many, value;
  unsigned at = 0;
  for (uint64_t i = 0; i < registers; i++) {
    if (at == n || !trace_number(word[at], 10, WARP_LANES, &many) ||
        (many != 1 && many != WARP_LANES) || n - at - 1 < many)
      return mrpb_fail(err,
                       "values of %" PRIu64 " registers after Val; legal: for each 1 or %d, "
                       "and that many numbers",
                       registers, WARP_LANES);
    for (at++; many > 0; many--, at++)
      if (!trace_number(word[at], 16, UINT32_MAX, &value))
        return mrpb_fail(err, "value '%.40s'; legal: hexadecimal, 32 bits", word[at]);
  }
  return at == n ? 0 : mrpb_fail(err, "'%.40s' after the values", word[at]);
}

/* Version 5 ends with an immediate. Version 6 ends with one or two, and with the registers' values
 * or NoVal. */
static int parse_rest(const accel_t *r, const inst_t *i, unsigned used, mrpb_err_t *err) {
  char *const *word = i->rest + used;
  const unsigned most = r->version >= 6 ? 2 : 1;
  unsigned n = i->left - used;
  for (unsigned k = 0; k < most && n > 0 && immediate(word[0]); k++) word++, n--;
  if (n == 0 || (r->version >= 6 && n == 1 && strcmp(word[0], "NoVal") == 0)) return 0;
  if (r->version >= 6 && strcmp(word[0], "Val") == 0)
    return parse_values(word + 1, n - 1, i->n_dst + i->n_src, err);
  return r->version >= 6
             ? mrpb_fail(err,
                         "'%.40s' at the end; legal: at most two immediate "
                         "numbers, and Val or NoVal",
                         word[0])
             : mrpb_fail(err, "'%.40s' at the end; legal: nothing, or one immediate number",
                         word[0]);
}

/* ---- addresses ------------------------------------------------------------- */

/* The lanes of a generic access whose addresses are in the window of shared memory; these addresses
 * become offsets in it. */
static uint32_t shared_lanes(const accel_t *r, const char *op, trace_record_t *t) {
  uint32_t lanes = 0;
  if (r->shared_base == 0 || (!is(op, "LD") && !is(op, "ST") && !is(op, "ATOM"))) return 0;
  const uint64_t room = r->local_base - r->shared_base; /* huge if local memory is below */
  const uint64_t size = room < SHARED_WINDOW ? room : SHARED_WINDOW; /* none if both are equal */
  for (uint32_t m = t->mask; m; m &= m - 1) {
    uint64_t *addr = &t->addr[__builtin_ctz(m)];
    if (*addr < r->shared_base || *addr - r->shared_base >= size) continue;
    *addr -= r->shared_base;
    lanes |= m & -m;
  }
  return lanes;
}

static unsigned power_of_two(uint64_t width) {
  unsigned p = 1;
  while (p < width) p *= 2;
  return p;
}

/* Sets the lane's address to that of the element that contains the `width` bytes from `a` on. */
static int place(trace_record_t *t, unsigned lane, uint64_t a, uint64_t width, mrpb_err_t *err) {
  const unsigned block = power_of_two(width);
  if (a % block + width > block)
    return mrpb_fail(err, "%" PRIu64 " bytes at 0x%" PRIx64 " cross a multiple of %u; legal: %s",
                     width, a, block, block == width ? "multiples of it" : "none does");
  t->addr[lane] = a & ~(uint64_t)(t->elem - 1u);
  return 0;
}

/* Encodings: 0: an address for each active lane; 1: the first address and the stride; 2: the first
 * address and distances. */
static int parse_addresses(accel_t *r, const inst_t *in, unsigned *used, mrpb_err_t *err) {
  trace_record_t *t = &r->r;
  char *const *word = in->rest;
  uint64_t mode, a;
  int64_t step = 0;
  const unsigned lanes = (unsigned)__builtin_popcount(t->mask);
  unsigned i = 0;
  if (in->left < 2 || !trace_number(word[0], 10, 2, &mode))
    return mrpb_fail(err, "address encoding; legal: 0, 1 or 2 and addresses");
  const unsigned needed = mode == 1 ? 2 : lanes;
  if (in->left < 1 + needed)
    return mrpb_fail(err, "%u words of addresses; legal: %u for encoding %" PRIu64 " and %u lanes",
                     in->left - 1, needed, mode, lanes);
  if (!trace_number(word[1], 16, UINT64_MAX, &a) || (mode == 1 && !trace_signed(word[2], &step)))
    return mrpb_fail(err, "address '%.40s'; legal: hexadecimal", word[1]);
  for (uint32_t m = t->mask; m; m &= m - 1, i++) {
    if (i > 0 && mode == 0 && !trace_number(word[1 + i], 16, UINT64_MAX, &a))
      return mrpb_fail(err, "address '%.40s'; legal: hexadecimal", word[1 + i]);
    if (i > 0 && mode == 2 && !trace_signed(word[1 + i], &step))
      return mrpb_fail(err, "distance '%.40s'; legal: a decimal number", word[1 + i]);
    if (i > 0 && mode > 0) a += (uint64_t)step;
    if (place(t, (unsigned)__builtin_ctz(m), a, in->width, err) != 0) return -1;
  }
  *used = 1 + needed;
  return 0;
}

/* ---- one instruction ------------------------------------------------------- */

/* Adds a memory instruction or barrier, whose record is complete. */
static int add_record(accel_t *r, const inst_t *in, mrpb_err_t *err) {
  if (trace_store_add(r->s, r->block_number, r->warp, &r->r, err) != 0) return -1;
  if (r->r.kind == TRACE_LOAD) {
    for (uint64_t i = 0; i < in->n_dst; i++) {
      const int reg = reg_number(in->dst[i]);
      if (reg >= 0) r->reg_load[reg] = r->loads + 1;
    }
    r->loads++;
  }
  r->r.gap = 0;
  r->r.n_wait = 0;
  return 0;
}

/* Adds a memory access: one of the lanes in shared memory, and one of all others. */
static int add_access(accel_t *r, const inst_t *in, mrpb_err_t *err) {
  const uint32_t shared = shared_lanes(r, in->op, &r->r), others = r->r.mask & ~shared;
  const warp_space_t space = r->r.space;
  if (shared) {
    r->r.space = WARP_SHARED;
    r->r.mask = shared;
    if (add_record(r, in, err) != 0) return -1;
  }
  r->r.space = space;
  r->r.mask = others;
  return others ? add_record(r, in, err) : 0;
}

/* PC MASK N_DST DST... OPCODE N_SRC SRC... [GROUP, for GMMA in version 6] WIDTH ... */
static bool split(const accel_t *r, char **word, unsigned n, inst_t *in) {
  uint64_t pc, group;
  if (n < 5 || !trace_number(word[0], 16, UINT64_MAX, &pc) ||
      !trace_number(word[1], 16, UINT32_MAX, &in->mask) ||
      !trace_number(word[2], 10, MOST_REGS, &in->n_dst) || n < 5 + in->n_dst ||
      !trace_number(word[4 + in->n_dst], 10, MOST_REGS, &in->n_src) ||
      n < 6 + in->n_dst + in->n_src)
    return false;
  in->dst = word + 3;
  in->op = word[3 + in->n_dst];
  in->src = word + 5 + in->n_dst;
  char **at = in->src + in->n_src;
  in->left = n - (unsigned)(at - word);
  if (r->version >= 6 && strstr(in->op, "GMMA")) {
    if (!trace_number(*at, 10, 1, &group)) return false;
    at++;
    in->left--;
  }
  if (in->left == 0 || !trace_number(*at, 10, 128, &in->width)) return false;
  in->rest = at + 1;
  in->left--;
  return true;
}

/* Instructions to be ignored. The tracer writes an LDGSTS twice, the shared-memory side first, and
 * grouping drops that side. Marks of a loop that may be replayed are not instructions. */
static bool passed_over(accel_t *r, const inst_t *in) {
  if (is(in->op, "REPLAY_START") || is(in->op, "REPLAY_END")) return true;
  if (!r->raw || !is(in->op, "LDGSTS")) return false;
  r->half = !r->half;
  return r->half;
}

static int take(accel_t *r, const inst_t *in, mrpb_err_t *err) {
  unsigned used = 0;
  for (uint64_t i = 0; i < in->n_src; i++) use(r, in->src[i]);
  for (uint64_t i = 0; i < in->n_dst; i++) use(r, in->dst[i]);
  r->exited = is(in->op, "EXIT");
  r->r.mask = (uint32_t)in->mask;
  const bool record = classify(in->op, &r->r);
  const bool memory = record && r->r.kind != TRACE_BARRIER;
  if (!record || (memory && (in->width == 0 || in->mask == 0))) {
    if (r->r.gap == UINT32_MAX)
      return mrpb_fail(err, "more than %" PRIu32 " instructions without a memory access",
                       UINT32_MAX);
    r->r.gap++;
    return in->width == 0 ? parse_rest(r, in, 0, err) : 0;
  }
  const unsigned elem = power_of_two(in->width);
  r->r.elem = (uint8_t)(elem < MOST_ELEM ? elem : MOST_ELEM);
  if (memory && parse_addresses(r, in, &used, err) != 0) return -1;
  if ((memory || in->width == 0) && parse_rest(r, in, used, err) != 0) return -1;
  return memory ? add_access(r, in, err) : add_record(r, in, err);
}

int accel_instruction(accel_t *r, char *line, mrpb_err_t *err) {
  inst_t in;
  int64_t number;
  char **word = r->word;
  unsigned n = trace_words(line, word, ACCEL_WORDS);
  if (r->with_lines && (n == 0 || !trace_signed(word[0], &number)))
    return mrpb_fail(err, "'%.40s'; legal: a line number first, by -enable lineinfo = 1",
                     n ? word[0] : "");
  if (r->with_lines) word++, n--;
  if (!split(r, word, n, &in))
    return mrpb_fail(err,
                     "an instruction; legal: %sPC MASK N DST... OPCODE N SRC... WIDTH "
                     "[ENCODING ADDRESSES] [IMMEDIATE]%s",
                     r->with_lines ? "LINE " : "",
                     r->version >= 6 ? " [IMMEDIATE] [Val VALUES or NoVal]" : "");
  if (refuse_bulk(in.op, err) != 0) return -1;
  return passed_over(r, &in) ? 0 : take(r, &in, err);
}

void accel_begin_warp(accel_t *r, uint64_t warp) {
  r->warp = warp;
  r->loads = 0;
  r->half = r->exited = false;
  r->r = (trace_record_t){.gap = 0};
  memset(r->reg_load, 0, sizeof r->reg_load);
}

int accel_end_warp(accel_t *r, mrpb_err_t *err) {
  r->r.kind = TRACE_EXIT;
  r->r.mask = 0;
  if (r->r.gap > 0) r->r.gap--; /* its EXIT */
  return trace_store_add(r->s, r->block_number, r->warp, &r->r, err);
}
