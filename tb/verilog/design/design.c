/* SPDX-License-Identifier: Apache-2.0 */
/* Turns files and a map into a folder that every tool accepts. */
#include "verilog/design/design.h"

#include "base/hash.h"
#include "base/output.h"
#include "verilog/build.h"
#include "verilog/design/elaborate.h"
#include "verilog/design/outside.h"
#include "verilog/design/source.h"
#include "verilog/design/wrapper.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct design {
  const design_args_t *args;
  map_t map;
  const char *top;
  char cache[FILES_PATH], path[FILES_PATH]; /* of the preprocessed text */
  char *text;
};

bool design_given(const design_args_t *a) {
  return a->top || a->map || a->n_lists > 0 || a->n_words > 0;
}

const char *design_module(const design_t *d) {
  const map_statement_t *s = map_one(&d->map, MAP_MODULE);
  return s ? s->name : NULL;
}

const map_t *design_map(const design_t *d) {
  return &d->map;
}

const char *design_top(const design_t *d) {
  return d->top;
}

const char *design_preprocessed(const design_t *d) {
  return d->text;
}

/* Reads the lists and words of the command line. */
static int collect(const design_t *d, source_t *s, mrpb_err_t *err) {
  for (unsigned i = 0; i < d->args->n_lists; i++)
    if (source_list(s, d->args->list[i], err) != 0) return RTL_BAD_INPUT;
  for (unsigned i = 0; i < d->args->n_words; i++)
    if (source_word(s, d->args->word[i], err) != 0) return RTL_BAD_INPUT;
  return RTL_OK;
}

/* Whether the files have a different text with `define`, for example because they put `ifndef
 * VERILATOR around what Verilator does not read. */
static bool guarded(const design_t *d, const char *define, const char *folder) {
  char path[FILES_PATH];
  mrpb_err_t unheard = {""};
  source_t *s = calloc(1, sizeof *s);
  char *text = NULL;
  if (s && files_path(path, "%s/guarded.sv", folder) && collect(d, s, &unheard) == RTL_OK &&
      source_word(s, define, &unheard) == 0 && source_text(s, path, &unheard) == RTL_OK)
    text = files_read(path, NULL);
  const bool other = text && strcmp(text, d->text) != 0;
  free(text);
  if (s) source_free(s);
  free(s);
  return other;
}

/* Text that Verilator does not read may be meant for other tools. */
static void say_guards(const design_t *d, const char *folder, mrpb_err_t *err) {
  static const char *const defines[] = {"+define+VERILATOR", "+define+SYNTHESIS"};
  char text[sizeof err->text];
  const char *behind = "; the files have another text with ";
  if (!strstr(err->text, "syntax error") && !strstr(err->text, "nsupported") &&
      !strstr(err->text, "annot find"))
    return;
  for (unsigned i = 0; i < sizeof defines / sizeof *defines; i++) {
    if (!guarded(d, defines[i], folder)) continue;
    snprintf(text, sizeof text, "%.300s%s%s", err->text, behind, defines[i]);
    mrpb_err_t more = {""};
    mrpb_fail(&more, "%s", text);
    *err = more;
    behind = ", ";
  }
}

/* The text is stored under a name derived from its contents, so the same files give the same
 * path. */
static int read_files(design_t *d, mrpb_err_t *err) {
  char temp[FILES_PATH], path[FILES_PATH], folder[FILES_PATH];
  source_t *s = calloc(1, sizeof *s);
  if (!s) return mrpb_fail(err, "out of memory"), RTL_BAD_TOOL;
  int rc = collect(d, s, err);
  if (rc == RTL_OK && s->files == 0)
    rc = (mrpb_fail(err,
                    "%s: no file; legal: -f LIST with Verilog files in it, or the files themselves",
                    d->args->n_lists ? d->args->list[0] : "a design of yours"),
          RTL_BAD_INPUT);
  if (rc == RTL_OK && files_temp_folder(temp, d->cache, err) != 0) rc = RTL_BAD_INPUT;
  if (rc == RTL_OK) {
    rc = files_path(path, "%s/design.sv", temp) ? source_text(s, path, err) : RTL_BAD_INPUT;
    d->text = rc == RTL_OK ? files_read(path, NULL) : NULL;
    if (rc == RTL_OK && !d->text) rc = (mrpb_fail(err, "%s: cannot be read", path), RTL_BAD_INPUT);
    if (rc == RTL_OK && outside_check(d->text, err) != 0) rc = RTL_BAD_INPUT;
    const uint64_t key = d->text ? hash_text(HASH_START, d->text) : 0;
    if (rc == RTL_OK &&
        (!files_path(folder, "%s/source-%016llx", d->cache, (unsigned long long)key) ||
         !files_path(d->path, "%s/design.sv", folder) || files_publish(temp, folder, err) != 0))
      rc = RTL_BAD_INPUT;
    if (rc != RTL_OK) files_remove_tree(temp, NULL);
  }
  source_free(s);
  free(s);
  return rc;
}

