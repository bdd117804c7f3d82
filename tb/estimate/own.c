/* SPDX-License-Identifier: Apache-2.0 */
/* Takes a user's design through the door and makes it a source of the flow: see own.h. */
#include "estimate/own.h"

#include "base/hash.h"
#include "base/names.h"
#include "base/output.h"
#include "base/sizes.h"
#include "estimate/own_memory.h"
#include "estimate/synth.h"
#include "verilog/build.h"
#include "verilog/lint/lint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 4096 };

struct own {
  const own_args_t *args;
  design_args_t design_args;
  design_t *design;
  design_made_t *made;  /* with a map */
  describe_t *describe; /* without one */
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  bind_param_t *param;
  unsigned n_params;
  synth_source_t source;
  look_t look;
  sram_t sram[SRAM_MAX];
  unsigned n_srams;
  char text[FILES_PATH], script[TEXT], said[TEXT], name[64];
};

/* ---- parameters ---- */

/* Adds "P=V" of the command line; the last of several counts. */
static int set_param(own_t *o, const char *text, mrpb_err_t *err) {
  const char *equal = strchr(text, '=');
  const size_t n = equal ? (size_t)(equal - text) : 0;
  char *end = NULL;
  errno = 0;
  const uint64_t v = equal ? strtoull(equal + 1, &end, 0) : 0;
  if (n == 0 || n >= MAP_NAME || end == equal + 1 || *end || equal[1] == '-' || errno ||
      v > INT32_MAX)
    return mrpb_fail(err, "--set %.80s: legal: PARAMETER=VALUE, a whole number up to 2147483647",
                     text);
  bind_param_t *p = NULL;
  for (unsigned i = 0; i < o->n_params; i++)
    if (strlen(o->param[i].name) == n && strncmp(o->param[i].name, text, n) == 0) p = &o->param[i];
  if (!p) p = &o->param[o->n_params++];
  *p = (bind_param_t){.value = v};
  snprintf(p->name, sizeof p->name, "%.*s", (int)n, text);
  return 0;
}

/* Elaborates with the parameters of the command line. Each must exist. */
static int elaborate_alone(own_t *o, mrpb_err_t *err) {
  for (unsigned i = 0; i < o->args->n_sets; i++)
    if (set_param(o, o->args->set[i], err) != 0) return -1;
  bind_param_t *asked = calloc(o->n_params + 1, sizeof *asked);
  if (!asked) return mrpb_fail(err, "out of memory");
  memcpy(asked, o->param, o->n_params * sizeof *asked);
  const unsigned n = o->n_params;
  int rc =
      design_elaborate(&o->describe, o->design, o->param, &o->n_params, err) == RTL_OK ? 0 : -1;
  for (unsigned i = 0; rc == 0 && o->n_params < n && i < n; i++) {
    if (i < o->n_params && strcmp(asked[i].name, o->param[i].name) == 0) continue;
    const decl_t *item;
    names_near_t near = names_near(asked[i].name);
    for (unsigned k = 0; (item = describe_item(o->describe, design_top(o->design), k)); k++)
      if (item->kind == DECL_PARAMETER) names_offer(&near, item->name);
    rc = mrpb_fail(err, "%s: no parameter '%s'%s", design_top(o->design), asked[i].name, near.text);
  }
  free(asked);
  return rc;
}

/* Elaborates at a size of our module. */
static int elaborate_beside(own_t *o, mrpb_err_t *err) {
  module_defaults(o->cls, o->cfg);
  for (unsigned i = 0; i < o->args->n_sets; i++)
    if (sizes_set(o->cls, o->cfg, o->args->set[i], err) != 0) return -1;
  if (o->cls->check(o->cfg, err) != 0) return -1;
  if (o->design_args.map) {
    if (design_make(&o->made, o->design, o->cls, o->cfg, err) != RTL_OK) return -1;
    memcpy(o->param, o->made->bind.param, o->made->bind.n_params * sizeof *o->param);
    o->n_params = o->made->bind.n_params;
    return 0;
  }
  if (bind_params(design_map(o->design), o->cls, o->cfg, design_preprocessed(o->design), o->param,
                  &o->n_params, err) != 0)
    return -1;
  return design_elaborate(&o->describe, o->design, o->param, &o->n_params, err) == RTL_OK ? 0 : -1;
}

