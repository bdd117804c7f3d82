/* SPDX-License-Identifier: Apache-2.0 */
/* Holds a stimulus in memory, and writes it as text. */
#include "cosim/vectors/vectors.h"

#include "base/grow.h"
#include "base/sizes.h"

#include "bits.h"
#include "cosim/lockstep/report.h"
#include "base/hash.h"
#include "base/output.h"
#include "base/json_out.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = SIZES_TEXT };

int vectors_init(vectors_t *v, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
                 mrpb_err_t *err) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  *v = (vectors_t){.cls = cls, .seed = seed};
  memcpy(v->cfg, cfg, cls->n_params * sizeof *cfg);
  v->mask = calloc(cls->in_words, sizeof *v->mask);
  if (!v->mask) return mrpb_fail(err, "%s: out of memory", cls->stem);
  cls->ports(v->cfg, in, out);
  for (unsigned i = 0; i < cls->n_in; i++)
    for (unsigned low = 0; low < in[i].width; low += 64)
      v->mask[in[i].word + low / 64] = bits_mask(in[i].width - low < 64 ? in[i].width - low : 64);
  return 0;
}

void vectors_free(vectors_t *v) {
  free(v->in);
  free(v->mask);
  *v = (vectors_t){.cls = NULL};
}

int vectors_add(vectors_t *v, const uint64_t *in, mrpb_err_t *err) {
  const size_t words = v->cls->in_words;
  uint64_t *more = grow(v->in, (size_t)v->n + 1, &v->room, words * sizeof *more);
  if (!more)
    return mrpb_fail(err, "%s: no memory for %" PRIu64 " cycles of stimulus", v->cls->stem, v->n);
  v->in = more;
  uint64_t *to = v->in + v->n++ * words;
  for (size_t w = 0; w < words; w++) to[w] = in[w] & v->mask[w];
  return 0;
}

const uint64_t *vectors_cycle(const vectors_t *v, uint64_t i) {
  return v->in + i * v->cls->in_words;
}

unsigned vectors_first_params(const module_class_t *cls) {
  static const struct {
    const char *stem, *name; /* the first parameter that was added later */
  } later[] = {{"mrpb", "ANSWER"},
               {"prt", "ORDER"},
               {"mshr", "STORES"},
               {"fifo_bank", "PARITY"},
               {"drain_selector", "PARITY"}};
  for (unsigned i = 0; i < sizeof later / sizeof *later; i++)
    if (strcmp(cls->stem, later[i].stem) == 0)
      return (unsigned)module_param_index(cls, later[i].name);
  return cls->n_params;
}

unsigned vectors_first_inputs(const module_class_t *cls) {
  static const char *const later[][2] = {{"mshr", "store_valid_i"}}; /* the first added later */
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  uint32_t cfg[MODULE_MAX_PARAMS];
  unsigned n = cls->n_in;
  module_defaults(cls, cfg);
  cls->ports(cfg, in, out);
  for (unsigned i = 0; i < sizeof later / sizeof *later; i++)
    if (strcmp(cls->stem, later[i][0]) == 0)
      for (n = 0; strcmp(in[n].name, later[i][1]) != 0;) n++;
  return n;
}

/* The words of a cycle's inputs that distinguish this stimulus from others. */
static size_t telling_words(const vectors_t *v) {
  const module_class_t *cls = v->cls;
  const unsigned first = vectors_first_inputs(cls);
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  if (first == cls->n_in) return cls->in_words;
  cls->ports(v->cfg, in, out);
  for (uint64_t i = 0; i < v->n; i++)
    for (unsigned w = in[first].word; w < cls->in_words; w++)
      if (vectors_cycle(v, i)[w] != 0) return cls->in_words;
  return in[first].word;
}

/* The parameters that distinguish this configuration from others: without those that were added
 * later, at the end, and have their defaults. */
static unsigned telling_params(const module_class_t *cls, const uint32_t *cfg) {
  unsigned n = cls->n_params;
  while (n > vectors_first_params(cls) && cfg[n - 1] == cls->params[n - 1].deflt) n--;
  return n;
}

uint64_t vectors_config_hash(const module_class_t *cls, const uint32_t *cfg) {
  char text[SIZES];
  module_class_t told = *cls;
  told.n_params = telling_params(cls, cfg);
  sizes_text(&told, cfg, "", text, sizeof text);
  uint64_t hash = hash_bytes(HASH_START, cls->stem, strlen(cls->stem));
  hash = hash_bytes(hash, " ", 1);
  return hash_bytes(hash, text, strlen(text));
}

uint64_t vectors_hash(const vectors_t *v) {
  uint64_t hash = vectors_config_hash(v->cls, v->cfg);
  const size_t bytes = telling_words(v) * sizeof *v->in;
  for (uint64_t i = 0; i < v->n; i++) hash = hash_bytes(hash, vectors_cycle(v, i), bytes);
  return hash;
}

