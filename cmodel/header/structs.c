/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the parts of libmrpb.h that are made from the tables: the types and functions of the named
 * module, or without a name all modules (cmodel/header/header.sh inserts them). */
#include "module.h"

#include <stdio.h>
#include <string.h>

enum { COLUMN = 100, TEXT = 512, WIDTH = 128 };

/* Prints a wrapped comment that begins in column `at` of a line already printed up to column
 * `used`. */
static void comment(int used, int at, const char *text) {
  int column = used;
  if (used + 1 > at) { /* no room on this line: put it below */
    putchar('\n');
    column = 0;
  }
  column += printf("%*s/*", at - column, "");
  for (const char *s = text; *s;) {
    const int n = (int)strcspn(s, " ");
    if (column + 1 + n + 3 > COLUMN && column > at + 2) {
      putchar('\n');
      column = printf("%*s", at + 2, "");
    }
    column += printf(" %.*s", n, s);
    s += n + (s[n] == ' ');
  }
  puts(" */");
}

/* Rewrites "IDX_W(P(ENTRIES))" as the header explains it: "idx(ENTRIES)". */
static void readable(const char *formula, char text[WIDTH]) {
  size_t n = 0;
  for (const char *s = formula; *s && n + 40 < WIDTH;) {
    const bool p = strncmp(s, "P(", 2) == 0, w = strncmp(s, "IDX_W(", 6) == 0;
    if (p) {
      size_t name = strcspn(s += 2, ")");
      memcpy(text + n, s, name);
      n += name;
      s += name + 1;
    } else if (w || strncmp(s, "CNT_W(", 6) == 0) {
      memcpy(text + n, w ? "idx(" : "cnt(", 4);
      n += 4;
      s += 6;
    } else {
      text[n++] = *s++;
    }
  }
  text[n] = '\0';
}

static void parameters(const module_class_t *cls) {
  puts("typedef struct {");
  for (unsigned i = 0; i < cls->n_params; i++) {
    const module_param_t *p = &cls->params[i];
    char text[TEXT];
    int used = printf("  uint32_t %s;", p->name);
    snprintf(text, sizeof text, "%u to %u (%u): %s", p->min, p->max, p->deflt, p->doc);
    comment(used, 26, text);
  }
  printf("} %s_cfg_t;\n\n", cls->stem);
}

static void ports(const module_class_t *cls, const module_port_t *port, unsigned n, unsigned words,
                  const char *kind) {
  puts("typedef struct {");
  for (unsigned i = 0; i < n; i++) {
    const unsigned size = (i + 1 < n ? port[i + 1].word : words) - port[i].word;
    char text[TEXT], width[WIDTH];
    int used = printf("  uint64_t %s", port[i].name);
    if (size > 1) used += printf("[%u]", size);
    used += printf(";");
    readable(port[i].formula, width);
    snprintf(text, sizeof text, "[%s] %s", width, port[i].doc);
    comment(used, 30, text);
  }
  printf("} %s_%s_t;\n\n", cls->stem, kind);
}

/* Prints `text` with the module's name for each $. */
static void named(const char *text, const char *stem) {
  for (; *text; text++)
    if (*text == '$')
      fputs(stem, stdout);
    else
      putchar(*text);
}

static void functions(const module_class_t *cls) {
  static const char *const clocked[] = {
      "/* 0 if each parameter is in its range, else -1 and a message that names it. */\n"
      "int $_check(const $_cfg_t *cfg, mrpb_err_t *err);\n",
      "/* An instance in its state after reset, the caller's: $_destroy ends it. -1, a message "
      "and\n"
      " * *self = NULL for an illegal parameter or no memory. cfg is copied. */\n"
      "int $_create($_t **self, const $_cfg_t *cfg, mrpb_err_t *err);\n"
      "void $_destroy($_t *self);\n",
      "/* A checked clock cycle: legal, comb, edge. -1 and a message if an input does not fit its "
      "port;\n"
      " * the instance and *out are then as before. */\n"
      "int $_cycle($_t *self, const $_in_t *in, $_out_t *out, mrpb_err_t *err);\n",
      "/* 0 if each input fits its port, else -1 and a message. */\n"
      "int $_legal(const $_t *self, const $_in_t *in, mrpb_err_t *err);\n",
      "/* This cycle's outputs, all of *out; changes nothing. Does not look whether inputs fit. "
      "*/\n"
      "void $_comb(const $_t *self, const $_in_t *in, $_out_t *out);\n"};
  static const char edge[] =
      "/* The clock edge that ends a cycle with these inputs. Does not look whether they fit. */\n"
      "void $_edge($_t *self, const $_in_t *in);\n";
  printf("typedef struct %s %s_t;\n\n", cls->stem, cls->stem);
  for (unsigned i = 0; i < sizeof clocked / sizeof *clocked; i++) named(clocked[i], cls->stem);
  if (cls->n_regs) named(edge, cls->stem);
  putchar('\n');
}

int main(int argc, char **argv) {
  const module_class_t *cls = argc == 2 ? module_class(argv[1]) : NULL;
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  for (unsigned i = 0; argc == 1 && module_class_at(i); i++) puts(module_class_at(i)->stem);
  if (argc == 1) return 0;
  if (!cls) return fputs("usage: header-structs [MODULE]\n", stderr), 2;
  module_defaults(cls, cfg);
  cls->ports(cfg, in, out);
  parameters(cls);
  ports(cls, in, cls->n_in, cls->in_words, "in");
  ports(cls, out, cls->n_out, cls->out_words, "out");
  functions(cls);
  return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 2;
}
