/* SPDX-License-Identifier: Apache-2.0 */
/* A designer's own Verilog in place of one of our modules: takes files and a map, and makes a
 * folder with a module that has our name and ports. docs/verify/door.md */
#ifndef DESIGN_DESIGN_H
#define DESIGN_DESIGN_H

#include "verilog/design/bind.h"

#include "base/files.h"

enum { DESIGN_LISTS = 16, DESIGN_WORDS = 64 };

/* The arguments of the command line. */
typedef struct {
  const char *top, *map;
  const char *map_said;           /* the map's name in messages; NULL: `map` */
  const char *list[DESIGN_LISTS]; /* -f */
  const char *word[DESIGN_WORDS]; /* files, +define+..., +incdir+..., read after the lists */
  unsigned n_lists, n_words;
  bool outputs_only;
  bool streams; /* the map may have streams */
} design_args_t;

typedef struct design design_t;

/* Whether any of these arguments was given. */
bool design_given(const design_args_t *args);

/* Reads the map and the lists, and preprocesses the files. The folder `cache` holds what is kept.
 * `args` must outlive the result. Returns RTL_OK, or RTL_BAD_INPUT or RTL_BAD_TOOL
 * (verilog/build.h) and a message in err; *out is NULL on failure. */
int design_open(design_t **out, const design_args_t *args, const char *cache, mrpb_err_t *err);
void design_close(design_t *d);

/* The module of ours that the map names, or NULL. */
const char *design_module(const design_t *d);
/* The map. It lives as long as the design. */
const map_t *design_map(const design_t *d);
/* The name of the design's module. */
const char *design_top(const design_t *d);

/* The preprocessed text. */
const char *design_preprocessed(const design_t *d);

/* Describes the design's contents with `n` parameters. Those that it does not have are removed from
 * the list, unless a line of the map gives them, which is an error. Returns as design_open. */
int design_elaborate(describe_t **out, const design_t *d, bind_param_t *param, unsigned *n,
                     mrpb_err_t *err);

/* Describes the design's contents, with the parameters that the map gives at a size of `cls`.
 * Returns as design_open. */
int design_describe(describe_t **out, const design_t *d, const module_class_t *cls,
                    const uint32_t *cfg, mrpb_err_t *err);

/* The design as module `cls` at a size. */
typedef struct design_made {
  char dir[FILES_PATH]; /* holds <stem>.v for every tool: the wrapper and all of the design */
  uint32_t cfg[MODULE_MAX_PARAMS];
  describe_t *design;
  bind_t bind;
} design_made_t;

/* Makes it; design_unmake frees it. Returns as design_open. */
int design_make(design_made_t **out, const design_t *d, const module_class_t *cls,
                const uint32_t *cfg, mrpb_err_t *err);
void design_unmake(design_made_t *made);

#endif
