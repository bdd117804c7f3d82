/* SPDX-License-Identifier: Apache-2.0 */
/* A strict reader of small VCD files, for tests. It accepts only what the standard allows and
 * asserts (Check) otherwise. Values have up to 64 bits; x reads as VCD_READ_X. */
#ifndef VCD_READ_H
#define VCD_READ_H

#include <check.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VCD_READ_X UINT64_C(0x5858585858585858)
enum { VCD_READ_VARS = 512 };

typedef struct {
  char name[128], code[8];
  unsigned width;
  uint64_t value;
} vcd_read_var_t;

typedef struct {
  char *text, *pos;
  size_t size;
  int n_vars;
  uint64_t time;
  vcd_read_var_t var[VCD_READ_VARS];
} vcd_read_t;

/* Puts the name of a new temporary file into `path`. */
static inline void temp_path(char *path, size_t n) {
  snprintf(path, n, "build/tmp/mrpb_test_XXXXXX");
  int fd = mkstemp(path);
  ck_assert_msg(fd >= 0, "no temporary file %s", path);
  close(fd);
}

/* Reads a whole file, terminated by a zero byte; the caller frees it. */
static inline char *read_file(const char *path, size_t *size) {
  FILE *f = fopen(path, "rb");
  ck_assert_ptr_nonnull(f);
  fseek(f, 0, SEEK_END);
  *size = (size_t)ftell(f);
  rewind(f);
  char *text = malloc(*size + 1);
  ck_assert_ptr_nonnull(text);
  ck_assert_uint_eq(fread(text, 1, *size, f), *size);
  fclose(f);
  text[*size] = '\0';
  return text;
}

/* The next word, or NULL at the end. */
static inline char *vcd_read_word(vcd_read_t *r) {
  char *p = r->pos + strspn(r->pos, " \n");
  if (!*p) return NULL;
  r->pos = p + strcspn(p, " \n");
  if (*r->pos) *r->pos++ = '\0';
  return p;
}

static inline void vcd_read_declare(vcd_read_t *r, const char *scope) {
  vcd_read_var_t *v = &r->var[r->n_vars++];
  ck_assert_int_lt(r->n_vars, VCD_READ_VARS);
  vcd_read_word(r); /* kind */
  v->width = (unsigned)strtoul(vcd_read_word(r), NULL, 10);
  snprintf(v->code, sizeof v->code, "%s", vcd_read_word(r));
  int length = snprintf(v->name, sizeof v->name, "%s%s", scope, vcd_read_word(r));
  ck_assert_int_lt(length, (int)sizeof v->name);
  const char *end = vcd_read_word(r);
  if (end[0] == '[') end = vcd_read_word(r);
  ck_assert_str_eq(end, "$end");
  v->value = VCD_READ_X;
}

/* Opens the file and reads the declarations. */
static inline void vcd_read_open(vcd_read_t *r, const char *path) {
  char scope[256] = "";
  memset(r, 0, sizeof *r);
  r->text = r->pos = read_file(path, &r->size);
  ck_assert_uint_gt(r->size, 0);
  ck_assert_int_eq(r->text[r->size - 1], '\n'); /* the file ends with a complete line */
  for (const char *w; (w = vcd_read_word(r)) && strcmp(w, "$enddefinitions") != 0;) {
    if (!strcmp(w, "$scope")) {
      ck_assert_str_eq(vcd_read_word(r), "module");
      strncat(scope, vcd_read_word(r), 100);
      strcat(scope, ".");
    } else if (!strcmp(w, "$upscope")) {
      size_t n = strlen(scope);
      ck_assert_uint_gt(n, 0);
      for (scope[--n] = '\0'; n && scope[n - 1] != '.'; n--) scope[n - 1] = '\0';
    } else if (!strcmp(w, "$var")) {
      vcd_read_declare(r, scope);
      continue;
    } else {
      ck_assert_str_eq(w, "$timescale");
      vcd_read_word(r);
    }
    ck_assert_str_eq(vcd_read_word(r), "$end");
  }
  ck_assert_str_eq(vcd_read_word(r), "$end");
  ck_assert_str_eq(scope, "");
}

static inline vcd_read_var_t *vcd_read_code(vcd_read_t *r, const char *code) {
  for (int i = 0; i < r->n_vars; i++)
    if (!strcmp(r->var[i].code, code)) return &r->var[i];
  ck_abort_msg("undeclared code %s", code);
  return NULL;
}

/* Reads one change; `w` is the word that starts it. */
static inline void vcd_read_change(vcd_read_t *r, const char *w) {
  if (w[0] != 'b') {
    vcd_read_var_t *v = vcd_read_code(r, w + 1);
    ck_assert_uint_eq(v->width, 1);
    ck_assert(w[0] == '0' || w[0] == '1' || w[0] == 'x');
    v->value = w[0] == 'x' ? VCD_READ_X : (uint64_t)(w[0] - '0');
    return;
  }
  vcd_read_var_t *v = vcd_read_code(r, vcd_read_word(r));
  ck_assert_uint_le(strlen(w + 1), v->width);
  ck_assert_uint_eq(strspn(w + 1, w[1] == 'x' ? "x" : "01"), strlen(w + 1));
  v->value = w[1] == 'x' ? VCD_READ_X : strtoull(w + 1, NULL, 2);
}

/* Reads up to the end of the next time; returns 0 at the end of the file. Times must rise. */
static inline int vcd_read_step(vcd_read_t *r) {
  char *w = vcd_read_word(r);
  if (!w) return 0;
  ck_assert_int_eq(w[0], '#');
  uint64_t t = strtoull(w + 1, NULL, 10);
  ck_assert(r->time == 0 || t > r->time);
  r->time = t;
  for (;;) {
    const char *p = r->pos + strspn(r->pos, " \n");
    if (*p == '\0' || *p == '#') return 1;
    w = vcd_read_word(r);
    if (w[0] != '$')
      vcd_read_change(r, w);
    else
      ck_assert(!strcmp(w, "$dumpvars") || !strcmp(w, "$end"));
  }
}

/* The variable with a full name. */
static inline vcd_read_var_t *vcd_read_find(vcd_read_t *r, const char *name) {
  for (int i = 0; i < r->n_vars; i++)
    if (!strcmp(r->var[i].name, name)) return &r->var[i];
  ck_abort_msg("no variable %s", name);
  return NULL;
}

static inline void vcd_read_close(vcd_read_t *r) {
  free(r->text);
}

#endif
