/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration keys of `mrpb run`, tb/config/table.def, read as C: the values of a run, the
 * parser of configs/<name>.conf, the help texts and the Verilog parameters all come from that one
 * table. What a file looks like: keyfile.h. */
#ifndef CONFIG_H
#define CONFIG_H

#include "base/keyfile.h"

typedef struct {
#define KEY(name, field, min, max, deflt, unit, verilog, doc) uint32_t field;
#define WORD(name, field, words, deflt, verilog, doc) uint32_t field;
#include "config/table.def"
#undef KEY
#undef WORD
} config_t;

/* Values of the keys that are written as words, in the order of their words in the table. */
enum { CONFIG_SCHEDULER_RR, CONFIG_SCHEDULER_GTO };
enum { CONFIG_PLACEMENT_ROUND_ROBIN, CONFIG_PLACEMENT_DEPTH_FIRST };
enum { CONFIG_CLOCKS_EXACT, CONFIG_CLOCKS_REFERENCE };
enum { CONFIG_REPLACEMENT_LRU, CONFIG_REPLACEMENT_FIFO, CONFIG_REPLACEMENT_FERMI };
enum { CONFIG_ALLOCATE_MISS, CONFIG_ALLOCATE_FILL };
enum { CONFIG_SIGNATURE_BLOCK, CONFIG_SIGNATURE_WARP, CONFIG_SIGNATURE_BLOCK_WARP };
enum { CONFIG_BYPASS_OFF, CONFIG_BYPASS_ALL, CONFIG_BYPASS_ASSOC };
enum { CONFIG_ORDER_SAFE, CONFIG_ORDER_REFERENCE };
enum { CONFIG_REPLY_SECTOR, CONFIG_REPLY_LINE };
enum { CONFIG_TRACKING_PRT, CONFIG_TRACKING_MSHR, CONFIG_TRACKING_NONE };

typedef keyfile_key_t config_key_t;

unsigned config_count(void);
const config_key_t *config_key(unsigned i);
uint32_t config_value(const config_t *cfg, unsigned i);

/* Fills in the defaults: Base-S. */
void config_defaults(config_t *cfg);

/* Reads `path`; -1 and one line (file:line: what; what is legal) on the first error. */
int config_load(config_t *cfg, const char *path, mrpb_err_t *err);

/* The same from an open stream; `name` stands for the file in messages. */
int config_read(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err);

/* Applies one `KEY=VALUE`, with the checks of a file. Limits that join several keys are
 * config_check's. */
int config_set(config_t *cfg, const char *assignment, mrpb_err_t *err);

/* What no single key can say: combinations that cannot be built. `where` starts the message. */
int config_check(const config_t *cfg, const char *where, mrpb_err_t *err);

/* FNV-1a over the sorted text `KEY=value\n` of all keys: stamps results. */
uint64_t config_hash(const config_t *cfg);

/* Writes the value of key `i` as a file has it. */
void config_print_value(const config_t *cfg, unsigned i, char *text, size_t size);

/* Prints every key with range, default and meaning: for a terminal, or as a section of
 * docs/config.md. */
void config_help(FILE *out, int markdown);

/* Prints `cfg` as a complete configuration file with the comments of the table. */
void config_dump(FILE *out, const config_t *cfg, const char *title);

#endif
