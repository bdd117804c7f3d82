/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of a DRAM run: see source.h. */
#include "gpu/dram/source.h"
#include "base/lines.h"
#include "prng.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 256, WORDS = 3, SEED = 480 };
enum { READ, WRITE, NEITHER };
static const uint64_t MOST_CYCLE = UINT64_C(1000000000000000);

typedef dram_request_t pattern_fn(uint64_t i, prng_t *rng);

struct dram_source {
  dram_format_t format;
  char *path; /* of a file */
  lines_t *lines;
  pattern_fn *make; /* of a pattern */
  const char *name;
  uint64_t i, n;
  prng_t rng;
};

/* ---- patterns --------------------------------------------------------------- */

/* Blocks of 32 bytes; a row of a bank has 64 of them, and 16 banks come before the next row. */
enum { BLOCK = 32, BANK = 64 * BLOCK, ROW = 16 * BANK };
static const uint64_t BLOCKS = UINT64_C(1) << 22, HALF = UINT64_C(1) << 26;

static dram_request_t stream(uint64_t i, prng_t *rng) {
  (void)rng;
  return (dram_request_t){.addr = i * BLOCK};
}

static dram_request_t random_blocks(uint64_t i, prng_t *rng) {
  (void)i;
  return (dram_request_t){.addr = prng_below(rng, (uint32_t)BLOCKS) * (uint64_t)BLOCK};
}

static dram_request_t banks(uint64_t i, prng_t *rng) {
  (void)rng;
  return (dram_request_t){.addr = i % 16 * BANK + i / 16 % 64 * BLOCK + i / 1024 * ROW};
}

static dram_request_t pingpong(uint64_t i, prng_t *rng) {
  (void)rng;
  return (dram_request_t){.addr = i % 2 * ROW + i / 2 % 64 * BLOCK};
}

static dram_request_t rows(uint64_t i, prng_t *rng) {
  (void)rng;
  return (dram_request_t){.addr = i % 4096 * ROW};
}

static dram_request_t writes(uint64_t i, prng_t *rng) {
  dram_request_t r = stream(i, rng);
  r.write = true;
  return r;
}

static dram_request_t random_writes(uint64_t i, prng_t *rng) {
  dram_request_t r = random_blocks(i, rng);
  r.write = true;
  return r;
}

/* Reads and writes alternate. */
static dram_request_t copy(uint64_t i, prng_t *rng) {
  dram_request_t r = stream(i / 2, rng);
  r.write = i % 2;
  if (r.write) r.addr += HALF;
  return r;
}

static dram_request_t mix(uint64_t i, prng_t *rng) {
  dram_request_t r = random_blocks(i, rng);
  r.write = prng_below(rng, 3) == 0;
  return r;
}

