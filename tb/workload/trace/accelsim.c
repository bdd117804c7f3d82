/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel traces of Accel-Sim's NVBit tracer (.traceg), versions 3 to 5, as far as the memory path
 * needs them: launch shape; per warp the instructions with their registers, and the addresses of
 * memory instructions in their three encodings. Atomics count as loads; constant loads without
 * address are other instructions. */
#include "workload/trace/read.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 72, LINE = 8192, REGS = 256, NAME = 256 };

typedef struct {
  trace_store_t *s;
  char name[NAME];
  uint64_t grid[3], block[3], regs, shared, version;
  uint64_t with_lines;              /* each instruction begins with a source line number */
  uint64_t shared_base, local_base; /* windows of generic addresses; 0: not known */
  const char *unknown;              /* the header line that is read, if its key is not known */
  bool launched, in_block;
  uint64_t block_number; /* of the thread block that is read */
  uint64_t warp, left;   /* instructions of the warp still to come */
  bool in_warp;
  trace_record_t r;        /* its gap and waits collect */
  uint64_t loads;          /* of the warp */
  uint64_t reg_load[REGS]; /* 1 + the load that a register waits for, 0 none */
} reader_t;

static int parse_dim(const char *text, uint64_t dim[3], mrpb_err_t *err) {
  unsigned x, y, z;
  char end;
  if (sscanf(text, " (%u,%u,%u%c", &x, &y, &z, &end) != 4 || end != ')')
    return mrpb_fail(err, "'%s'; legal: (X,Y,Z)", text);
  if (x > INT32_MAX || y > UINT16_MAX || z > UINT16_MAX) /* the product fits 64 bits */
    return mrpb_fail(err, "'%s'; legal: X to %d, Y and Z to %d", text, INT32_MAX, UINT16_MAX);
  dim[0] = x;
  dim[1] = y;
  dim[2] = z;
  return 0;
}

/* Lines of the header; `most` 0: of no use here. */
static const struct {
  const char *key;
  size_t to; /* of a number, in reader_t */
  uint64_t least, most;
  int base;
} header_keys[] = {
    {"kernel name", 0, 0, 0, 0},
    {"kernel id", 0, 0, 0, 0},
    {"grid dim", offsetof(reader_t, grid), 0, 0, 0},
    {"block dim", offsetof(reader_t, block), 0, 0, 0},
    {"shmem", offsetof(reader_t, shared), 0, 1 << 20, 10},
    {"nregs", offsetof(reader_t, regs), 0, 1024, 10},
    {"binary version", 0, 0, 0, 0},
    {"cuda stream id", 0, 0, 0, 0},
    {"shmem base_addr", offsetof(reader_t, shared_base), 0, UINT64_MAX, 16},
    {"local mem base_addr", offsetof(reader_t, local_base), 0, UINT64_MAX, 16},
    {"nvbit version", 0, 0, 0, 0},
    {"accelsim tracer version", offsetof(reader_t, version), 3, 5, 10},
    {"enable lineinfo", offsetof(reader_t, with_lines), 0, 1, 10},
};
enum { HEADER_KEYS = sizeof header_keys / sizeof *header_keys };

static int take_header(reader_t *r, unsigned k, const char *value, mrpb_err_t *err) {
  uint64_t *to = (uint64_t *)(void *)((char *)r + header_keys[k].to);
  if (k == 0) snprintf(r->name, sizeof r->name, "%.200s", value);
  if (to == r->grid || to == r->block) return parse_dim(value, to, err);
  if (header_keys[k].most == 0) return 0;
  if (trace_number(value, header_keys[k].base, header_keys[k].most, to) &&
      *to >= header_keys[k].least)
    return 0;
  return mrpb_fail(err, "-%s '%.60s'; legal: a number from %" PRIu64 " to %" PRIu64,
                   header_keys[k].key, value, header_keys[k].least, header_keys[k].most);
}

/* "-grid dim = (8,1,1)". Later tracers may say more than is known here: that is passed over, and
 * the caller told. */