/* Streams pass at any time: nothing but `mrpb streams` compares them. */
static int check_streams(const design_t *d, mrpb_err_t *err) {
  const map_statement_t *s = map_one(&d->map, MAP_STREAM);
  if (!s || d->args->streams) return 0;
  return map_fail(&d->map, s, err,
                  "a stream has no cycles to compare; legal: in a map for `mrpb "
                  "streams` or `mrpb align`");
}

int design_open(design_t **out, const design_args_t *args, const char *cache, mrpb_err_t *err) {
  design_t *d = calloc(1, sizeof *d);
  *out = NULL;
  if (!d) return mrpb_fail(err, "out of memory"), RTL_BAD_TOOL;
  d->args = args;
  int rc = files_path(d->cache, "%s", cache) && map_read(&d->map, args->map, err) == 0 &&
                   check_streams(d, err) == 0
               ? RTL_OK
               : RTL_BAD_INPUT;
  if (args->map_said) snprintf(d->map.file, sizeof d->map.file, "%s", args->map_said);
  const map_statement_t *top = rc == RTL_OK ? map_one(&d->map, MAP_TOP) : NULL;
  d->top = args->top ? args->top : top ? top->name : NULL;
  if (rc == RTL_OK && !d->top)
    rc = (mrpb_fail(err,
                    "which module is yours? legal: --top NAME, or a line `top NAME` in the map"),
          RTL_BAD_INPUT);
  if (rc == RTL_OK) rc = read_files(d, err);
  if (rc == RTL_OK)
    *out = d;
  else
    design_close(d);
  return rc;
}

void design_close(design_t *d) {
  if (!d) return;
  map_free(&d->map);
  free(d->text);
  free(d);
}

/* ---- a design's module with the name of ours ---- */

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Writes the text with the name `from` replaced by `to`; strings stay unchanged. */
static void write_renamed(const char *text, const char *from, const char *to, FILE *f) {
  const size_t n = strlen(from);
  for (const char *at = text, *end; *at; at = end) {
    const bool whole =
        strncmp(at, from, n) == 0 && !in_name(at[n]) && (at == text || !in_name(at[-1]));
    end = whole ? at + n : *at == '"' ? outside_string_end(at) : at + 1;
    if (whole)
      fputs(to, f);
    else
      fwrite(at, 1, (size_t)(end - at), f);
  }
}

/* Finds a name that does not occur in the text. */
static void other_name(const char *text, const char *name, char other[MAP_NAME]) {
  snprintf(other, MAP_NAME, "%.100s_theirs", name);
  for (unsigned i = 2; strstr(text, other); i++)
    snprintf(other, MAP_NAME, "%.100s_theirs%u", name, i);
}

static int write_module(const design_t *d, bind_t *b, const bind_param_t *param, unsigned n_params,
                        const char *folder, mrpb_err_t *err) {
  char file[MAP_NAME + 4], other[MAP_NAME];
  const char *stem = b->cls->stem;
  snprintf(file, sizeof file, "%.100s.v", stem);
  FILE *f = output_into(folder, file, err);
  if (!f) return -1;
  fputs("/* verilator lint_off DECLFILENAME */\n", f); /* all modules are in one file */
  if (strstr(d->text, stem)) {
    other_name(d->text, stem, other);
    write_renamed(d->text, stem, other, f);
    if (strcmp(b->top, stem) == 0) snprintf(b->top, sizeof b->top, "%s", other);
  } else {
    fputs(d->text, f);
  }
  wrapper_write(b, param, n_params, f);
  return output_into_end(f, false, folder, file, err);
}

/* ---- at a size ---- */

/* A parameter whose type has too few bits would cut off its value. */
static int check_params(const describe_t *design, const design_t *d, const bind_param_t *param,
                        unsigned n, mrpb_err_t *err) {
  for (unsigned i = 0; i < n; i++) {
    const bind_param_t *p = &param[i];
    const decl_t *item = describe_find(design, d->top, p->name);
    const unsigned width = item ? describe_width(design, item->type) : 0;
    if (width == 0 || width >= expr_bits(p->value)) continue;
    mrpb_fail(err,
              "parameter '%s' of %s has %u bits, too few for %" PRIu64
              "; legal: a smaller size, a wider type, or another line param %s = EXPR",
              p->name, d->top, width, p->value, p->name);
    return RTL_BAD_INPUT;
  }
  return RTL_OK;
}