static const struct {
  const char *name, *doc;
  pattern_fn *make;
} patterns[] = {
    {"stream", "reads of block after block: address 32 i", stream},
    {"random", "reads of uniformly random blocks of 128 MB", random_blocks},
    {"banks", "reads of all banks in turn, rows one after another", banks},
    {"pingpong", "reads of two rows of one bank in turn", pingpong},
    {"rows", "reads of one bank, every one of another row", rows},
    {"writes", "writes of block after block", writes},
    {"random-writes", "writes of uniformly random blocks of 128 MB", random_writes},
    {"copy", "a read of one stream and a write of another, 64 MB away, in turn", copy},
    {"mix", "random blocks, a random third of them written", mix},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

const char *dram_pattern_name(unsigned i) {
  return i < PATTERNS ? patterns[i].name : NULL;
}
const char *dram_pattern_doc(unsigned i) {
  return i < PATTERNS ? patterns[i].doc : NULL;
}

int dram_source_pattern(dram_source_t **out, const char *name, uint64_t requests, mrpb_err_t *err) {
  char all[LINE] = "";
  *out = NULL;
  for (unsigned i = 0; i < PATTERNS; i++) {
    size_t n = strlen(all);
    snprintf(all + n, sizeof all - n, "%s%s", n ? ", " : "", patterns[i].name);
    if (strcmp(patterns[i].name, name) != 0) continue;
    dram_source_t *s = calloc(1, sizeof *s);
    if (!s) return mrpb_fail(err, "%s: out of memory", name);
    s->name = patterns[i].name;
    s->make = patterns[i].make;
    s->n = requests;
    s->rng = prng_seed(SEED, 0);
    *out = s;
    return 0;
  }
  return mrpb_fail(err, "pattern '%.40s'; legal: %s", name, all);
}

/* ---- files ------------------------------------------------------------------ */

static const char *const format_names[] = {"auto", "dramsim3", "ramulator", "loadstore"};
enum { FORMATS = sizeof format_names / sizeof *format_names };

int dram_format_parse(dram_format_t *format, const char *name, mrpb_err_t *err) {
  for (unsigned i = 0; i < FORMATS; i++)
    if (strcmp(format_names[i], name) == 0) {
      *format = (dram_format_t)i;
      return 0;
    }
  return mrpb_fail(err, "format '%.40s'; legal: auto, dramsim3, ramulator, loadstore", name);
}

const char *dram_format_name(dram_format_t format) {
  return format_names[format];
}

int dram_source_open(dram_source_t **out, const char *path, dram_format_t format, mrpb_err_t *err) {
  dram_source_t *s = calloc(1, sizeof *s);
  *out = NULL;
  if (!s || !(s->path = malloc(strlen(path) + 1))) {
    free(s);
    return mrpb_fail(err, "%s: out of memory", path);
  }
  strcpy(s->path, path);
  s->format = format;
  if (lines_open(&s->lines, path, err) != 0) {
    dram_source_close(s);
    return -1;
  }
  *out = s;
  return 0;
}

void dram_source_close(dram_source_t *s) {
  if (!s) return;
  lines_close(s->lines);
  free(s->path);
  free(s);
}

dram_format_t dram_source_format(const dram_source_t *s) {
  return s->format;
}

void dram_source_where(const dram_source_t *s, char *text, size_t size) {
  if (s->path)
    snprintf(text, size, "%s:%lu", s->path, lines_number(s->lines));
  else
    snprintf(text, size, "%s, request %" PRIu64, s->name, s->i);
}

/* Parses all of `text` as a number. Base 16 takes an optional 0x; base 0 is decimal unless the text
 * begins with 0x. */
static bool number(const char *text, int base, uint64_t *v) {
  bool prefix = text[0] == '0' && (text[1] | 0x20) == 'x';
  char *end = NULL;
  if (base == 0) base = prefix ? 16 : 10;
  if (base == 16 && prefix) text += 2;
  if (strspn(text, base == 16 ? "0123456789abcdefABCDEF" : "0123456789") != strlen(text) ||
      text[0] == '\0')
    return false;
  errno = 0;
  *v = strtoull(text, &end, base);
  return errno == 0 && *end == '\0';
}

/* The words that name an operation. NEITHER marks words of DRAMSim2's kind k6 that are not
 * requests. */
static const struct {
  const char *name;
  dram_format_t format;
  int is;
} operations[] = {
    {"READ", DRAM_DRAMSIM3, READ},      {"WRITE", DRAM_DRAMSIM3, WRITE},
    {"read", DRAM_DRAMSIM3, READ},      {"write", DRAM_DRAMSIM3, WRITE},
    {"IFETCH", DRAM_DRAMSIM3, READ},    {"P_MEM_RD", DRAM_DRAMSIM3, READ},
    {"P_FETCH", DRAM_DRAMSIM3, READ},   {"P_MEM_WR", DRAM_DRAMSIM3, WRITE},
    {"P_LOCK_RD", DRAM_DRAMSIM3, READ}, {"P_LOCK_WR", DRAM_DRAMSIM3, READ},
    {"BOFF", DRAM_DRAMSIM3, NEITHER},   {"P_INT_ACK", DRAM_DRAMSIM3, NEITHER},
    {"R", DRAM_RAMULATOR, READ},        {"W", DRAM_RAMULATOR, WRITE},
    {"READ", DRAM_RAMULATOR, READ},     {"WRITE", DRAM_RAMULATOR, WRITE},
    {"read", DRAM_RAMULATOR, READ},     {"write", DRAM_RAMULATOR, WRITE},
    {"LD", DRAM_LOADSTORE, READ},       {"ST", DRAM_LOADSTORE, WRITE},
};

/* The meaning of the word in that format; -1 if it has none. */
static int operation(const char *text, dram_format_t format) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (operations[i].format == format && strcmp(text, operations[i].name) == 0)
      return operations[i].is;
  return -1;
}

