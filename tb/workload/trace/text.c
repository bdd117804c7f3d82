/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the project's own trace format (docs/trace.md), and opens a trace of any format. */
#include "workload/trace/read.h"
#include "workload/trace/trace.h"
#include "workload/trace/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 8, LINE = 8192 };

/* ---- reading --------------------------------------------------------------- */

static int parse_waits(const char *text, trace_record_t *r, mrpb_err_t *err) {
  r->n_wait = 0;
  if (strcmp(text, "-") == 0) return 0;
  for (const char *at = text;;) {
    char *end = NULL;
    unsigned long v = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : 0;
    if (!end || v < 1 || v > TRACE_MAX_WAITS || r->n_wait == TRACE_MAX_WAITS ||
        (*end != ',' && *end != '\0'))
      return mrpb_fail(err, "waits '%s'; legal: - or distances from 1 to %d, joined by commas",
                       text, TRACE_MAX_WAITS);
    r->wait[r->n_wait++] = (uint8_t)v;
    if (*end == '\0') return 0;
    at = end + 1;
  }
}

/* ld.g.4 */
static int parse_op(const char *text, trace_record_t *r, mrpb_err_t *err) {
  static const char spaces[] = "gsct"; /* in the order of warp_space_t */
  const char *space = strlen(text) >= 6 && text[3] ? strchr(spaces, text[3]) : NULL;
  uint64_t elem;
  bool load = strncmp(text, "ld.", 3) == 0;
  if ((!load && strncmp(text, "st.", 3) != 0) || !space || text[4] != '.' ||
      !trace_number(text + 5, 10, 16, &elem) || elem == 0 || (elem & (elem - 1)) != 0)
    return mrpb_fail(err, "operation '%s'; legal: ld or st, .g .s .c or .t, .1 .2 .4 .8 or .16",
                     text);
  r->kind = load ? TRACE_LOAD : TRACE_STORE;
  r->space = (warp_space_t)(space - spaces);
  r->elem = (uint8_t)elem;
  return 0;
}

/* BASE+STRIDE (hexadecimal, signed decimal) or one hexadecimal address per active lane. */
static int parse_addresses(char *text, trace_record_t *r, mrpb_err_t *err) {
  char *plus = strpbrk(text, "+-"), *save = NULL;
  uint64_t a = 0;
  int64_t stride = 0;
  if (plus) {
    char sign = *plus;
    *plus = '\0';
    if (!trace_number(text, 16, UINT64_MAX, &a) || !trace_signed(plus + 1, &stride) ||
        plus[1] == '-' || plus[1] == '+')
      return mrpb_fail(err, "addresses; legal: BASE+STRIDE or one a lane");
    for (uint32_t m = r->mask; m; m &= m - 1) {
      r->addr[__builtin_ctz(m)] = a;
      a = sign == '+' ? a + (uint64_t)stride : a - (uint64_t)stride;
    }
    return 0;
  }
  uint32_t m = r->mask;
  for (char *w = strtok_r(text, ",", &save); w; w = strtok_r(NULL, ",", &save)) {
    if (m == 0 || !trace_number(w, 16, UINT64_MAX, &r->addr[__builtin_ctz(m)]))
      return mrpb_fail(err,
                       "addresses; legal: one hexadecimal number for each of the %d active lanes",
                       __builtin_popcount(r->mask));
    m &= m - 1;
  }
  return m == 0 ? 0 : mrpb_fail(err, "addresses of %d lanes are missing", __builtin_popcount(m));
}

static int parse_access(char **word, unsigned n, trace_record_t *r, mrpb_err_t *err) {
  uint64_t mask;
  if (n < 7) return mrpb_fail(err, "legal: m BLOCK WARP GAP WAITS OPERATION MASK ADDRESSES");
  if (parse_op(word[5], r, err) != 0) return -1;
  if (!trace_number(word[6], 16, UINT32_MAX, &mask))
    return mrpb_fail(err, "mask '%s'; legal: 32 bits, hexadecimal", word[6]);
  r->mask = (uint32_t)mask;
  if (mask == 0) return 0;
  if (n != 8) return mrpb_fail(err, "the addresses are missing");
  if (parse_addresses(word[7], r, err) != 0) return -1;
  for (uint32_t m = r->mask; m; m &= m - 1)
    if (r->addr[__builtin_ctz(m)] % r->elem || r->addr[__builtin_ctz(m)] >> 49)
      return mrpb_fail(err, "address 0x%" PRIx64 "; legal: a multiple of %u below 2^49",
                       r->addr[__builtin_ctz(m)], r->elem);
  return 0;
}

static int parse_launch(trace_store_t *s, char **word, unsigned n, mrpb_err_t *err) {
  uint64_t v[4];
  if (n != 6) return mrpb_fail(err, "legal: launch NAME BLOCKS THREADS REGISTERS SHARED");
  for (unsigned i = 0; i < 4; i++)
    if (!trace_number(word[2 + i], 10, UINT32_MAX, &v[i]))
      return mrpb_fail(err, "'%s'; legal: a number", word[2 + i]);
  return trace_store_launch(s, word[1], v[0], v[1], v[2], v[3], err);
}

