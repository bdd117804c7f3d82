/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb config diff`: the keys in which two configurations differ, and those that only one has. */
#include "cli/cli.h"
#include "config/config.h"
#include "base/json_out.h"

#include <string.h>

enum { CONFIG_WORD = 64 };

typedef struct {
  const char *word; /* "diff" */
  const char *file[2];
  unsigned n;
  const char *json;
} args_t;

typedef struct {
  config_t cfg[2];
  unsigned keys, different; /* of either; of those, how many differ */
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

static bool has(const pair_t *p, unsigned i) {
  return config_has(&p->cfg[0], i) || config_has(&p->cfg[1], i);
}

static bool differs(const pair_t *p, unsigned i) {
  if (config_has(&p->cfg[0], i) != config_has(&p->cfg[1], i)) return true;
  return has(p, i) && config_value(&p->cfg[0], i) != config_value(&p->cfg[1], i);
}

static int load_both(pair_t *p, const args_t *a, mrpb_err_t *err) {
  for (unsigned side = 0; side < 2; side++)
    if (config_load(&p->cfg[side], a->file[side], err) != 0) return -1;
  p->keys = p->different = 0;
  for (unsigned i = 0; i < config_count(); i++) {
    p->keys += has(p, i);
    p->different += differs(p, i);
  }
  return 0;
}

/* "GPUs of pipeline cores", or the two kinds. */
static const char *title(const pair_t *p, char text[2 * CONFIG_WORD]) {
  const char *a = config_title(&p->cfg[0]), *b = config_title(&p->cfg[1]);
  snprintf(text, 2 * CONFIG_WORD, "%s%s%s", a, a == b ? "" : " and ", a == b ? "" : b);
  return text;
}

static json_t *value(const config_t *c, unsigned i) {
  char text[CONFIG_WORD];
  if (!config_key(i)->words) return json_integer(config_value(c, i));
  config_print_value(c, i, text, sizeof text);
  return json_string(text);
}

static json_t *list(const pair_t *p, const args_t *a) {
  static const char *const name[] = {"a", "b"};
  json_t *root = json_object(), *keys = json_array();
  char text[2 * CONFIG_WORD];
  for (unsigned i = 0; i < config_count(); i++) {
    if (!differs(p, i)) continue;
    json_t *o = json_object();
    json_out_set(&o, "key", json_string(config_key(i)->name));
    for (unsigned side = 0; side < 2; side++)
      if (config_has(&p->cfg[side], i)) json_out_set(&o, name[side], value(&p->cfg[side], i));
    json_out_set(&o, "unit", json_string(config_key(i)->unit));
    json_out_append(&keys, o);
  }
  json_out_set(&root, "a", json_string(a->file[0]));
  json_out_set(&root, "b", json_string(a->file[1]));
  json_out_set(&root, "of", json_string(title(p, text)));
  json_out_set(&root, "keys", json_integer(p->keys));
  json_out_set(&root, "different", keys);
  return root;
}

static void print(const pair_t *p, const args_t *a) {
  char text[2][CONFIG_WORD], of[2 * CONFIG_WORD];
  if (p->different) printf("%-20s %-16s %-16s\n", "", "A", "B");
  for (unsigned i = 0; i < config_count(); i++) {
    if (!differs(p, i)) continue;
    for (unsigned side = 0; side < 2; side++) {
      snprintf(text[side], CONFIG_WORD, "-");
      if (config_has(&p->cfg[side], i))
        config_print_value(&p->cfg[side], i, text[side], CONFIG_WORD);
    }
    printf("%-20s %-16s %-16s %s\n", config_key(i)->name, text[0], text[1], config_key(i)->unit);
  }
  printf("A: %s\nB: %s\n%u of %u keys of %s differ\n", a->file[0], a->file[1], p->different,
         p->keys, title(p, of));
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  args_t a = {.n = 0};
  pair_t p;
  int rc = cli_parse(&cmd_config, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc == CLI_PARSED && a.n != 2) rc = mrpb_fail(&err, "legal: diff A B, two configurations");
  const char *const files[] = {a.json, a.file[0], a.file[1]};
  if (rc != CLI_PARSED || cli_apart(files, 1, 3, &err) != 0 || load_both(&p, &a, &err) != 0)
    return cli_fail("config", &err);
  if (a.json) {
    json_t *json = list(&p, &a);
    rc = json ? cli_write_json(a.json, json, &err) : mrpb_fail(&err, "out of memory");
    json_decref(json);
    if (rc != 0) return cli_fail("config", &err);
  }
  print(&p, &a);
  return p.different ? CLI_DIFFERENT : CLI_OK;
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
