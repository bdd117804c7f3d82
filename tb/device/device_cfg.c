/* The configuration of `mrpb micro`: its table, and what no single key can say. */
#include "device/device_cfg.h"

#include <inttypes.h>

static const keyfile_key_t keys[] = {
#define KEY(name, field, min, max, deflt, unit, verilog, doc)                                      \
  {#name, NULL, min, max, deflt, unit, verilog, doc},
#define WORD(name, field, words, deflt, verilog, doc) {#name, words, 0, 0, deflt, "", verilog, doc},
#include "device/table.def"
#undef KEY
#undef WORD
};
enum { N_KEYS = sizeof keys / sizeof *keys };
_Static_assert(sizeof(device_cfg_t) == N_KEYS * sizeof(uint32_t), "one uint32_t a key");
_Static_assert((unsigned)N_KEYS <= (unsigned)KEYFILE_MAX_KEYS, "a longer table");

static int check_values(const uint32_t *v, const char *where, mrpb_err_t *err) {
  return device_cfg_check((const device_cfg_t *)(const void *)v, where, err);
}

static const key_table_t table = {.title = "the GPU of mrpb micro",
                                  .from = "tb/device/table.def",
                                  .values = "those of a Tesla M2070",
                                  .keys = keys,
                                  .n = N_KEYS,
                                  .check = check_values};

static uint32_t *values(device_cfg_t *cfg) {
  return (uint32_t *)(void *)cfg;
}
static const uint32_t *read_only(const device_cfg_t *cfg) {
  return (const uint32_t *)(const void *)cfg;
}

unsigned device_cfg_count(void) {
  return N_KEYS;
}

const keyfile_key_t *device_cfg_key(unsigned i) {
  return &keys[i];
}

uint32_t device_cfg_value(const device_cfg_t *cfg, unsigned i) {
  return read_only(cfg)[i];
}

void device_cfg_defaults(device_cfg_t *cfg) {
  keyfile_defaults(&table, values(cfg));
}

int device_cfg_load(device_cfg_t *cfg, const char *path, mrpb_err_t *err) {
  return keyfile_load(&table, values(cfg), path, err);
}

int device_cfg_read(device_cfg_t *cfg, FILE *stream, const char *name, mrpb_err_t *err) {
  return keyfile_read(&table, values(cfg), stream, name, err);
}

int device_cfg_set(device_cfg_t *cfg, const char *assignment, mrpb_err_t *err) {
  return keyfile_set(&table, values(cfg), assignment, err);
}

uint64_t device_cfg_hash(const device_cfg_t *cfg) {
  return keyfile_hash(&table, read_only(cfg));
}

void device_cfg_print_value(const device_cfg_t *cfg, unsigned i, char *text, size_t size) {
  keyfile_print_value(&table, read_only(cfg), i, text, size);
}

void device_cfg_help(FILE *out, int markdown) {
  keyfile_help(&table, out, markdown);
}

void device_cfg_dump(FILE *out, const device_cfg_t *cfg, const char *title) {
  keyfile_dump(&table, out, read_only(cfg), title);
}

/* ---- combinations ---------------------------------------------------------- */

int device_cfg_check(const device_cfg_t *cfg, const char *where, mrpb_err_t *err) {
  if (cfg->warps_per_sm < cfg->schedulers)
    return mrpb_fail(err, "%s: SCHEDULERS = %" PRIu32 "; legal: at most WARPS_PER_SM = %" PRIu32,
                     where, cfg->schedulers, cfg->warps_per_sm);
  return 0;
}
