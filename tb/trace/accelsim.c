/* Kernel traces of Accel-Sim's NVBit tracer (.traceg), as far as the memory path needs them: launch
 * shape; per warp the instructions with their registers, and the addresses of memory instructions
 * in their three encodings. Atomics count as loads; constant loads without address are other
 * instructions. */
#include "trace/read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 64, LINE = 8192, REGS = 256, NAME = 256 };

typedef struct {
  trace_store_t *s;
  char name[NAME];
  uint64_t grid[3], block[3], regs, shared;
  bool with_lines; /* each instruction begins with a source line number */
  bool launched;
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

/* "-grid dim = (8,1,1)" */
static int parse_header(reader_t *r, const char *line, mrpb_err_t *err) {
  const char *equals = strchr(line, '='),
             *value = equals ? equals + 1 + strspn(equals + 1, " ") : "";
  if (!equals) return 0; /* nothing that is needed here has no value */
  if (strncmp(line, "-kernel name", 12) == 0) snprintf(r->name, sizeof r->name, "%.200s", value);
  if (strncmp(line, "-grid dim", 9) == 0) return parse_dim(value, r->grid, err);
  if (strncmp(line, "-block dim", 10) == 0) return parse_dim(value, r->block, err);
  if (strncmp(line, "-nregs", 6) == 0 && !trace_number(value, 10, 1024, &r->regs))
    return mrpb_fail(err, "-nregs '%s'; legal: a number", value);
  if (strncmp(line, "-shmem =", 8) == 0 && !trace_number(value, 10, 1 << 20, &r->shared))
    return mrpb_fail(err, "-shmem '%s'; legal: a number", value);
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
  } known[] = {{"LDG", TRACE_LOAD, WARP_GLOBAL},   {"LD", TRACE_LOAD, WARP_GLOBAL},
               {"LDL", TRACE_LOAD, WARP_GLOBAL},   {"LDS", TRACE_LOAD, WARP_SHARED},
               {"LDC", TRACE_LOAD, WARP_CONST},    {"STG", TRACE_STORE, WARP_GLOBAL},
               {"ST", TRACE_STORE, WARP_GLOBAL},   {"STL", TRACE_STORE, WARP_GLOBAL},
               {"STS", TRACE_STORE, WARP_SHARED},  {"ATOM", TRACE_LOAD, WARP_GLOBAL},
               {"ATOMG", TRACE_LOAD, WARP_GLOBAL}, {"ATOMS", TRACE_LOAD, WARP_SHARED},
               {"RED", TRACE_STORE, WARP_GLOBAL},  {"LDGSTS", TRACE_LOAD, WARP_GLOBAL},
               {"BAR", TRACE_BARRIER, WARP_GLOBAL}};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (is(op, known[i].name)) {
      r->kind = known[i].kind;
      r->space = known[i].space;
      return true;
    }
  return false;
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
  return 0;
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

/* [LINE] PC MASK N_DST DST... OPCODE N_SRC SRC... WIDTH [ENCODING ADDRESSES] ... */
static int parse_instruction(reader_t *r, char **word, unsigned n, mrpb_err_t *err) {
  uint64_t pc, mask, n_dst, n_src, width = 0;
  if (r->with_lines && n > 0) word++, n--;
  if (n < 5 || !trace_number(word[0], 16, UINT64_MAX, &pc) ||
      !trace_number(word[1], 16, UINT32_MAX, &mask) || !trace_number(word[2], 10, 8, &n_dst) ||
      n < 5 + n_dst || !trace_number(word[4 + n_dst], 10, 16, &n_src) || n < 6 + n_dst + n_src ||
      !trace_number(word[5 + n_dst + n_src], 10, 128, &width))
    return mrpb_fail(err, "an instruction; legal: PC MASK N DST... OPCODE N SRC... WIDTH "
                          "[ENCODING ADDRESSES]");
  char **dst = word + 3, **src = word + 5 + n_dst, **rest = word + 6 + n_dst + n_src;
  for (uint64_t i = 0; i < n_src; i++) use(r, src[i]);
  for (uint64_t i = 0; i < n_dst; i++) use(r, dst[i]);
  r->r.mask = (uint32_t)mask;
  bool record = classify(word[3 + n_dst], &r->r);
  bool memory = record && r->r.kind != TRACE_BARRIER;
  if (!record || (memory && (width == 0 || mask == 0))) {
    r->r.gap++;
    return 0;
  }
  r->r.elem = (uint8_t)power_of_two(width);
  if (memory && parse_addresses(r, rest, n - (unsigned)(rest - word), err) != 0) return -1;
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
  if (sscanf(line, "thread block = %u,%u,%u", &x, &y, &z) != 3 || x >= r->grid[0] ||
      y >= r->grid[1] || z >= r->grid[2])
    return mrpb_fail(err, "'%s'; legal: thread block = X,Y,Z inside the grid", line);
  r->block_number = x + r->grid[0] * (y + r->grid[1] * z);
  return 0;
}

static int begin_warp(reader_t *r, const char *line, mrpb_err_t *err) {
  if (!trace_number(line + 7, 10, 31, &r->warp))
    return mrpb_fail(err, "'%s'; legal: warp = N", line);
  r->in_warp = true;
  r->left = 0;
  r->loads = 0;
  r->r = (trace_record_t){.gap = 0};
  memset(r->reg_load, 0, sizeof r->reg_load);
  return 0;
}

static int parse_line(reader_t *r, char *line, mrpb_err_t *err) {
  char *word[WORDS];
  if (line[0] == '\0') return 0;
  if (line[0] == '-') return parse_header(r, line, err);
  if (strncmp(line, "#traces format", 14) == 0) {
    r->with_lines = strstr(line, "line_num") != NULL;
    return 0;
  }
  if (strncmp(line, "#BEGIN_TB", 9) == 0) return r->launched ? 0 : begin_launch(r, err);
  if (line[0] == '#') return 0;
  if (!r->launched) return mrpb_fail(err, "'%.40s' before #BEGIN_TB", line);
  if (strncmp(line, "thread block", 12) == 0) return begin_block(r, line, err);
  if (strncmp(line, "warp = ", 7) == 0) return begin_warp(r, line, err);
  if (!r->in_warp) return mrpb_fail(err, "'%.40s' outside a warp", line);
  if (strncmp(line, "insts = ", 8) == 0) {
    if (!trace_number(line + 8, 10, UINT64_MAX, &r->left))
      return mrpb_fail(err, "'%s'; legal: insts = N", line);
    return r->left == 0 ? end_warp(r, err) : 0;
  }
  unsigned n = trace_words(line, word, WORDS);
  if (n > WORDS) return mrpb_fail(err, "more than %d words", WORDS);
  if (r->left == 0) return mrpb_fail(err, "an instruction without `insts =` before it");
  if (parse_instruction(r, word, n, err) != 0) return -1;
  return --r->left == 0 ? end_warp(r, err) : 0;
}

int trace_read_accelsim(trace_store_t *s, lines_t *l, const char *first, const char *path,
                        mrpb_err_t *err) {
  reader_t *r = calloc(1, sizeof *r);
  char *line = malloc(LINE);
  const char *text = first;
  mrpb_err_t why = {{0}};
  int rc = 1;
  if (!r || !line) (void)mrpb_fail(&why, "out of memory");
  if (r) r->s = s;
  while (!why.text[0] && rc > 0) {
    snprintf(line, LINE, "%s", text);
    if (parse_line(r, line, &why) == 0) rc = lines_next(l, &text, err);
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

int trace_read_list(trace_store_t *s, lines_t *l, const char *first, const char *path,
                    mrpb_err_t *err) {
  const char *text = first, *slash = strrchr(path, '/'), *line;
  char name[4096], head[256];
  int rc = 1;
  while (rc > 0) {
    if (text[0] && strncmp(text, "Memcpy", 6) != 0) {
      lines_t *kernel;
      snprintf(name, sizeof name, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, text);
      if (lines_open(&kernel, name, err) != 0) return -1;
      rc = lines_next(kernel, &line, err);
      snprintf(head, sizeof head, "%s", rc > 0 ? line : "");
      if (rc == 0) rc = mrpb_fail(err, "%s: empty", name);
      if (rc > 0) rc = trace_read_accelsim(s, kernel, head, name, err);
      lines_close(kernel);
      if (rc < 0) return -1;
    }
    rc = lines_next(l, &text, err);
  }
  return rc;
}