static int parse_record(trace_store_t *s, char **word, unsigned n, mrpb_err_t *err) {
  trace_record_t r = {.kind = word[0][0] == 'b' ? TRACE_BARRIER : TRACE_EXIT};
  uint64_t block, warp, gap;
  if (n < 5 || (word[0][0] != 'm' && n != 5))
    return mrpb_fail(err, "legal: %s BLOCK WARP GAP WAITS%s", word[0],
                     word[0][0] == 'm' ? " OPERATION MASK ADDRESSES" : "");
  if (!trace_number(word[1], 10, UINT32_MAX, &block) ||
      !trace_number(word[2], 10, UINT32_MAX, &warp) || !trace_number(word[3], 10, 1 << 30, &gap))
    return mrpb_fail(err, "block, warp and gap; legal: numbers");
  r.gap = (uint32_t)gap;
  if (parse_waits(word[4], &r, err) != 0) return -1;
  if (word[0][0] == 'm' && parse_access(word, n, &r, err) != 0) return -1;
  return trace_store_add(s, block, warp, &r, err);
}

/* Returns 1 at the end of the trace. */
static int parse_line(trace_store_t *s, char *line, uint64_t records, mrpb_err_t *err) {
  char *word[WORDS] = {NULL};
  unsigned n = trace_words(line, word, WORDS);
  uint64_t v;
  if (n == 0 || word[0][0] == '#') return 0;
  if (n > WORDS) return mrpb_fail(err, "more than %d words", WORDS);
  if (strcmp(word[0], "launch") == 0) return parse_launch(s, word, n, err);
  if (strcmp(word[0], "end") == 0) {
    if (n != 2 || !trace_number(word[1], 10, UINT64_MAX, &v) || v != records)
      return mrpb_fail(err,
                       "%" PRIu64 " records were read; the trace says %s: it is cut or damaged",
                       records, n > 1 ? word[1] : "nothing");
    return trace_store_check(s, err) == 0 ? 1 : -1;
  }
  if (strchr("mbx", word[0][0]) && word[0][1] == '\0') return parse_record(s, word, n, err);
  return mrpb_fail(err, "'%s'; legal: launch, m, b, x, end", word[0]);
}

static int trace_read_text(trace_store_t *s, lines_t *l, const char *path, mrpb_err_t *err) {
  const char *text;
  char *line = malloc(LINE);
  uint64_t records = 0;
  int rc = 0, end = 0;
  if (!line) return mrpb_fail(err, "%s: out of memory", path);
  while ((rc = lines_next(l, &text, err)) > 0) {
    mrpb_err_t why = {{0}};
    memcpy(line, text, strlen(text) + 1);
    bool record = text[0] && strchr("mbx", text[0]) && text[1] == ' ';
    if (end)
      (void)mrpb_fail(&why, "text after the end");
    else
      end = parse_line(s, line, records, &why);
    records += record;
    if (why.text[0]) {
      rc = mrpb_fail(err, "%s:%lu: %s", path, lines_number(l), why.text);
      break;
    }
  }
  free(line);
  if (rc != 0) return -1;
  if (!end)
    return mrpb_fail(err, "%s:%lu: the trace is cut off; legal: a last line `end RECORDS`", path,
                     lines_number(l));
  return 0;
}

/* ---- any format ------------------------------------------------------------ */

static bool is_header(const char *line) {
  return line[0] == '-' && strstr(line, " =");
}

static int read_any(trace_store_t *s, const char *path, mrpb_err_t *note, mrpb_err_t *err) {
  lines_t *l;
  const char *text;
  char first[LINE] = "";
  if (trace_is_tracez(path)) return trace_read_tracez(s, path, note, err);
  if (lines_open(&l, path, err) != 0) return -1;
  int rc = lines_next(l, &text, err);
  if (rc > 0) memcpy(first, text, strlen(text) + 1);
  if (rc < 0) {
    rc = -1;
  } else if (strcmp(first, "mrpb-trace 1") == 0) {
    rc = trace_read_text(s, l, path, err);
  } else if (is_header(first)) {
    rc = trace_read_accelsim(s, l, first, path, note, err);
  } else if (strncmp(first, "Memcpy", 6) == 0 || strstr(first, ".trace")) {
    rc = trace_read_list(s, l, first, path, note, err);
  } else {
    rc = mrpb_fail(err,
                   "%s:1: '%.40s'; legal: a first line `mrpb-trace 1`, `-kernel name = ...` "
                   "(Accel-Sim), or a list of kernels' traces",
                   path, first);
  }
  lines_close(l);
  return rc;
}

int trace_open(workload_t **out, const char *path, mrpb_err_t *note, mrpb_err_t *err) {
  trace_store_t s = {0};
  mrpb_err_t why = {{0}};
  *out = NULL;
  if (trace_store_open(&s, &why) != 0) return mrpb_fail(err, "%s: %s", path, why.text);
  int rc = read_any(&s, path, note, err);
  if (rc == 0 && trace_store_end(&s, &why) != 0) rc = mrpb_fail(err, "%s: %s", path, why.text);
  if (rc == 0 && !(*out = trace_play(&s))) rc = mrpb_fail(err, "%s: out of memory", path);
  trace_store_free(&s);
  return rc;
}
