/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of `mrpb run`: a value for each of its keys. All keys, of this machine and of
 * the one that `mrpb micro` measures (device_cfg.h), are rows of keys.def. words.h has the numbers
 * of the keys that are words. base/keyfile.h describes the files. */
#ifndef CONFIG_H
#define CONFIG_H

#include "base/keyfile.h"
#include "config/words.h"

typedef struct {
#define RUN_KEY(name, field, ...) uint32_t field;
#define RUN_WORD(name, field, ...) uint32_t field;
#include "config/each_key.h"
} config_t;

typedef keyfile_key_t config_key_t;

extern const key_table_t config_table; /* table of its keys, for the functions keyfile_* */

unsigned config_count(void);
const config_key_t *config_key(unsigned i);
uint32_t config_value(const config_t *cfg, unsigned i);

/* Fills in the defaults: Base-S. */
void config_defaults(config_t *cfg);

/* Reads `path`. Returns 0, or -1 and one line (file:line: what; what is legal) on the first
 * error. */
int config_load(config_t *cfg, const char *path, mrpb_err_t *err);

/* The same from an open stream; `name` stands for the file in messages. */
int config_read(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err);

/* The same for a text that a store has kept and that may lack newer keys. */
int config_read_kept(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err);

/* Applies one `KEY=VALUE` with the checks of a file. Limits that join several keys are left to
 * config_check. */
int config_set(config_t *cfg, const char *assignment, mrpb_err_t *err);

/* Checks what a single key cannot express: combinations that cannot be built. `where` starts the
 * message. */
int config_check(const config_t *cfg, const char *where, mrpb_err_t *err);

/* FNV-1a hash of the sorted text `KEY=value\n` of all keys; it identifies results. */
uint64_t config_hash(const config_t *cfg);

/* Writes the value of key `i` as a file has it. */
void config_print_value(const config_t *cfg, unsigned i, char *text, size_t size);

/* Prints every key with range, default and meaning, for a terminal or as a section of
 * docs/config.md. */
void config_help(FILE *out, int markdown);

/* Prints `cfg` as a complete configuration file with the comments of the table. */
void config_dump(FILE *out, const config_t *cfg, const char *title);

#endif
