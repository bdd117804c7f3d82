/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of any GPU: a value for each key. All keys are rows of keys.def. A GPU has the
 * keys of its parts, which CORE and MEMORY choose; its other values are defaults. words.h has the
 * numbers of the keys that are words. base/keyfile.h describes the files. */
#ifndef CONFIG_H
#define CONFIG_H

#include "base/keyfile.h"
#include "config/words.h"

typedef struct {
#define KEY(has, name, field, ...) uint32_t field;
#define WORD(has, name, field, ...) uint32_t field;
#include "config/each_key.h"
} config_t;

/* The parts that a key can belong to, one bit each: the column `has` of keys.def. */
enum {
  CONFIG_HAS_PIPELINE = 1 << 0,
  CONFIG_HAS_IN_ORDER = 1 << 1,
  CONFIG_HAS_FLITS = 1 << 2,
  CONFIG_HAS_PORTS = 1 << 3,
  CONFIG_HAS_IN_ORDER_OR_PORTS = CONFIG_HAS_IN_ORDER | CONFIG_HAS_PORTS,
  CONFIG_HAS_ANY = CONFIG_HAS_PIPELINE | CONFIG_HAS_IN_ORDER | CONFIG_HAS_FLITS | CONFIG_HAS_PORTS
};

typedef keyfile_key_t config_key_t;

extern const key_table_t config_table; /* table of its keys, for the functions keyfile_* */

unsigned config_count(void);
const config_key_t *config_key(unsigned i);
uint32_t config_value(const config_t *cfg, unsigned i);
/* The values in the order of the table. */
const uint32_t *config_values(const config_t *cfg);

/* The parts that the GPU has, and whether key `i` belongs to one of them. */
unsigned config_parts(const config_t *cfg);
bool config_has(const config_t *cfg, unsigned i);
static inline bool config_in_order(const config_t *cfg) {
  return cfg->core == CONFIG_CORE_IN_ORDER;
}
static inline bool config_with_ports(const config_t *cfg) {
  return cfg->memory == CONFIG_MEMORY_PORTS;
}
/* The clock of its SMs. */
static inline uint32_t config_sm_mhz(const config_t *cfg) {
  return config_in_order(cfg) ? cfg->clock_mhz : cfg->clock_sm;
}
/* True of CORE and MEMORY. */
bool config_chooses(unsigned i);
/* "GPUs of pipeline cores with flits" */
const char *config_title(const config_t *cfg);

/* Fills in the defaults with these words of CORE and MEMORY. */
void config_defaults_of(config_t *cfg, uint32_t core, uint32_t memory);
/* The defaults with pipeline cores and flits: Base-S. */
void config_defaults(config_t *cfg);

/* Reads `path`. A file without CORE or MEMORY is for the parts most of whose keys it has. Returns 0,
 * or -1 and one line (file:line: what; what is legal) on the first error; *cfg is then
 * unchanged. */
int config_load(config_t *cfg, const char *path, mrpb_err_t *err);
/* The same for a command that needs these parts (CONFIG_HAS_...). */
int config_load_with(config_t *cfg, unsigned parts, const char *path, mrpb_err_t *err);
/* The same for in-order cores with ports. */
int config_load_device(config_t *cfg, const char *path, mrpb_err_t *err);

/* The same from an open stream; `name` stands for the file in messages. */
int config_read(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err);

/* The same for a text that a store has kept and that may lack newer keys. */
int config_read_kept(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err);

/* Applies one `KEY=VALUE` with the checks of a file. The GPU keeps its parts, because others need
 * other keys. Limits that join several keys are left to
 * config_check. */
int config_set(config_t *cfg, const char *assignment, mrpb_err_t *err);

/* Checks what a single key cannot express: combinations that cannot be built. `where` starts the
 * message. */
int config_check(const config_t *cfg, const char *where, mrpb_err_t *err);
/* Its part of in-order cores and ports. */
int config_check_device(const config_t *cfg, const char *where, mrpb_err_t *err);

/* FNV-1a hash of the sorted text `KEY=value\n` of the GPU's keys; it identifies results. */
uint64_t config_hash(const config_t *cfg);

/* Writes the value of key `i` as a file has it. */
void config_print_value(const config_t *cfg, unsigned i, char *text, size_t size);

/* Prints every key with range, default and meaning, for a terminal or as sections of
 * docs/config.md. */
void config_help(FILE *out, int markdown);

/* Prints `cfg` as a complete configuration file with the comments of the table. */
void config_dump(FILE *out, const config_t *cfg, const char *title);

#endif
