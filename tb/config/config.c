/* Parser of configuration files on libinih, driven by the key table. */
#include "config/config.h"

#include "names.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const config_key_t keys[] = {
#define KEY(name, field, min, max, deflt, unit, verilog, doc)                                      \
  {#name, NULL, min, max, deflt, unit, verilog, doc},
#define WORD(name, field, words, deflt, verilog, doc) {#name, words, 0, 0, deflt, "", verilog, doc},
#include "config/table.def"
#undef KEY
#undef WORD
};
enum { N_KEYS = sizeof keys / sizeof *keys, MAX_LINES = 1 << 20, MAX_FERMI_WAYS = 64 };
_Static_assert(sizeof(config_t) == N_KEYS * sizeof(uint32_t), "one uint32_t a key");

typedef struct {
  config_t *cfg;
  FILE *stream;
  const char *name;
  unsigned line;
  unsigned seen[N_KEYS]; /* line of the key, 0 while not seen */
  mrpb_err_t *err;
  bool failed;
} reader_t;

unsigned config_count(void) {
  return N_KEYS;
}

const config_key_t *config_key(unsigned i) {
  return &keys[i];
}

uint32_t config_value(const config_t *cfg, unsigned i) {
  uint32_t v;
  memcpy(&v, (const char *)cfg + i * sizeof v, sizeof v);
  return v;
}

static void set_value(config_t *cfg, unsigned i, uint32_t v) {
  memcpy((char *)cfg + i * sizeof v, &v, sizeof v);
}

void config_defaults(config_t *cfg) {
  for (unsigned i = 0; i < N_KEYS; i++) set_value(cfg, i, keys[i].deflt);
}

static int find_key(const char *name) {
  for (unsigned i = 0; i < N_KEYS; i++)
    if (strcmp(keys[i].name, name) == 0) return (int)i;
  return -1;
}

static const char *nearest(const char *name) {
  unsigned best = 0, best_d = UINT32_MAX;
  for (unsigned i = 0; i < N_KEYS; i++) {
    unsigned d = names_distance(name, keys[i].name);
    if (d < best_d) best_d = d, best = i;
  }
  return keys[best].name;
}

/* Index of `value` among the words "a|b|c", -1 if it is none of them. */
static int find_word(const char *words, const char *value) {
  size_t n = strlen(value);
  int index = 0;
  for (const char *w = words; n > 0; index++) {
    size_t len = strcspn(w, "|");
    if (len == n && strncmp(w, value, n) == 0) return index;
    if (w[len] == '\0') return -1;
    w += len + 1;
  }
  return -1;
}

/* Stores `value` under key `i` after its checks; `where` starts the message. */
static int store(config_t *cfg, unsigned i, const char *value, const char *where, mrpb_err_t *err) {
  const config_key_t *k = &keys[i];
  if (k->words) {
    int w = find_word(k->words, value);
    if (w < 0)
      return mrpb_fail(err, "%s: %s = '%s' is no such word; legal: %s", where, k->name, value,
                       k->words);
    set_value(cfg, i, (uint32_t)w);
    return 0;
  }
  char *end = NULL;
  errno = 0;
  unsigned long long v = isdigit((unsigned char)value[0]) ? strtoull(value, &end, 10) : 0;
  if (!end || *end != '\0')
    return mrpb_fail(err, "%s: %s = '%s' is not a number; legal: %u to %u", where, k->name, value,
                     k->min, k->max);
  if (errno == ERANGE || v < k->min || v > k->max)
    return mrpb_fail(err, "%s: %s = %s is out of range; legal: %u to %u", where, k->name, value,
                     k->min, k->max);
  set_value(cfg, i, (uint32_t)v);
  return 0;
}

/* One line for libinih, without its comment and outer blanks; a line that libinih would cut is an
 * error. */
static char *read_line(char *text, int size, void *user) {
  reader_t *r = user;
  if (r->failed || !fgets(text, size, r->stream)) return NULL;
  r->line++;
  size_t len = strlen(text);
  if (len > 0 && text[len - 1] != '\n' && !feof(r->stream)) {
    r->failed = true;
    mrpb_fail(r->err, "%s:%u: line too long; legal: %d characters", r->name, r->line, size - 2);
    return NULL;
  }
  text[strcspn(text, "#\r\n")] = '\0';
  char *from = text + strspn(text, " \t");
  size_t n = strlen(from);
  while (n > 0 && isspace((unsigned char)from[n - 1])) n--;
  memmove(text, from, n);
  text[n] = '\0';
  if (n > 0 && (strchr("[;", text[0]) || !strchr(text, '='))) {
    r->failed = true;
    mrpb_fail(r->err, "%s:%u: '%.60s' is not an assignment; legal: KEY = value", r->name, r->line,
              text);
    return NULL;
  }
  return text;
}

static int take_pair(void *user, const char *section, const char *name, const char *value) {
  reader_t *r = user;
  char where[300];
  (void)section;
  if (r->failed) return 1;
  snprintf(where, sizeof where, "%.280s:%u", r->name, r->line);
  r->failed = true;
  int i = find_key(name);
  if (i < 0) {
    mrpb_fail(r->err, "%s: unknown key '%s'; nearest: %s", where, name, nearest(name));
  } else if (r->seen[i]) {
    mrpb_fail(r->err, "%s: %s again, first on line %u; legal: each key once", where, name,
              r->seen[i]);
  } else {
    r->seen[i] = r->line;
    r->failed = store(r->cfg, (unsigned)i, value, where, r->err) != 0;
  }
  return 1;
}