/* The module of ours: the command line's, or the map's. */
static int choose_module(own_t *o, mrpb_err_t *err) {
  const char *module = design_module(o->design);
  if (module && o->cls && strcmp(module, o->cls->stem) != 0)
    return mrpb_fail(err, "%s is for module %s of ours; this is %s", o->design_args.map, module,
                     o->cls->stem);
  if (module && !o->cls && !(o->cls = sizes_module(module, err))) return -1;
  if (o->design_args.map && !o->cls)
    return mrpb_fail(err,
                     "%s: which module is ours? legal: MODULE before the options, or a line "
                     "`module NAME` in the map",
                     o->design_args.map);
  return 0;
}

static void write_params(own_t *o) {
  size_t n = 0, m = 0;
  for (unsigned i = 0; i < o->n_params && n < TEXT && m < TEXT; i++) {
    const bind_param_t *p = &o->param[i];
    n += (size_t)snprintf(o->script + n, TEXT - n, " -set %s %" PRIu64, p->name, p->value);
    m += (size_t)snprintf(o->said + m, TEXT - m, "%s%s=%" PRIu64, i ? " " : "", p->name, p->value);
  }
}

/* ---- the text ---- */

/* SYNTHESIS is defined, as synthesis tools do it, unless the user does. */
static void define(own_t *o) {
  design_args_t *d = &o->design_args;
  *d = o->args->design;
  if (d->n_words < DESIGN_WORDS) d->word[d->n_words++] = "+define+SYNTHESIS";
}

/* Yosys ends at $finish, so its text is without that, in a folder named by its contents. */
static int write_text(own_t *o, const char *cache, mrpb_err_t *err) {
  char temp[FILES_PATH], folder[FILES_PATH];
  const uint64_t hash = hash_text(HASH_START, design_preprocessed(o->design));
  if (!files_path(folder, "%s/design.%016" PRIx64, cache, hash) ||
      !files_path(o->text, "%s/design.sv", folder))
    return mrpb_fail(err, "%s: path too long", cache);
  if (files_exists(o->text)) return 0;
  if (files_temp_folder(temp, cache, err) != 0) return -1;
  FILE *f = output_into(temp, "design.sv", err);
  if (f) lint_yosys_text(design_preprocessed(o->design), f);
  if (f && output_into_end(f, false, temp, "design.sv", err) == 0)
    return files_publish(temp, folder, err);
  files_remove_tree(temp, NULL);
  return -1;
}

/* The text names its files in lines `line 1 "FILE" 1. Yosys takes no blank in a name, and the report
 * none of the other letters. */
static int check_names(const char *text, mrpb_err_t *err) {
  static const char mark[] = "`line ";
  for (const char *at = strstr(text, mark); at; at = strstr(at + 1, mark)) {
    if (at != text && at[-1] != '\n') continue;
    const char *end = at + strcspn(at, "\n"), *name = at + strcspn(at, "\"\n");
    while (end > name && *end != '"') end--;
    for (const char *c = name + 1; c < end; c++)
      if ((unsigned char)*c <= ' ' || strchr("\"\\|`", *c))
        return mrpb_fail(err, "%.*s: legal: a path without blanks and without any of \" \\ | `",
                         (int)(end - name - 1), name + 1);
  }
  return 0;
}

/* ---- the source ---- */

