/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of any GPU: its table, and which of its keys a GPU has. */
#include "config/config.h"

/* The text in the help that says which Verilog parameter a key drives. */
#define DRIVES_MRPB(to) "mrpb." #to
#define DRIVES_MSHR(to) "mshr." #to
#define DRIVES_PRT(to) "prt." #to
#define DRIVES_ICNT(to) ""
#define DRIVES_L2(to) ""
#define DRIVES_DRAM(to) ""
#define DRIVES_L1D(to) ""
#define DRIVES_NONE(to) ""
#define DRIVES_NOTE(to) ""

enum {
#define KEY(has, name, ...) AT_##name,
#define WORD(has, name, ...) AT_##name,
#include "config/each_key.h"
  N_KEYS
};
static const config_key_t keys[] = {
#define KEY(has, name, field, min, max, deflt, unit, part, to, doc)                                \
  {#name, NULL, min, max, deflt, unit, DRIVES_##part(to), doc, CONFIG_HAS_##has},
#define WORD(has, name, field, list, deflt, part, to, doc)                                         \
  {#name, &WORDS_TEXT(list)[1], 0, 0, deflt, "", DRIVES_##part(to), doc, CONFIG_HAS_##has},
#include "config/each_key.h"
};
static const keyfile_with_t with[] = {
#define KEY(...)
#define WORD(...)
#define WITH(has, name, min, max, deflt) {AT_##name, CONFIG_HAS_##has, min, max, deflt},
#include "config/each_key.h"
};
static const keyfile_renamed_t renamed[] = {
#define KEY(...)
#define WORD(...)
#define RENAMED(old, now) {#old, #now},
#include "config/each_key.h"
};
static const char *const parts[] = {"pipeline cores", "in-order cores", "flits", "ports"};

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

static const config_t *as_config(const uint32_t *v) {
  return (const config_t *)(const void *)v;
}

static unsigned parts_of(const uint32_t *v) {
  const config_t *c = as_config(v);
  return (c->core == CONFIG_CORE_IN_ORDER ? CONFIG_HAS_IN_ORDER : CONFIG_HAS_PIPELINE) |
         (c->memory == CONFIG_MEMORY_PORTS ? CONFIG_HAS_PORTS : CONFIG_HAS_FLITS);
}

/* Each kind of core with the memory that its own configurations have. */
static bool is_mixed(const config_t *c) {
  return (c->core == CONFIG_CORE_IN_ORDER) != (c->memory == CONFIG_MEMORY_PORTS);
}

static const char *title(const uint32_t *v) {
  static const char *const kinds[2][2] = {
      {"GPUs of pipeline cores with flits", "GPUs of pipeline cores with ports"},
      {"GPUs of in-order cores with flits", "GPUs of in-order cores with ports"}};
  if (!v) return "every GPU";
  return kinds[as_config(v)->core == CONFIG_CORE_IN_ORDER]
              [as_config(v)->memory == CONFIG_MEMORY_PORTS];
}

/* A file that does not say is for the parts most of whose keys it has; with as many of both, for the
 * first word's. */
static void choose(uint32_t *v, bool *given) {
  config_t *c = (config_t *)(void *)v;
  int in_order = 0, ports = 0;
  for (unsigned i = 0; i < N_KEYS; i++) {
    if (!given[i]) continue;
    in_order += (keys[i].has == CONFIG_HAS_IN_ORDER) - (keys[i].has == CONFIG_HAS_PIPELINE);
    ports += (keys[i].has == CONFIG_HAS_PORTS) - (keys[i].has == CONFIG_HAS_FLITS);
  }
  if (!given[AT_CORE]) c->core = in_order > 0 ? CONFIG_CORE_IN_ORDER : CONFIG_CORE_PIPELINE;
  if (!given[AT_MEMORY]) c->memory = ports > 0 ? CONFIG_MEMORY_PORTS : CONFIG_MEMORY_FLITS;
  given[AT_CORE] = given[AT_MEMORY] = true;
}

static int check_values(const uint32_t *v, const char *where, mrpb_err_t *err) {
  return config_check(as_config(v), where, err);
}

/* A key newer than stored results counts only where it makes a difference, so that stored results
 * can still be found. */
static bool hashed(const uint32_t *v, unsigned i) {
  const config_t *c = as_config(v);
  if (config_chooses(i)) return is_mixed(c);
  if (i == AT_JITTER || i == AT_JITTER_SEED) return c->jitter;
  if (i == AT_BYPASS_POLICY || i == AT_BYPASS_MISSES) return c->mrpb && c->bypass_policy;
  if (i >= AT_MRPB && i <= AT_BYPASS_TRACKING && c->core == CONFIG_CORE_IN_ORDER) return c->mrpb;
  if (i == AT_MRPB_ANSWER) return c->mrpb_answer;
  return i != AT_L1D_FLUSH || c->l1d_flush;
}

const key_table_t config_table = {.from = "tb/config/keys.def",
                                  .keys = keys,
                                  .n = N_KEYS,
                                  .with = with,
                                  .n_with = sizeof with / sizeof *with,
                                  .renamed = renamed,
                                  .n_renamed = sizeof renamed / sizeof *renamed,
                                  .title = title,
                                  .part = parts,
                                  .n_parts = sizeof parts / sizeof *parts,
                                  .parts = parts_of,
                                  .choose = choose,
                                  .check = check_values,
                                  .hashed = hashed};

static uint32_t *values(config_t *cfg) {
  return (uint32_t *)(void *)cfg;
}
const uint32_t *config_values(const config_t *cfg) {
  return (const uint32_t *)(const void *)cfg;
}

unsigned config_count(void) {
  return N_KEYS;
}
const config_key_t *config_key(unsigned i) {
  return &keys[i];
}
uint32_t config_value(const config_t *cfg, unsigned i) {
  return config_values(cfg)[i];
}
unsigned config_parts(const config_t *cfg) {
  return parts_of(config_values(cfg));
}
bool config_has(const config_t *cfg, unsigned i) {
  return keyfile_has(&config_table, config_values(cfg), i);
}
bool config_chooses(unsigned i) {
  return i == AT_CORE || i == AT_MEMORY;
}
const char *config_title(const config_t *cfg) {
  return title(config_values(cfg));
}

void config_defaults_of(config_t *cfg, uint32_t core, uint32_t memory) {
  const config_t of = {.core = core, .memory = memory};
  for (unsigned i = 0; i < N_KEYS; i++)
    values(cfg)[i] = keyfile_key(&config_table, config_values(&of), i).deflt;
  cfg->core = core;
  cfg->memory = memory;
}

void config_defaults(config_t *cfg) {
  config_defaults_of(cfg, CONFIG_CORE_PIPELINE, CONFIG_MEMORY_FLITS);
}

int config_load(config_t *cfg, const char *path, mrpb_err_t *err) {
  return keyfile_load(&config_table, values(cfg), path, err);
}

int config_load_with(config_t *cfg, unsigned need, const char *path, mrpb_err_t *err) {
  config_t read;
  if (config_load(&read, path, err) != 0) return -1;
  for (unsigned p = 0; p < sizeof parts / sizeof *parts; p++)
    if (need >> p & ~config_parts(&read) >> p & 1)
      return mrpb_fail(err, "%s: a configuration of %s; legal: one with %s", path,
                       config_title(&read), parts[p]);
  *cfg = read;
  return 0;
}

int config_read(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err) {
  return keyfile_read(&config_table, values(cfg), stream, name, err);
}

int config_read_kept(config_t *cfg, FILE *stream, const char *name, mrpb_err_t *err) {
  return keyfile_read_kept(&config_table, values(cfg), stream, name, err);
}

int config_set(config_t *cfg, const char *assignment, mrpb_err_t *err) {
  config_t now = *cfg;
  if (keyfile_set(&config_table, values(&now), assignment, err) != 0) return -1;
  if (config_parts(&now) != config_parts(cfg))
    return mrpb_fail(err, "--set %s: other parts need other keys; legal: in a file", assignment);
  *cfg = now;
  return 0;
}

uint64_t config_hash(const config_t *cfg) {
  return keyfile_hash(&config_table, config_values(cfg));
}

void config_print_value(const config_t *cfg, unsigned i, char *text, size_t size) {
  keyfile_print_value(&config_table, config_values(cfg), i, text, size);
}

void config_help(FILE *out, int markdown) {
  keyfile_help(&config_table, out, markdown);
}

void config_dump(FILE *out, const config_t *cfg, const char *title) {
  keyfile_dump(&config_table, out, config_values(cfg), title);
}
