/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb config diff`: the keys in which two configurations differ. */
#include "cli/cli.h"
#include "config/config.h"
#include "config/device_cfg.h"
#include "base/home.h"
#include "base/input.h"
#include "base/json_out.h"

#include <stdlib.h>
#include <string.h>

enum { CONFIG_WORD = 64 };

typedef struct {
  const char *word; /* "diff" */
  const char *file[2];
  unsigned n;
  const char *json;
} args_t;

typedef struct {
  const key_table_t *table;
  uint32_t v[2][KEYFILE_MAX_KEYS];
} pair_t;

static const cli_option_t options[] = {
    CLI_JSON(args_t, json, "the list as JSON"),
};

static int take_word(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  if (a->word) return cli_append(a->file, &a->n, 2, "configuration", v, err);
  if (strcmp(v, "diff") != 0) return mrpb_fail(err, "'%.60s': legal: diff A B", v);
  a->word = v;
  return 0;
}

/* Finds the machine that `path` configures, and reads its values. The text is read only once
 * because it may come from a pipe. */
static const key_table_t *load(const char *path, uint32_t *v, mrpb_err_t *err) {
  static const key_table_t *const tables[] = {&config_table, &device_cfg_table};
  char own[FILES_PATH];
  const char *found = home_config(own, path);
  size_t size = 0;
  char *text = input_text(found, FILES_MOST, &size, err);
  int rc = text ? KEYFILE_OTHER : -1;
  unsigned i = 0;
  for (; rc == KEYFILE_OTHER && i < 2; i++) {
    mrpb_err_t why = {""};
    FILE *f = fmemopen(text, size, "r");
    rc = f ? keyfile_read(tables[i], v, f, found, &why) : mrpb_fail(&why, "out of memory");
    if (f) fclose(f);
    if (rc == -1 || (rc != 0 && i == 1)) mrpb_fail(err, "%s", why.text);
  }
  free(text);
  return rc == 0 ? tables[i - 1] : NULL;
}

static int load_both(pair_t *p, const args_t *a, mrpb_err_t *err) {
  p->table = load(a->file[0], p->v[0], err);
  const key_table_t *other = p->table ? load(a->file[1], p->v[1], err) : NULL;
  if (!other || other == p->table) return other ? 0 : -1;
  return mrpb_fail(err, "%.150s is for %s, %.150s for %s; legal: both for one", a->file[0],
                   p->table->title, a->file[1], other->title);
}

static json_t *value(const pair_t *p, unsigned i, unsigned side) {
  char text[CONFIG_WORD];
  if (!p->table->keys[i].words) return json_integer(p->v[side][i]);
  keyfile_print_value(p->table, p->v[side], i, text, sizeof text);
  return json_string(text);
}

static json_t *list(const pair_t *p, const args_t *a) {
  json_t *root = json_object(), *keys = json_array();
  for (unsigned i = 0; i < p->table->n; i++) {
    if (p->v[0][i] == p->v[1][i]) continue;
    json_t *o = json_object();
    json_out_set(&o, "key", json_string(p->table->keys[i].name));
    json_out_set(&o, "a", value(p, i, 0));
    json_out_set(&o, "b", value(p, i, 1));
    json_out_set(&o, "unit", json_string(p->table->keys[i].unit));
    json_out_append(&keys, o);
  }
  json_out_set(&root, "a", json_string(a->file[0]));
  json_out_set(&root, "b", json_string(a->file[1]));
  json_out_set(&root, "of", json_string(p->table->title));
  json_out_set(&root, "keys", json_integer(p->table->n));
  json_out_set(&root, "different", keys);
  return root;
}

/* Returns how many keys differ. */
static unsigned print(const pair_t *p, const args_t *a) {
  unsigned n = 0;
  for (unsigned i = 0; i < p->table->n; i++) {
    char text[2][CONFIG_WORD];
    if (p->v[0][i] == p->v[1][i]) continue;
    if (n++ == 0) printf("%-20s %-16s %-16s\n", "", "A", "B");
    for (unsigned side = 0; side < 2; side++)
      keyfile_print_value(p->table, p->v[side], i, text[side], sizeof text[side]);
    printf("%-20s %-16s %-16s %s\n", p->table->keys[i].name, text[0], text[1],
           p->table->keys[i].unit);
  }
  printf("A: %s\nB: %s\n%u of %u keys of %s differ\n", a->file[0], a->file[1], n, p->table->n,
         p->table->title);
  return n;
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  args_t a = {.n = 0};
  pair_t p;
  int rc = cli_parse(&cmd_config, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc == CLI_PARSED && a.n != 2)
    rc = mrpb_fail(&err, "legal: diff A B, two configurations of one GPU");
  const char *const files[] = {a.json, a.file[0], a.file[1]};
  if (rc != CLI_PARSED || cli_apart(files, 1, 3, &err) != 0 || load_both(&p, &a, &err) != 0)
    return cli_fail("config", &err);
  if (a.json) {
    json_t *json = list(&p, &a);
    rc = json ? cli_write_json(a.json, json, &err) : mrpb_fail(&err, "out of memory");
    json_decref(json);
    if (rc != 0) return cli_fail("config", &err);
  }
  return print(&p, &a) > 0 ? CLI_DIFFERENT : CLI_OK;
}

const cli_command_t cmd_config = {
    .name = "config",
    .operands = "diff A B",
    .doc = "which keys of two configurations differ",
    .details = "Exit 0 no difference, 1 differences, 2 wrong input. docs/config.md",
    CLI_OPTIONS(options),
    .operand = take_word,
    .run = run,
};