/* Returns READ, WRITE or NEITHER; -1 if it is not a line of that format. */
static int parse(dram_format_t format, char *const *word, unsigned n, dram_request_t *r) {
  int op = -1;
  bool good = false;
  r->cycle = 0;
  if (format == DRAM_DRAMSIM3 && n == 3) {
    op = operation(word[1], format);
    good =
        number(word[0], 16, &r->addr) && number(word[2], 10, &r->cycle) && r->cycle <= MOST_CYCLE;
  } else if (format == DRAM_RAMULATOR && n == 2) {
    op = operation(word[1], format);
    good = number(word[0], 16, &r->addr);
  } else if (format == DRAM_LOADSTORE && n == 2) {
    op = operation(word[0], format);
    good = number(word[1], 0, &r->addr);
  }
  r->write = op == WRITE;
  return good ? op : -1;
}

static unsigned split(char *line, char *word[WORDS + 1]) {
  unsigned n = 0;
  char *save = NULL;
  for (char *w = strtok_r(line, " \t\r", &save); w && n <= WORDS;
       w = strtok_r(NULL, " \t\r", &save))
    word[n++] = w;
  return n;
}

static int refuse(const dram_source_t *s, const char *line, mrpb_err_t *err) {
  static const char *const legal[] = {
      ("ADDRESS READ|WRITE CYCLE (DRAMsim3), ADDRESS R|W (Ramulator), or LD|ST ADDRESS (Ramulator "
       "2); a CPU's trace must go through its simulator's caches first"),
      ("ADDRESS READ|WRITE CYCLE, the address hexadecimal, the cycle at most 10^15 (DRAMSim2's "
       "traceParse.py makes that of a k6 trace)"),
      "ADDRESS R|W, the address hexadecimal", "LD|ST ADDRESS, decimal or 0x and hexadecimal"};
  return mrpb_fail(err, "%s:%lu: '%.60s'; legal: %s", s->path, lines_number(s->lines), line,
                   legal[s->format]);
}

/* Parses a request from a line. Returns 1, or 0 if the line has none. */
static int parse_line(dram_source_t *s, const char *line, dram_request_t *r, mrpb_err_t *err) {
  char copy_[LINE], *word[WORDS + 1];
  if (line[strspn(line, " \t\r")] == '\0' || line[0] == '#') return 0;
  if (strlen(line) >= sizeof copy_) return refuse(s, line, err);
  strcpy(copy_, line);
  unsigned n = split(copy_, word);
  for (unsigned f = DRAM_DRAMSIM3; s->format == DRAM_AUTO && f < FORMATS; f++)
    if (parse((dram_format_t)f, word, n, r) >= 0) s->format = (dram_format_t)f;
  const int op = s->format == DRAM_AUTO ? -1 : parse(s->format, word, n, r);
  return op < 0 ? refuse(s, line, err) : op != NEITHER;
}

int dram_source_next(dram_source_t *s, dram_request_t *r, mrpb_err_t *err) {
  if (s->make) {
    if (s->i == s->n) return 0;
    *r = s->make(s->i++, &s->rng);
    return 1;
  }
  const char *line;
  int rc;
  while ((rc = lines_next(s->lines, &line, err)) > 0)
    if ((rc = parse_line(s, line, r, err)) != 0) {
      s->i++;
      return rc;
    }
  if (rc == 0 && s->i == 0) return mrpb_fail(err, "%s: no request; legal: at least one", s->path);
  return rc;
}

void dram_format_write(FILE *f, dram_format_t format, const dram_request_t *r) {
  if (format == DRAM_RAMULATOR)
    fprintf(f, "0x%" PRIx64 " %c\n", r->addr, r->write ? 'W' : 'R');
  else if (format == DRAM_LOADSTORE)
    fprintf(f, "%s 0x%" PRIx64 "\n", r->write ? "ST" : "LD", r->addr);
  else
    fprintf(f, "0x%" PRIx64 " %s %" PRIu64 "\n", r->addr, r->write ? "WRITE" : "READ", r->cycle);
}