static int name_clocks(own_t *o, mrpb_err_t *err) {
  const map_t *map = design_map(o->design);
  synth_source_t *s = &o->source;
  for (unsigned i = 0; i < o->args->n_clocks; i++) s->clock[s->n_clocks++] = o->args->clock[i];
  for (unsigned i = 0; i < map->n && o->args->n_clocks == 0; i++) {
    const map_statement_t *m = &map->statement[i];
    if (m->kind != MAP_CLOCK) continue;
    if (s->n_clocks == SYNTH_CLOCKS)
      return map_fail(map, m, err, "more than %d clocks", (int)SYNTH_CLOCKS);
    s->clock[s->n_clocks++] = m->name;
  }
  return 0;
}

static int look(own_t *o, const char *cache, uint64_t yosys, mrpb_err_t *err) {
  synth_source_t *s = &o->source;
  snprintf(o->name, sizeof o->name, "%.60s", design_top(o->design));
  *s = (synth_source_t){
      .name = o->name, .top = design_top(o->design), .text = o->text, .params = o->script};
  if (name_clocks(o, err) != 0 || look_open(&o->look, s, cache, yosys, err) != 0) return -1;
  if (s->n_clocks == 0 && o->look.clock[0]) s->clock[s->n_clocks++] = o->look.clock;
  s->falling = o->look.falling;
  s->async_resets = o->look.async_resets;
  s->registers = o->look.registers;
  s->inputs = o->look.inputs;
  const own_memory_t choice = {.cls = o->cls,
                               .cfg = o->cfg,
                               .bind = o->made ? &o->made->bind : NULL,
                               .asked = o->args->memory,
                               .n_asked = o->args->n_memories};
  const int n = own_memories(&o->look, &choice, s->name, o->sram, &s->unclocked, err);
  if (n < 0) return -1;
  o->n_srams = (unsigned)n;
  s->large = look_flops(&o->look) > SYNTH_LARGE;
  return 0;
}

/* The tools run in other folders. */
static int whole_path(char full[FILES_PATH], const char *path, mrpb_err_t *err) {
  char here[FILES_PATH] = "";
  if (path[0] != '/' && !getcwd(here, sizeof here))
    return mrpb_fail(err, "%s: %s", path, strerror(errno));
  return files_path(full, "%s%s%s", here, here[0] ? "/" : "", path)
             ? 0
             : mrpb_fail(err, "%s: path too long", path);
}

int own_open(own_t **out, const own_args_t *args, const module_class_t *cls, const char *cache,
             uint64_t yosys, mrpb_err_t *err) {
  own_t *o = calloc(1, sizeof *o);
  char full[FILES_PATH];
  *out = NULL;
  if (!o || !(o->param = calloc(BIND_PARAMS + args->n_sets, sizeof *o->param))) {
    free(o);
    return mrpb_fail(err, "out of memory");
  }
  o->args = args;
  o->cls = cls;
  define(o);
  int rc = whole_path(full, cache, err);
  if (rc == 0 && design_open(&o->design, &o->design_args, full, err) != RTL_OK) rc = -1;
  if (rc == 0) rc = check_names(design_preprocessed(o->design), err);
  if (rc == 0) rc = choose_module(o, err);
  if (rc == 0) rc = o->cls ? elaborate_beside(o, err) : elaborate_alone(o, err);
  if (rc == 0) {
    write_params(o);
    rc = write_text(o, full, err) == 0 ? look(o, full, yosys, err) : -1;
  }
  if (rc == 0)
    *out = o;
  else
    own_close(o);
  return rc;
}

void own_close(own_t *o) {
  if (!o) return;
  look_close(&o->look);
  describe_close(o->describe);
  if (o->made) design_unmake(o->made);
  design_close(o->design);
  free(o->param);
  free(o);
}

const synth_source_t *own_source(const own_t *o) {
  return &o->source;
}
const sram_t *own_srams(const own_t *o, unsigned *n) {
  *n = o->n_srams;
  return o->sram;
}
const look_t *own_look(const own_t *o) {
  return &o->look;
}
const module_class_t *own_module(const own_t *o, const uint32_t **cfg) {
  *cfg = o->cfg;
  return o->cls;
}
const char *own_params(const own_t *o) {
  return o->said;
}