static int parse_header(reader_t *r, const char *line, mrpb_err_t *err) {
  const char *equals = strstr(line, " =");
  if (r->launched) return mrpb_fail(err, "'%.60s' behind the first #BEGIN_TB", line);
  if (!equals || (equals[2] && equals[2] != ' '))
    return mrpb_fail(err, "'%.60s'; legal: -KEY = VALUE", line);
  size_t n = (size_t)(equals - line) - 1;
  for (unsigned k = 0; k < HEADER_KEYS; k++)
    if (strlen(header_keys[k].key) == n && strncmp(line + 1, header_keys[k].key, n) == 0)
      return take_header(r, k, equals + 2 + strspn(equals + 2, " "), err);
  r->unknown = line;
  return 0;
}

static int begin_launch(reader_t *r, mrpb_err_t *err) {
  for (unsigned i = 0; i < 3; i++)
    if (r->grid[i] == 0 || r->block[i] == 0)
      return mrpb_fail(err, "no -grid dim or -block dim before the first thread block");
  r->launched = true;
  for (char *at = r->name; *at; at++)
    if (*at == ' ') *at = '_';
  return trace_store_launch(r->s, r->name[0] ? r->name : "kernel",
                            r->grid[0] * r->grid[1] * r->grid[2],
                            r->block[0] * r->block[1] * r->block[2], r->regs, r->shared, err);
}

/* ---- instructions ---------------------------------------------------------- */

static int reg_number(const char *text) {
  uint64_t v;
  return text[0] == 'R' && trace_number(text + 1, 10, REGS - 1, &v) ? (int)v : -1;
}

/* The register is used: whatever load it waits for is waited for. */
static void use(reader_t *r, const char *text) {
  int reg = reg_number(text);
  if (reg < 0 || r->reg_load[reg] == 0) return;
  uint64_t load = r->reg_load[reg] - 1, distance = r->loads - load;
  for (unsigned i = 0; i < REGS; i++)
    if (r->reg_load[i] == load + 1) r->reg_load[i] = 0;
  if (distance <= TRACE_MAX_WAITS && r->r.n_wait < TRACE_MAX_WAITS)
    r->r.wait[r->r.n_wait++] = (uint8_t)distance;
}

static bool is(const char *opcode, const char *name) {
  size_t n = strlen(name);
  return strncmp(opcode, name, n) == 0 && (opcode[n] == '.' || opcode[n] == '\0');
}