static int check_complete(const reader_t *r) {
  unsigned missing = 0, first = 0;
  for (unsigned i = N_KEYS; i-- > 0;)
    if (!r->seen[i]) missing++, first = i;
  if (missing)
    return mrpb_fail(r->err, "%s:%u: %s is missing%s; legal: every key of `mrpb help-config`",
                     r->name, r->line, keys[first].name, missing > 1 ? " (and others)" : "");
  return 0;
}

int config_read(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err) {
  config_t fresh;
  reader_t r = {.cfg = &fresh, .stream = stream, .name = name, .err = err};
  config_defaults(&fresh);
  int rc = ini_parse_stream(read_line, &r, take_pair, &r);
  if (r.failed) return -1;
  if (ferror(stream))
    return mrpb_fail(err, "%s: %s; legal: a readable file", name, strerror(errno));
  if (rc != 0) return mrpb_fail(err, "%s:%d: not an assignment; legal: KEY = value", name, rc);
  if (check_complete(&r) != 0 || config_check(&fresh, name, err) != 0) return -1;
  *cfg = fresh;
  return 0;
}

int config_load(config_t *cfg, const char *path, mrpb_err_t *err) {
  FILE *f = fopen(path, "r");
  if (!f) return mrpb_fail(err, "%s: %s; legal: a readable file", path, strerror(errno));
  int rc = config_read(cfg, f, path, err);
  fclose(f);
  return rc;
}

int config_set(config_t *cfg, const char *assignment, mrpb_err_t *err) {
  char name[64];
  const char *eq = strchr(assignment, '=');
  size_t n = eq ? (size_t)(eq - assignment) : 0;
  if (n == 0 || n >= sizeof name)
    return mrpb_fail(err, "--set %s: not an assignment; legal: KEY=VALUE", assignment);
  memcpy(name, assignment, n);
  name[n] = '\0';
  int i = find_key(name);
  if (i < 0) return mrpb_fail(err, "--set: unknown key '%s'; nearest: %s", name, nearest(name));
  return store(cfg, (unsigned)i, eq + 1, "--set", err);
}

static int check_power(const char *where, const char *key, uint32_t v, mrpb_err_t *err) {
  if ((v & (v - 1)) == 0) return 0;
  return mrpb_fail(err, "%s: %s = %u; legal: a power of two", where, key, v);
}

static int check_memory(const config_t *c, const char *where, mrpb_err_t *err) {
  uint32_t packet =
      (8 + 128 + c->icnt_flit - 1) / c->icnt_flit; /* flits of a line with its header */
  if (check_power(where, "ICNT_FLIT", c->icnt_flit, err) != 0 ||
      check_power(where, "L2_SETS", c->l2_sets, err) != 0 ||
      check_power(where, "DRAM_BANKS", c->dram_banks, err) != 0 ||
      check_power(where, "DRAM_GROUPS", c->dram_groups, err) != 0)
    return -1;
  if (c->icnt_inject < packet || c->icnt_boundary < packet)
    return mrpb_fail(
        err, "%s: ICNT_INJECT = %u, ICNT_BOUNDARY = %u; legal: at least a packet of %u flits",
        where, c->icnt_inject, c->icnt_boundary, packet);
  if (c->icnt_eject < c->icnt_vc_buffer)
    return mrpb_fail(err, "%s: ICNT_EJECT = %u; legal: at least ICNT_VC_BUFFER = %u", where,
                     c->icnt_eject, c->icnt_vc_buffer);
  if (c->dram_groups > c->dram_banks)
    return mrpb_fail(err, "%s: DRAM_GROUPS = %u; legal: at most DRAM_BANKS = %u", where,
                     c->dram_groups, c->dram_banks);
  if (c->dram_wl > c->dram_cl)
    return mrpb_fail(err, "%s: DRAM_WL = %u; legal: at most DRAM_CL = %u", where, c->dram_wl,
                     c->dram_cl);
  if (c->dram_rcd < c->dram_wl + 1)
    return mrpb_fail(err, "%s: DRAM_RCD = %u; legal: at least DRAM_WL + 1 = %u", where, c->dram_rcd,
                     c->dram_wl + 1);
  return 0;
}

static int check_l1d(const config_t *c, const char *where, mrpb_err_t *err) {
  uint64_t lines = (uint64_t)c->l1d_sets * c->l1d_ways;
  if (lines > MAX_LINES)
    return mrpb_fail(err, "%s: L1D_SETS * L1D_WAYS = %" PRIu64 " lines; legal: at most %d", where,
                     lines, MAX_LINES);
  if (c->l1d_hash && c->l1d_sets != 32 && c->l1d_sets != 64)
    return mrpb_fail(err, "%s: L1D_HASH = 1, L1D_SETS = %u; legal: 32 or 64 sets", where,
                     c->l1d_sets);
  if (c->l1d_replacement == CONFIG_REPLACEMENT_FERMI && c->l1d_ways > MAX_FERMI_WAYS)
    return mrpb_fail(err, "%s: L1D_REPLACEMENT = fermi, L1D_WAYS = %u; legal: at most %d", where,
                     c->l1d_ways, MAX_FERMI_WAYS);
  return 0;
}

int config_check(const config_t *cfg, const char *where, mrpb_err_t *err) {
  if (cfg->warps_per_sm < cfg->schedulers)
    return mrpb_fail(err, "%s: SCHEDULERS = %u; legal: at most WARPS_PER_SM = %u", where,
                     cfg->schedulers, cfg->warps_per_sm);
  if (check_l1d(cfg, where, err) != 0) return -1;
  return check_memory(cfg, where, err);
}
