/* SPDX-License-Identifier: Apache-2.0 */
/* A table of keys: names, values, one assignment. Files: keyfile_read.c. See keyfile.h. */
#include "base/keyfile.h"

#include "base/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void keyfile_defaults(const key_table_t *t, uint32_t *v) {
  for (unsigned i = 0; i < t->n; i++) v[i] = t->keys[i].deflt;
}

int keyfile_find(const key_table_t *t, const char *name) {
  for (unsigned i = 0; i < t->n; i++)
    if (strcmp(t->keys[i].name, name) == 0) return (int)i;
  return -1;
}

int keyfile_unknown(const key_table_t *t, const char *name, const char *where, mrpb_err_t *err) {
  for (unsigned i = 0; i < t->n_renamed; i++) {
    int now = strcmp(t->renamed[i].old, name) == 0 ? keyfile_find(t, t->renamed[i].now) : -1;
    char legal[128];
    if (now < 0) continue;
    keyfile_print_legal(&t->keys[now], legal, sizeof legal);
    return mrpb_fail(err, "%s: %s is called %s here; legal: %s", where, name, t->keys[now].name,
                     legal);
  }
  if (t->other && keyfile_find(t->other, name) >= 0)
    return mrpb_fail(err, "%s: %s is a key of %s; legal: keys of %s", where, name, t->other->title,
                     t->title);
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < t->n; i++) names_offer(&near, t->keys[i].name);
  return mrpb_fail(err, "%s: unknown key '%s'%s", where, name, near.text);
}

/* Index of `value` among the words "a|b|c"; -1 if it is none of them. */
static int find_word(const char *words, const char *value) {
  size_t n = strlen(value);
  int index = 0;
  for (const char *w = words; n > 0; index++) {
    size_t len = strcspn(w, "|");
    if (len == n && strncmp(w, value, n) == 0) return index;
    if (w[len] == '\0') return -1;
    w += len + 1;
  }
  return -1;
}

int keyfile_store(const key_table_t *t, uint32_t *v, unsigned i, const char *value,
                  const char *where, mrpb_err_t *err) {
  const keyfile_key_t *k = &t->keys[i];
  if (k->words) {
    int w = find_word(k->words, value);
    if (w < 0)
      return mrpb_fail(err, "%s: %s = '%s' is unknown; legal: %s", where, k->name, value, k->words);
    v[i] = (uint32_t)w;
    return 0;
  }
  char *end = NULL;
  errno = 0;
  unsigned long long n = isdigit((unsigned char)value[0]) ? strtoull(value, &end, 10) : 0;
  if (!end || *end != '\0')
    return mrpb_fail(err, "%s: %s = '%s' is not a number; legal: %u to %u", where, k->name, value,
                     k->min, k->max);
  if (errno == ERANGE || n < k->min || n > k->max)
    return mrpb_fail(err, "%s: %s = %s is out of range; legal: %u to %u", where, k->name, value,
                     k->min, k->max);
  v[i] = (uint32_t)n;
  return 0;
}

int keyfile_set(const key_table_t *t, uint32_t *v, const char *assignment, mrpb_err_t *err) {
  char name[64];
  const char *eq = strchr(assignment, '=');
  size_t n = eq ? (size_t)(eq - assignment) : 0;
  if (n == 0 || n >= sizeof name)
    return mrpb_fail(err, "--set %s: not an assignment; legal: KEY=VALUE", assignment);
  memcpy(name, assignment, n);
  name[n] = '\0';
  int i = keyfile_find(t, name);
  if (i < 0) return keyfile_unknown(t, name, "--set", err);
  return keyfile_store(t, v, (unsigned)i, eq + 1, "--set", err);
}