static int elaborate_in(describe_t **out, const design_t *d, bind_param_t *param, unsigned *n,
                        const char *temp, mrpb_err_t *err) {
  int rc = elaborate(out, &d->map, d->path, d->top, param, n, temp, err);
  if (rc != RTL_OK) say_guards(d, temp, err);
  return rc == RTL_OK ? check_params(*out, d, param, *n, err) : rc;
}

int design_elaborate(describe_t **out, const design_t *d, bind_param_t *param, unsigned *n,
                     mrpb_err_t *err) {
  char temp[FILES_PATH];
  *out = NULL;
  if (files_temp_folder(temp, d->cache, err) != 0) return RTL_BAD_INPUT;
  const int rc = elaborate_in(out, d, param, n, temp, err);
  files_remove_tree(temp, NULL);
  if (rc == RTL_OK) return rc;
  describe_close(*out);
  *out = NULL;
  return rc;
}

static int bind_size(design_made_t *m, const design_t *d, const module_class_t *cls,
                     const uint32_t *cfg, bind_param_t *param, unsigned *n_params, const char *temp,
                     mrpb_err_t *err) {
  if (bind_params(&d->map, cls, cfg, d->text, param, n_params, err) != 0) return RTL_BAD_INPUT;
  const int rc = elaborate_in(&m->design, d, param, n_params, temp, err);
  if (rc != RTL_OK) return rc;
  const bool regs = !d->args->outputs_only;
  return bind_open(&m->bind, &d->map, m->design, d->top, cls, cfg, regs, err) == 0 ? RTL_OK
                                                                                   : RTL_BAD_INPUT;
}

int design_describe(describe_t **out, const design_t *d, const module_class_t *cls,
                    const uint32_t *cfg, mrpb_err_t *err) {
  char temp[FILES_PATH];
  unsigned n = 0;
  *out = NULL;
  bind_param_t *param = calloc(BIND_PARAMS, sizeof *param);
  if (!param) return mrpb_fail(err, "out of memory"), RTL_BAD_TOOL;
  int rc = files_temp_folder(temp, d->cache, err) == 0 ? RTL_OK : RTL_BAD_INPUT;
  if (rc == RTL_OK) {
    rc = bind_params(&d->map, cls, cfg, d->text, param, &n, err) == 0
             ? elaborate(out, &d->map, d->path, d->top, param, &n, temp, err)
             : RTL_BAD_INPUT;
    files_remove_tree(temp, NULL);
  }
  free(param);
  return rc;
}

static int publish(design_made_t *m, const design_t *d, const char *temp, mrpb_err_t *err) {
  char path[FILES_PATH];
  size_t n = 0;
  char *text = files_path(path, "%s/%s.v", temp, m->bind.cls->stem) ? files_read(path, &n) : NULL;
  if (!text) return mrpb_fail(err, "%s: cannot be read", path), RTL_BAD_INPUT;
  const uint64_t key = hash_bytes(HASH_START, text, n);
  free(text);
  if (!files_path(m->dir, "%s/design-%016llx", d->cache, (unsigned long long)key))
    return mrpb_fail(err, "%s: the path is too long", d->cache), RTL_BAD_INPUT;
  return files_publish(temp, m->dir, err) == 0 ? RTL_OK : RTL_BAD_INPUT;
}

int design_make(design_made_t **out, const design_t *d, const module_class_t *cls,
                const uint32_t *cfg, mrpb_err_t *err) {
  char temp[FILES_PATH], folder[FILES_PATH];
  unsigned n_params = 0;
  *out = NULL;
  design_made_t *m = calloc(1, sizeof *m);
  bind_param_t *param = calloc(BIND_PARAMS, sizeof *param);
  int rc = m && param ? RTL_OK : (mrpb_fail(err, "out of memory"), RTL_BAD_TOOL);
  if (rc == RTL_OK && files_temp_folder(temp, d->cache, err) != 0) rc = RTL_BAD_INPUT;
  if (rc == RTL_OK) {
    memcpy(m->cfg, cfg, cls->n_params * sizeof *cfg);
    rc = bind_size(m, d, cls, m->cfg, param, &n_params, temp, err);
    files_remove_tree(temp, NULL);
  }
  if (rc == RTL_OK && files_temp_folder(folder, d->cache, err) != 0) rc = RTL_BAD_INPUT;
  if (rc == RTL_OK) {
    rc = write_module(d, &m->bind, param, n_params, folder, err) == 0 ? publish(m, d, folder, err)
                                                                      : RTL_BAD_INPUT;
    if (rc != RTL_OK) files_remove_tree(folder, NULL);
  }
  if (rc == RTL_OK) {
    m->bind.param = param;
    m->bind.n_params = n_params;
    *out = m;
    return rc;
  }
  free(param);
  design_unmake(m);
  return rc;
}

void design_unmake(design_made_t *m) {
  if (!m) return;
  bind_close(&m->bind);
  describe_close(m->design);
  free(m);
}