/* What kind of record an opcode makes; false: none. */
static bool classify(const char *op, trace_record_t *r) {
  static const struct {
    const char *name;
    trace_kind_t kind;
    warp_space_t space;
  } known[] = {{"LDG", TRACE_LOAD, WARP_GLOBAL},    {"LD", TRACE_LOAD, WARP_GLOBAL},
               {"LDL", TRACE_LOAD, WARP_GLOBAL},    {"LDS", TRACE_LOAD, WARP_SHARED},
               {"LDSM", TRACE_LOAD, WARP_SHARED},   {"LDC", TRACE_LOAD, WARP_CONST},
               {"STG", TRACE_STORE, WARP_GLOBAL},   {"ST", TRACE_STORE, WARP_GLOBAL},
               {"STL", TRACE_STORE, WARP_GLOBAL},   {"STS", TRACE_STORE, WARP_SHARED},
               {"ATOM", TRACE_LOAD, WARP_GLOBAL},   {"ATOMG", TRACE_LOAD, WARP_GLOBAL},
               {"ATOMS", TRACE_LOAD, WARP_SHARED},  {"RED", TRACE_STORE, WARP_GLOBAL},
               {"LDGSTS", TRACE_LOAD, WARP_GLOBAL}, {"BAR", TRACE_BARRIER, WARP_GLOBAL}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (is(op, known[i].name)) {
      r->kind = known[i].kind;
      r->space = known[i].space;
      return true;
    }
  return false;
}

/* What is left behind an instruction's addresses: version 5 writes its immediate there. */
static int parse_rest(char *const *word, unsigned n, mrpb_err_t *err) {
  int64_t v;
  if (n == 0 || (n == 1 && trace_signed(word[0], &v))) return 0;
  return mrpb_fail(err, "'%.40s' at the end; legal: nothing, or one immediate number", word[0]);
}

/* A generic address may be one of shared memory. */
static void resolve_generic(const reader_t *r, const char *op, trace_record_t *t) {
  if (!is(op, "LD") && !is(op, "ST") && !is(op, "ATOM")) return;
  uint64_t first = t->addr[__builtin_ctz(t->mask)];
  if (r->shared_base == 0 || first < r->shared_base || first >= r->local_base) return;
  t->space = WARP_SHARED;
  for (uint32_t m = t->mask; m; m &= m - 1) t->addr[__builtin_ctz(m)] -= r->shared_base;
}

static int parse_addresses(reader_t *r, char **word, unsigned n, mrpb_err_t *err) {
  trace_record_t *t = &r->r;
  uint64_t mode, a;
  int64_t step = 0;
  unsigned lanes = (unsigned)__builtin_popcount(t->mask), i = 0, needed;
  if (n < 2 || !trace_number(word[0], 10, 2, &mode))
    return mrpb_fail(err, "address encoding; legal: 0, 1 or 2 and addresses");
  needed = mode == 0 ? lanes : mode == 1 ? 2 : lanes;
  if (n < 1 + needed)
    return mrpb_fail(err, "%u words of addresses; legal: %u for encoding %" PRIu64 " and %u lanes",
                     n - 1, needed, mode, lanes);
  if (!trace_number(word[1], 16, UINT64_MAX, &a) || (mode == 1 && !trace_signed(word[2], &step)))
    return mrpb_fail(err, "address '%s'; legal: hexadecimal", word[1]);
  for (uint32_t m = t->mask; m; m &= m - 1, i++) {
    if (i > 0 && mode == 0 && !trace_number(word[1 + i], 16, UINT64_MAX, &a))
      return mrpb_fail(err, "address '%s'; legal: hexadecimal", word[1 + i]);
    if (i > 0 && mode == 2 && !trace_signed(word[1 + i], &step))
      return mrpb_fail(err, "distance '%s'; legal: a decimal number", word[1 + i]);
    if (i > 0 && mode > 0) a += (uint64_t)step;
    t->addr[__builtin_ctz(m)] = a & ~(uint64_t)(t->elem - 1u);
  }
  return parse_rest(word + 1 + needed, n - 1 - needed, err);
}

/* A memory instruction or barrier: the record is complete. */
static int add_record(reader_t *r, char *const *dst, uint64_t n_dst, mrpb_err_t *err) {
  if (trace_store_add(r->s, r->block_number, r->warp, &r->r, err) != 0) return -1;
  if (r->r.kind == TRACE_LOAD) {
    for (uint64_t i = 0; i < n_dst; i++) {
      int reg = reg_number(dst[i]);
      if (reg >= 0) r->reg_load[reg] = r->loads + 1;
    }
    r->loads++;
  }
  r->r.gap = 0;
  r->r.n_wait = 0;
  return 0;
}

static unsigned power_of_two(uint64_t width) {
  unsigned p = 1;
  while (p < width && p < 16) p *= 2;
  return p;
}

/* [LINE] PC MASK N_DST DST... OPCODE N_SRC SRC... WIDTH [ENCODING ADDRESSES] [IMMEDIATE] */
static int parse_instruction(reader_t *r, char **word, unsigned n, mrpb_err_t *err) {
  uint64_t pc, mask, n_dst, n_src, width = 0;
  int64_t line;
  if (r->with_lines && (n == 0 || !trace_signed(word[0], &line)))
    return mrpb_fail(err, "'%.40s'; legal: a line number first, by -enable lineinfo = 1",
                     n ? word[0] : "");
  if (r->with_lines) word++, n--;
  if (n < 5 || !trace_number(word[0], 16, UINT64_MAX, &pc) ||
      !trace_number(word[1], 16, UINT32_MAX, &mask) || !trace_number(word[2], 10, 8, &n_dst) ||
      n < 5 + n_dst || !trace_number(word[4 + n_dst], 10, 16, &n_src) || n < 6 + n_dst + n_src ||
      !trace_number(word[5 + n_dst + n_src], 10, 128, &width))
    return mrpb_fail(err,
                     "an instruction; legal: %sPC MASK N DST... OPCODE N SRC... WIDTH "
                     "[ENCODING ADDRESSES] [IMMEDIATE]",
                     r->with_lines ? "LINE " : "");
  char **dst = word + 3, **src = word + 5 + n_dst, **rest = word + 6 + n_dst + n_src;
  for (uint64_t i = 0; i < n_src; i++) use(r, src[i]);
  for (uint64_t i = 0; i < n_dst; i++) use(r, dst[i]);
  r->r.mask = (uint32_t)mask;
  const char *op = word[3 + n_dst];
  unsigned left = n - (unsigned)(rest - word);
  bool record = classify(op, &r->r);
  bool memory = record && r->r.kind != TRACE_BARRIER;
  if (!record || (memory && (width == 0 || mask == 0))) {
    r->r.gap++;
    return width == 0 ? parse_rest(rest, left, err) : 0;
  }
  r->r.elem = (uint8_t)power_of_two(width);
  if (memory) {
    if (parse_addresses(r, rest, left, err) != 0) return -1;
    resolve_generic(r, op, &r->r);
  }
  return add_record(r, dst, n_dst, err);
}

static int end_warp(reader_t *r, mrpb_err_t *err) {
  r->in_warp = false;
  r->r.kind = TRACE_EXIT;
  if (r->r.gap > 0) r->r.gap--; /* its EXIT */
  return trace_store_add(r->s, r->block_number, r->warp, &r->r, err);
}

/* ---- lines ----------------------------------------------------------------- */

static int begin_block(reader_t *r, const char *line, mrpb_err_t *err) {
  unsigned x, y, z;
  int n = 0;
  if (sscanf(line, "thread block = %u,%u,%u%n", &x, &y, &z, &n) != 3 || line[n] ||
      x >= r->grid[0] || y >= r->grid[1] || z >= r->grid[2])
    return mrpb_fail(err, "'%s'; legal: thread block = X,Y,Z inside the grid", line);
  r->block_number = x + r->grid[0] * (y + r->grid[1] * z);
  r->in_block = true;
  return 0;
}

static int begin_warp(reader_t *r, const char *line, mrpb_err_t *err) {
  if (!trace_number(line + 7, 10, 31, &r->warp))
    return mrpb_fail(err, "'%s'; legal: warp = N", line);
  if (!r->in_block) return mrpb_fail(err, "'%s' before its `thread block =`", line);
  if (r->in_warp) return mrpb_fail(err, "'%s' before the `insts =` of the warp before it", line);
  r->in_warp = true;
  r->left = 0;
  r->loads = 0;
  r->r = (trace_record_t){.gap = 0};
  memset(r->reg_load, 0, sizeof r->reg_load);
  return 0;
}

/* A line of a thread block that is no instruction. */
static int parse_mark(reader_t *r, const char *line, mrpb_err_t *err) {
  if (strncmp(line, "#BEGIN_TB", 9) == 0) {
    r->in_block = false;
    return r->launched ? 0 : begin_launch(r, err);
  }
  if (line[0] == '#') return 0;
  if (!r->launched)
    return mrpb_fail(err, "'%.40s' before #BEGIN_TB; legal: a trace grouped by thread blocks",
                     line);
  if (strncmp(line, "thread block", 12) == 0) return begin_block(r, line, err);
  if (strncmp(line, "warp = ", 7) == 0) return begin_warp(r, line, err);
  if (!r->in_warp) return mrpb_fail(err, "'%.40s' outside a warp", line);
  if (strncmp(line, "insts = ", 8) != 0)
    return mrpb_fail(err, "'%.40s'; legal: insts = N before the warp's instructions", line);
  if (!trace_number(line + 8, 10, UINT64_MAX, &r->left))
    return mrpb_fail(err, "'%s'; legal: insts = N", line);
  return r->left == 0 ? end_warp(r, err) : 0;
}

static int parse_line(reader_t *r, char *line, mrpb_err_t *err) {
  char *word[WORDS];
  for (size_t n = strlen(line); n > 0 && strchr(" \t\r", line[n - 1]);) line[--n] = '\0';
  if (line[0] == '\0') return 0;
  if (r->left == 0) return line[0] == '-' ? parse_header(r, line, err) : parse_mark(r, line, err);
  if (strchr("#tiw", line[0])) /* neither a line number nor a hexadecimal one */
    return mrpb_fail(err, "'%.40s' while %" PRIu64 " instructions of warp %" PRIu64 " are missing",
                     line, r->left, r->warp);
  unsigned n = trace_words(line, word, WORDS);
  if (n > WORDS) return mrpb_fail(err, "more than %d words", WORDS);
  if (parse_instruction(r, word, n, err) != 0) return -1;
  return --r->left == 0 ? end_warp(r, err) : 0;
}

static void note_unknown(reader_t *r, lines_t *l, const char *path, mrpb_err_t *note) {
  if (r->unknown && note)
    (void)mrpb_fail(note, "%s:%lu: '%.80s' is not known and passed over", path, lines_number(l),
                    r->unknown);
  r->unknown = NULL;
}

int trace_read_accelsim(trace_store_t *s, lines_t *l, const char *first, const char *path,
                        mrpb_err_t *note, mrpb_err_t *err) {
  reader_t *r = calloc(1, sizeof *r);
  char *line = malloc(LINE);
  const char *text = first;
  mrpb_err_t why = {{0}};
  int rc = 1;
  if (!r || !line) (void)mrpb_fail(&why, "out of memory");
  if (r) r->s = s;
  while (!why.text[0] && rc > 0) {
    snprintf(line, LINE, "%s", text);
    if (parse_line(r, line, &why) != 0) break;
    note_unknown(r, l, path, note);
    rc = lines_next(l, &text, err);
  }
  if (!why.text[0] && rc == 0 && !r->launched) (void)mrpb_fail(&why, "no thread block");
  if (!why.text[0] && rc == 0 && r->in_warp)
    (void)mrpb_fail(&why,
                    "the trace is cut off: %" PRIu64 " instructions of block %" PRIu64
                    " warp %" PRIu64 " are missing",
                    r->left, r->block_number, r->warp);
  if (!why.text[0] && rc == 0) (void)trace_store_check(s, &why);
  free(r);
  free(line);
  if (rc < 0) return -1;
  return why.text[0] ? mrpb_fail(err, "%s:%lu: %s", path, lines_number(l), why.text) : 0;
}

/* One kernel of a list; `file` is beside the list. */
static int read_kernel(trace_store_t *s, const char *file, const char *list, mrpb_err_t *note,
                       mrpb_err_t *err) {
  const char *slash = strrchr(list, '/'), *line;
  char name[4096], head[LINE];
  lines_t *kernel;
  int n = snprintf(name, sizeof name, "%.*s%s", slash ? (int)(slash + 1 - list) : 0, list, file);
  if (n < 0 || n >= (int)sizeof name) return mrpb_fail(err, "%.60s...: name too long", file);
  if (lines_open(&kernel, name, err) != 0) return -1;
  int rc = lines_next(kernel, &line, err);
  snprintf(head, sizeof head, "%s", rc > 0 ? line : "");
  if (rc == 0) rc = mrpb_fail(err, "%s: empty", name);
  if (rc > 0) rc = trace_read_accelsim(s, kernel, head, name, note, err);
  lines_close(kernel);
  return rc;
}

int trace_read_list(trace_store_t *s, lines_t *l, const char *first, const char *path,
                    mrpb_err_t *note, mrpb_err_t *err) {
  const char *text = first;
  int rc = 1;
  while (rc > 0) {
    if (strstr(text, ".trace")) {
      if (read_kernel(s, text, path, note, err) < 0) return -1;
    } else if (text[0] && strncmp(text, "Memcpy", 6) != 0) {
      return mrpb_fail(err, "%s:%lu: '%.40s'; legal: Memcpy..., or the name of a .traceg file",
                       path, lines_number(l), text);
    }
    rc = lines_next(l, &text, err);
  }
  return rc;
}