static void write_cycle(FILE *f, const vectors_t *v, const module_port_t *in, uint64_t at) {
  const uint64_t *words = vectors_cycle(v, at);
  for (unsigned i = 0; i < v->cls->n_in; i++) {
    if (i) fputc(' ', f);
    unsigned top = (in[i].width - 1) / 64;
    fprintf(f, "%0*" PRIx64, (int)((in[i].width - 64 * top + 3) / 4), words[in[i].word + top]);
    while (top-- > 0) fprintf(f, "%016" PRIx64, words[in[i].word + top]);
  }
  fputc('\n', f);
}

static bool write_text(FILE *f, const vectors_t *v) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  const module_class_t *cls = v->cls;
  cls->ports(v->cfg, in, out);
  fprintf(f, "mrpb-vec 1\nmodule %s\n", cls->stem);
  for (unsigned i = 0; i < cls->n_params; i++)
    fprintf(f, "set %s %" PRIu32 "\n", cls->params[i].name, v->cfg[i]);
  fprintf(f, "config %016" PRIx64 "\nseed %" PRIu64 "\ntools %s\ninputs",
          vectors_config_hash(cls, v->cfg), v->seed, v->tools);
  for (unsigned i = 0; i < cls->n_in; i++) fprintf(f, " %s:%u", in[i].name, in[i].width);
  fprintf(f, "\ncycles %" PRIu64 "\n", v->n);
  for (uint64_t i = 0; i < v->n; i++) write_cycle(f, v, in, i);
  return true;
}

static json_t *hex(uint64_t value) {
  char text[17];
  snprintf(text, sizeof text, "%016" PRIx64, value);
  return json_string(text);
}

static bool write_json(FILE *f, const vectors_t *v) {
  json_t *sizes = json_object(), *all = json_object();
  for (unsigned i = 0; i < v->cls->n_params; i++)
    json_out_set(&sizes, v->cls->params[i].name, json_integer(v->cfg[i]));
  char seed[24];
  snprintf(seed, sizeof seed, "%" PRIu64, v->seed); /* JSON's integers end at 2^63 */
  json_out_set(&all, "format", json_string("mrpb-vec 1"));
  json_out_set(&all, "module", json_string(v->cls->stem));
  json_out_set(&all, "parameters", sizes);
  json_out_set(&all, "config", hex(vectors_config_hash(v->cls, v->cfg)));
  json_out_set(&all, "vectors", hex(vectors_hash(v)));
  json_out_set(&all, "seed", json_string(seed));
  json_out_set(&all, "cycles", json_integer((json_int_t)v->n));
  json_out_set(&all, "tools", json_string(v->tools));
  json_out_set(&all, "origin", json_string(v->origin));
  if (v->found[0]) json_out_set(&all, "difference", json_string(v->found));
  bool good = json_out_write(all, f, JSON_INDENT(2)) == 0;
  json_decref(all);
  return good;
}

/* Writes to `temp`, which is renamed later. */
static int write_temp(const vectors_t *v, const char *path, char temp[OUTPUT_NAME],
                      bool (*write)(FILE *f, const vectors_t *v), mrpb_err_t *err) {
  if (output_temp(path, temp, err) != 0) return -1;
  FILE *f = fopen(temp, "w");
  if (!f) return mrpb_fail(err, "%s: cannot write: %s", path, strerror(errno));
  errno = 0;
  bool bad = !write(f, v) || ferror(f) != 0;
  if (fclose(f) != 0) bad = true;
  if (!bad) return 0;
  mrpb_fail(err, "%s: cannot write: %s", path, strerror(errno ? errno : ENOMEM));
  output_discard(path, temp);
  return -1;
}

int vectors_check_name(const char *path, mrpb_err_t *err) {
  size_t n = strlen(path);
  if (n > 4 && n + 2 <= OUTPUT_NAME && strcmp(path + n - 4, ".vec") == 0) return 0;
  return mrpb_fail(err, "%.200s: legal: a file name that ends in .vec", path);
}

int vectors_write(const vectors_t *v, const char *path, mrpb_err_t *err) {
  char json[OUTPUT_NAME], json_temp[OUTPUT_NAME], temp[OUTPUT_NAME];
  size_t n = strlen(path);
  if (vectors_check_name(path, err) != 0) return -1;
  memcpy(json, path, n - 3);
  strcpy(json + n - 3, "json");
  if (write_temp(v, json, json_temp, write_json, err) != 0) return -1;
  if (write_temp(v, path, temp, write_text, err) != 0) {
    output_discard(json, json_temp);
    return -1;
  }
  return output_commit_pair(path, temp, json, json_temp, err);
}
