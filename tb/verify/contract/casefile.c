/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes kept cases. */
#include "verify/contract/casefile.h"

#include "base/input.h"
#include "base/output.h"
#include "bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CYCLES = 10000000 };

/* Writes the value of a port without zeros in front. */
static void write_value(FILE *f, const module_port_t *p, const uint64_t *in) {
  unsigned w = (p->width - 1) / 64;
  while (w > 0 && !in[p->word + w]) w--;
  fprintf(f, "%" PRIx64, in[p->word + w]);
  while (w-- > 0) fprintf(f, "%016" PRIx64, in[p->word + w]);
}

int contract_casefile_write(const char *path, const contract_setup_t *s, unsigned clause,
                            const contract_case_t *c, mrpb_err_t *err) {
  const module_class_t *cls = s->of->cls;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  cls->ports(s->cfg, in, out);
  fprintf(f, "%s 1\ntop %s\n", s->of->what, s->top);
  for (unsigned i = 0; i < cls->n_params; i++)
    fprintf(f, "set %s %" PRIu32 "\n", cls->params[i].name, s->cfg[i]);
  fprintf(f, "clause %u\nseed %" PRIu64 "\ncycles %zu\n#", clause, c->seed, c->n);
  for (unsigned i = 0; i < cls->n_in; i++) fprintf(f, " %s", in[i].name);
  fputc('\n', f);
  for (size_t t = 0; t < c->n; t++) {
    for (unsigned i = 0; i < cls->n_in; i++) {
      if (i) fputc(' ', f);
      write_value(f, &in[i], contract_row(s->of, c, t));
    }
    fputc('\n', f);
  }
  return output_close(f, ferror(f) != 0, path, temp, err);
}

typedef struct {
  const contract_t *of;
  uint32_t *cfg;
  contract_case_t *c;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  unsigned line, sizes;
  size_t cycles;
} reader_t;

/* The sizes are complete: from here on there are cycles. */
static int begin(reader_t *r, size_t cycles, mrpb_err_t *why) {
  const module_class_t *cls = r->of->cls;
  if (r->sizes != (1u << cls->n_params) - 1) return mrpb_fail(why, "not all sizes are set");
  if (cls->check(r->cfg, why) != 0) return -1;
  cls->ports(r->cfg, r->in, r->out);
  r->c->in = calloc(cycles, cls->in_words * sizeof *r->c->in);
  if (!r->c->in) return mrpb_fail(why, "out of memory");
  r->c->room = r->cycles = cycles;
  return 0;
}

static int head(reader_t *r, const char *text, mrpb_err_t *why) {
  char name[32];
  unsigned value;
  size_t cycles = 0;
  if (sscanf(text, "set %31[A-Z_] %9u", name, &value) == 2) {
    const int i = module_param_index(r->of->cls, name);
    if (i < 0) return mrpb_fail(why, "'%s' is not a size", name);
    r->cfg[i] = value;
    r->sizes |= 1u << i;
    return 0;
  }
  if (sscanf(text, "seed %" SCNu64, &r->c->seed) == 1 || strncmp(text, "top ", 4) == 0 ||
      strncmp(text, "clause ", 7) == 0)
    return 0;
  if (sscanf(text, "cycles %zu", &cycles) != 1 || cycles < 1 || cycles > MOST_CYCLES)
    return mrpb_fail(why,
                     "'%.40s'; legal: top, set NAME VALUE, clause, seed, cycles (1 to %d), after "
                     "all sizes",
                     text, (int)MOST_CYCLES);
  return begin(r, cycles, why);
}

/* Reads hexadecimal digits, the lowest at the end, that fit the port. */
static bool take_value(const char **at, const module_port_t *p, uint64_t *in) {
  *at += strspn(*at, " ");
  const size_t n = strspn(*at, "0123456789abcdefABCDEF");
  bool fits = n > 0;
  for (size_t k = 0; k < n; k++) {
    const char digit[] = {(*at)[n - 1 - k], '\0'};
    const uint64_t v = strtoull(digit, NULL, 16);
    const unsigned left = 4 * k < p->width ? p->width - 4 * (unsigned)k : 0;
    fits &= left >= 4 || !(v >> left);
    if (v && fits) in[p->word + k / 16] |= v << 4 * (k % 16);
  }
  *at += n;
  return fits && (**at == ' ' || **at == '\0');
}

static int take_line(void *ctx, char *line, mrpb_err_t *why) {
  reader_t *r = ctx;
  const module_class_t *cls = r->of->cls;
  char magic[40];
  r->line++;
  snprintf(magic, sizeof magic, "%s 1", r->of->what);
  if (r->line == 1)
    return strcmp(line, magic) == 0 ? 0 : mrpb_fail(why, "not a case; legal: %s", magic);
  if (!line[0] || line[0] == '#') return 0;
  if (!r->c->in) return head(r, line, why);
  if (r->c->n == r->cycles) return mrpb_fail(why, "more than %zu cycles", r->cycles);
  uint64_t *in = contract_row(r->of, r->c, r->c->n++);
  const char *at = line;
  for (unsigned i = 0; i < cls->n_in; i++)
    if (!take_value(&at, &r->in[i], in))
      return mrpb_fail(why, "value %u of the line; legal: %u hexadecimal numbers that fit", i + 1,
                       cls->n_in);
  return *at ? mrpb_fail(why, "more than %u values", cls->n_in) : 0;
}

int contract_casefile_read(const char *path, const contract_t *of, uint32_t *cfg,
                           contract_case_t *c, mrpb_err_t *err) {
  reader_t r = {.of = of, .cfg = cfg, .c = c};
  memset(c, 0, sizeof *c);
  int rc = input_lines(path, take_line, &r, err);
  if (rc == 0 && (!c->in || c->n < r.cycles))
    rc = mrpb_fail(err, "%s: ends after %zu of %zu cycles", path, c->n, r.cycles);
  if (rc != 0) {
    free(c->in);
    c->in = NULL;
  }
  return rc;
}
