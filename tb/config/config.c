/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of `mrpb run`: its table, and the checks that a single key cannot express. */
#include "config/config.h"
#include "config/device_cfg.h"
#include "config/drives.h"

#include <inttypes.h>

static const config_key_t keys[] = {
#define RUN_KEY(name, field, min, max, deflt, unit, part, to, doc)                                 \
  {#name, NULL, min, max, deflt, unit, DRIVES_##part(to), doc},
#define RUN_WORD(name, field, list, deflt, part, to, doc)                                          \
  {#name, &WORDS_TEXT(list)[1], 0, 0, deflt, "", DRIVES_##part(to), doc},
#include "config/each_key.h"
};
enum {
  N_KEYS = sizeof keys / sizeof *keys,
  MAX_LINES = 1 << 20,
  MAX_FERMI_WAYS = 64,
  JITTER_HANG = 20000
};
/* A word's number is its position in its list; checked where a module or a part numbers the words
 * too. */
#define PLACE(number, text) PLACE_##number,
#define IN_PLACE(number, text) _Static_assert((int)PLACE_##number == (int)number, #number);
enum { WORDS_REPLACEMENT(PLACE) };
enum { WORDS_SIGNATURE(PLACE) };
enum { WORDS_POLICY(PLACE) };
enum { WORDS_BYPASS(PLACE) };
enum { WORDS_BYPASS_POLICY(PLACE) };
enum { WORDS_RELEASE(PLACE) };
WORDS_REPLACEMENT(IN_PLACE)
WORDS_SIGNATURE(IN_PLACE)
WORDS_POLICY(IN_PLACE)
WORDS_BYPASS(IN_PLACE)
WORDS_BYPASS_POLICY(IN_PLACE)
WORDS_RELEASE(IN_PLACE)
_Static_assert(sizeof(config_t) == N_KEYS * sizeof(uint32_t), "one uint32_t a key");
_Static_assert((unsigned)N_KEYS <= (unsigned)KEYFILE_MAX_KEYS, "a longer table");

static int check_values(const uint32_t *v, const char *where, mrpb_err_t *err) {
  return config_check((const config_t *)(const void *)v, where, err);
}

/* A key newer than stored results counts only where it makes a difference, so that stored results
 * can still be found. */
static bool hashed(const uint32_t *v, unsigned i) {
  const config_t *c = (const config_t *)(const void *)v;
  if (&v[i] == &c->jitter || &v[i] == &c->jitter_seed) return c->jitter;
  if (&v[i] == &c->mrpb_answer) return c->mrpb_answer;
  if (&v[i] == &c->bypass_policy || &v[i] == &c->bypass_misses) return c->bypass_policy;
  return &v[i] != &c->l1d_flush || c->l1d_flush;
}

const key_table_t config_table = {.title = "GPUs of pipeline cores",
                                  .from = "tb/config/keys.def",
                                  .values =
                                      "those of Base-S (Table 1 of the MRPB paper; the rest from "
                                      "GPGPU-Sim 3.2.0's TeslaC2050)",
                                  .keys = keys,
                                  .n = N_KEYS,
                                  .other = &device_cfg_table,
                                  .check = check_values,
                                  .hashed = hashed};

static uint32_t *values(config_t *cfg) {
  return (uint32_t *)(void *)cfg;
}
static const uint32_t *read_only(const config_t *cfg) {
  return (const uint32_t *)(const void *)cfg;
}

unsigned config_count(void) {
  return N_KEYS;
}

const config_key_t *config_key(unsigned i) {
  return &keys[i];
}

uint32_t config_value(const config_t *cfg, unsigned i) {
  return read_only(cfg)[i];
}

void config_defaults(config_t *cfg) {
  keyfile_defaults(&config_table, values(cfg));
}

int config_load(config_t *cfg, const char *path, mrpb_err_t *err) {
  return keyfile_load(&config_table, values(cfg), path, err) == 0 ? 0 : -1;
}

int config_read(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err) {
  return keyfile_read(&config_table, values(cfg), stream, name, err) == 0 ? 0 : -1;
}

int config_read_kept(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err) {
  return keyfile_read_kept(&config_table, values(cfg), stream, name, err) == 0 ? 0 : -1;
}

int config_set(config_t *cfg, const char *assignment, mrpb_err_t *err) {
  return keyfile_set(&config_table, values(cfg), assignment, err);
}

uint64_t config_hash(const config_t *cfg) {
  return keyfile_hash(&config_table, read_only(cfg));
}

void config_print_value(const config_t *cfg, unsigned i, char *text, size_t size) {
  keyfile_print_value(&config_table, read_only(cfg), i, text, size);
}

void config_help(FILE *out, int markdown) {
  keyfile_help(&config_table, out, markdown);
}

void config_dump(FILE *out, const config_t *cfg, const char *title) {
  keyfile_dump(&config_table, out, read_only(cfg), title);
}

/* ---- combinations ---------------------------------------------------------- */

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
  if (c->l1d_replacement == TAGS_FERMI && c->l1d_ways > MAX_FERMI_WAYS)
    return mrpb_fail(err, "%s: L1D_REPLACEMENT = fermi, L1D_WAYS = %u; legal: at most %d", where,
                     c->l1d_ways, MAX_FERMI_WAYS);
  return 0;
}

int config_check(const config_t *cfg, const char *where, mrpb_err_t *err) {
  if (cfg->warps_per_sm < cfg->schedulers)
    return mrpb_fail(err, "%s: SCHEDULERS = %u; legal: at most WARPS_PER_SM = %u", where,
                     cfg->schedulers, cfg->warps_per_sm);
  if (cfg->jitter && cfg->hang_cycles < JITTER_HANG)
    return mrpb_fail(err, "%s: JITTER = %u, HANG_CYCLES = %u; legal: at least %d with stalls",
                     where, cfg->jitter, cfg->hang_cycles, JITTER_HANG);
  if (check_l1d(cfg, where, err) != 0) return -1;
  if (cfg->mrpb && cfg->bypass_policy &&
      (cfg->mrpb_bypass == MRPB_BYPASS_OFF || !cfg->mrpb_reorder))
    return mrpb_fail(err, "%s: BYPASS_POLICY, %s; legal: BYPASS_POLICY = refused", where,
                     cfg->mrpb_reorder ? "MRPB_BYPASS = off" : "MRPB_REORDER = 0");
  return check_memory(cfg, where, err);
}
