/* SPDX-License-Identifier: Apache-2.0 */
/* A table of keys: names, values, one assignment. Files: keyfile_read.c. See keyfile.h. */
#include "base/keyfile.h"

#include "base/names.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts ----------------------------------------------------------------- */

static unsigned parts_of(const key_table_t *t, const uint32_t *v) {
  return t->parts ? t->parts(v) : 0;
}

bool keyfile_has(const key_table_t *t, const uint32_t *v, unsigned i) {
  return !t->keys[i].has || t->keys[i].has & parts_of(t, v);
}

keyfile_key_t keyfile_key(const key_table_t *t, const uint32_t *v, unsigned i) {
  keyfile_key_t k = t->keys[i];
  const unsigned parts = parts_of(t, v);
  for (unsigned w = 0; w < t->n_with; w++) {
    const keyfile_with_t *with = &t->with[w];
    if (with->key != i || !(with->has & parts)) continue;
    k.min = with->min;
    k.max = with->max;
    k.deflt = with->deflt;
  }
  return k;
}

void keyfile_defaults(const key_table_t *t, uint32_t *v) {
  for (unsigned i = 0; i < t->n; i++) v[i] = t->keys[i].deflt;
}

/* ---- names ----------------------------------------------------------------- */

int keyfile_find(const key_table_t *t, const char *name) {
  for (unsigned i = 0; i < t->n; i++)
    if (strcmp(t->keys[i].name, name) == 0) return (int)i;
  return -1;
}

void keyfile_print_parts(const key_table_t *t, unsigned has, char *text, size_t size) {
  const bool all = !has || has + 1 == 1u << t->n_parts;
  size_t at = (size_t)snprintf(text, size, "%s", all ? t->title(NULL) : "");
  for (unsigned p = 0; p < t->n_parts && !all && at < size; p++)
    if (has >> p & 1)
      at += (size_t)snprintf(text + at, size - at, "%s%s", at ? " or " : "", t->part[p]);
}

int keyfile_unknown(const key_table_t *t, const uint32_t *v, const char *name, const char *where,
                    mrpb_err_t *err) {
  const int other = keyfile_find(t, name);
  char text[128];
  for (unsigned i = 0; i < t->n_renamed; i++) {
    int now = strcmp(t->renamed[i].old, name) == 0 ? keyfile_find(t, t->renamed[i].now) : -1;
    if (now < 0 || !keyfile_has(t, v, (unsigned)now)) continue;
    const keyfile_key_t k = keyfile_key(t, v, (unsigned)now);
    keyfile_print_legal(&k, text, sizeof text);
    return mrpb_fail(err, "%s: %s is called %s here; legal: %s", where, name, k.name, text);
  }
  if (other >= 0) {
    keyfile_print_parts(t, t->keys[other].has, text, sizeof text);
    return mrpb_fail(err, "%s: %s is a key of %s; legal: keys of %s", where, name, text,
                     t->title(v));
  }
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < t->n; i++)
    if (keyfile_has(t, v, i)) names_offer(&near, t->keys[i].name);
  return mrpb_fail(err, "%s: unknown key '%s'%s", where, name, near.text);
}

/* ---- values ---------------------------------------------------------------- */

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

static int out_of_range(const keyfile_key_t *k, const char *value, const char *where,
                        mrpb_err_t *err) {
  return mrpb_fail(err, "%s: %s = %s is out of range; legal: %u to %u", where, k->name, value,
                   k->min, k->max);
}

int keyfile_check(const key_table_t *t, const uint32_t *v, const char *where, mrpb_err_t *err) {
  for (unsigned i = 0; i < t->n; i++) {
    const keyfile_key_t k = keyfile_key(t, v, i);
    char value[16];
    if (k.words || !keyfile_has(t, v, i) || (v[i] >= k.min && v[i] <= k.max)) continue;
    snprintf(value, sizeof value, "%u", v[i]);
    return out_of_range(&k, value, where, err);
  }
  return 0;
}

int keyfile_value(const keyfile_key_t *k, uint32_t *to, const char *value, const char *where,
                  mrpb_err_t *err) {
  if (k->words) {
    int w = find_word(k->words, value);
    if (w < 0)
      return mrpb_fail(err, "%s: %s = '%s' is unknown; legal: %s", where, k->name, value, k->words);
    *to = (uint32_t)w;
    return 0;
  }
  char *end = NULL;
  errno = 0;
  unsigned long long n = isdigit((unsigned char)value[0]) ? strtoull(value, &end, 10) : 0;
  if (!end || *end != '\0')
    return mrpb_fail(err, "%s: %s = '%s' is not a number; legal: %u to %u", where, k->name, value,
                     k->min, k->max);
  if (errno == ERANGE || n < k->min || n > k->max) return out_of_range(k, value, where, err);
  *to = (uint32_t)n;
  return 0;
}

int keyfile_store(const key_table_t *t, uint32_t *v, unsigned i, const char *value,
                  const char *where, mrpb_err_t *err) {
  const keyfile_key_t k = keyfile_key(t, v, i);
  return keyfile_value(&k, &v[i], value, where, err);
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
  if (i < 0 || !keyfile_has(t, v, (unsigned)i)) return keyfile_unknown(t, v, name, "--set", err);
  return keyfile_store(t, v, (unsigned)i, eq + 1, "--set", err);
}
