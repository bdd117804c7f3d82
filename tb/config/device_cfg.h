/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of the GPU that `mrpb micro` measures, like config.h for that of `mrpb run`: a
 * value for each of its keys in keys.def. */
#ifndef DEVICE_CFG_H
#define DEVICE_CFG_H

#include "base/keyfile.h"
#include "config/words.h"

typedef struct {
#define MICRO_KEY(name, field, ...) uint32_t field;
#define MICRO_WORD(name, field, ...) uint32_t field;
#include "config/each_key.h"
} device_cfg_t;

extern const key_table_t device_cfg_table; /* table of its keys, for the functions keyfile_* */

unsigned device_cfg_count(void);
const keyfile_key_t *device_cfg_key(unsigned i);
uint32_t device_cfg_value(const device_cfg_t *cfg, unsigned i);

void device_cfg_defaults(device_cfg_t *cfg);

/* Return 0, or -1 and one line (file:line: what; what is legal) on the first error; *cfg is then
 * unchanged. `name` stands for the file in messages. */
int device_cfg_load(device_cfg_t *cfg, const char *path, mrpb_err_t *err);
int device_cfg_read(device_cfg_t *cfg, FILE *stream, const char *name, mrpb_err_t *err);

/* Applies one `KEY=VALUE` with the checks of a file. Limits that join several keys are left to
 * device_cfg_check. */
int device_cfg_set(device_cfg_t *cfg, const char *assignment, mrpb_err_t *err);

/* Checks what a single key cannot express: combinations that cannot be built. `where` starts the
 * message. */
int device_cfg_check(const device_cfg_t *cfg, const char *where, mrpb_err_t *err);

/* Identifies results, like config_hash. */
uint64_t device_cfg_hash(const device_cfg_t *cfg);

/* Writes the value of key `i` as a file has it. */
void device_cfg_print_value(const device_cfg_t *cfg, unsigned i, char *text, size_t size);

/* Like config_help and config_dump. */
void device_cfg_help(FILE *out, int markdown);
void device_cfg_dump(FILE *out, const device_cfg_t *cfg, const char *title);

#endif
