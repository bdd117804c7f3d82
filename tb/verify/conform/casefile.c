/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes kept cases. */
#include "verify/conform/casefile.h"

#include "base/input.h"
#include "base/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int conform_casefile_write(const char *path, const char *top, const conform_cfg_t *cfg,
                           unsigned clause, const conform_case_t *c, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  fprintf(f, "mrpb-conform 1\ntop %s\n", top);
  for (unsigned i = 0; i < CONFORM_PARAMS; i++)
    fprintf(f, "set %s %" PRIu32 "\n", conform_params[i].name, ((const uint32_t *)cfg)[i]);
  fprintf(f, "clause %u\nseed %" PRIu64 "\ncycles %zu\n", clause, c->seed, c->n);
  fprintf(f, "# srst_ni read_valid read_addr read_tag line_ready fill_valid fill_addr fill_ticket "
             "answer_ready\n");
  for (size_t t = 0; t < c->n; t++) {
    const uint64_t *w = (const uint64_t *)(const void *)&c->in[t];
    for (unsigned i = 0; i < CONFORM_IN_WORDS; i++) fprintf(f, "%s%" PRIx64, i ? " " : "", w[i]);
    fputc('\n', f);
  }
  return output_close(f, ferror(f) != 0, path, temp, err);
}

typedef struct {
  conform_cfg_t *cfg;
  conform_case_t *c;
  unsigned line, sizes;
  size_t cycles;
} reader_t;

static int head(reader_t *r, const char *text, mrpb_err_t *why) {
  char name[32];
  unsigned value;
  size_t end = 0;
  if (sscanf(text, "set %31[A-Z_] %9u", name, &value) == 2) {
    for (unsigned i = 0; i < CONFORM_PARAMS; i++)
      if (strcmp(conform_params[i].name, name) == 0) {
        ((uint32_t *)r->cfg)[i] = value;
        r->sizes |= 1u << i;
        return 0;
      }
    return mrpb_fail(why, "'%s' is not a size", name);
  }
  if (sscanf(text, "seed %" SCNu64, &r->c->seed) == 1 || strncmp(text, "top ", 4) == 0 ||
      strncmp(text, "clause ", 7) == 0)
    return 0;
  if (sscanf(text, "cycles %zu", &end) != 1 || end < 1 || end > 10000000)
    return mrpb_fail(
        why, "'%.40s'; legal: top, set NAME VALUE, clause, seed, cycles (1 to 10000000)", text);
  r->c->in = calloc(end, sizeof *r->c->in);
  if (!r->c->in) return mrpb_fail(why, "out of memory");
  r->c->room = r->cycles = end;
  return 0;
}

static int take_line(void *ctx, char *line, mrpb_err_t *why) {
  reader_t *r = ctx;
  r->line++;
  if (r->line == 1)
    return strcmp(line, "mrpb-conform 1") == 0
               ? 0
               : mrpb_fail(why, "not a case; legal: mrpb-conform 1");
  if (!line[0] || line[0] == '#') return 0;
  if (!r->c->in) return head(r, line, why);
  if (r->c->n == r->cycles) return mrpb_fail(why, "more than %zu cycles", r->cycles);
  uint64_t *w = (uint64_t *)(void *)&r->c->in[r->c->n++];
  char *end = line;
  const uint64_t mask[CONFORM_IN_WORDS] = {
      1, 1, bits_mask(r->cfg->ADDR_W), bits_mask(r->cfg->TAG_W),
      1, 1, bits_mask(r->cfg->ADDR_W), bits_mask(r->cfg->TICKET_W),
      1};
  for (unsigned i = 0; i < CONFORM_IN_WORDS; i++) {
    char *from = end;
    w[i] = strtoull(from, &end, 16);
    if (end == from || w[i] & ~mask[i] || strchr(from, '-'))
      return mrpb_fail(why, "value %u of the line; legal: %u hexadecimal numbers that fit", i + 1,
                       (unsigned)CONFORM_IN_WORDS);
  }
  return *end ? mrpb_fail(why, "more than %u values", (unsigned)CONFORM_IN_WORDS) : 0;
}

int conform_casefile_read(const char *path, conform_cfg_t *cfg, conform_case_t *c,
                          mrpb_err_t *err) {
  reader_t r = {.cfg = cfg, .c = c};
  memset(c, 0, sizeof *c);
  conform_defaults(cfg);
  int rc = input_lines(path, take_line, &r, err);
  if (rc == 0 && (!c->in || c->n < r.cycles))
    rc = mrpb_fail(err, "%s: ends after %zu of %zu cycles", path, c->n, r.cycles);
  if (rc == 0 && r.sizes != (1u << CONFORM_PARAMS) - 1)
    rc = mrpb_fail(err, "%s: not all sizes are set", path);
  if (rc == 0) rc = conform_check(cfg, err);
  if (rc != 0) {
    free(c->in);
    c->in = NULL;
  }
  return rc;
}
