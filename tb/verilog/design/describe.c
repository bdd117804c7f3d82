/* SPDX-License-Identifier: Apache-2.0 */
/* Reads Verilator's XML into tables. Types follow the items that use them and refer to each other
 * by numbers. They are therefore stored in file order and looked up when everything has been
 * read. */
#include "verilog/design/describe.h"

#include "base/files.h"
#include "base/grow.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

enum { MODULES = 4096, DEPTH = 24, CHUNK = 1 << 16, MOST_BITS = 1 << 20, MOST_NESTED = 64 };

/* A type as written in the file: an alias refers to another type. */
typedef struct {
  type_t is;
  int id;
  bool alias;
} known_t;

struct describe {
  decl_t *item;
  member_t *member;
  known_t *type; /* in file order; by_id finds them */
  int *by_id;
  size_t n_items, n_members, n_types, n_ids;
  size_t room_items, room_members, room_types;
  char (*module)[DESCRIBE_NAME];
  unsigned n_modules;
};

typedef struct {
  describe_t *d;
  XML_Parser parser;
  bool in_module;
  unsigned depth, n_blocks;
  struct {
    char name[DESCRIBE_NAME];
    unsigned depth;
  } block[DEPTH];      /* enclosing generate blocks */
  unsigned procedural; /* depth in an always or initial block; 0: outside */
  int open_type;       /* the type whose range is being read, or DESCRIBE_NONE */
  unsigned range_ends;
  mrpb_err_t *err;
  bool failed;
} reader_t;

static const char *attribute(const XML_Char **list, const char *name) {
  for (; list[0]; list += 2)
    if (strcmp(list[0], name) == 0) return list[1];
  return NULL;
}

static int number(const XML_Char **list, const char *name, int otherwise) {
  const char *text = attribute(list, name);
  return text ? (int)strtol(text, NULL, 10) : otherwise;
}

static void fail(reader_t *r, const char *what) {
  if (!r->failed) mrpb_fail(r->err, "%s", what);
  r->failed = true;
  XML_StopParser(r->parser, XML_FALSE);
}

/* Returns the next free element of an array, after making room for it, or NULL. */
static void *append(reader_t *r, void **array, size_t *n, size_t *room, size_t size) {
  void *more = *n < DESCRIBE_ITEMS ? grow(*array, *n + 1, room, size) : NULL;
  if (!more) return fail(r, "more than 65536 names or types, or no memory for them"), NULL;
  *array = more;
  return memset((char *)more + size * (*n)++, 0, size);
}

static void begin_module(reader_t *r, const char *name) {
  describe_t *d = r->d;
  if (d->n_modules == MODULES) {
    fail(r, "more than 4096 modules");
    return;
  }
  snprintf(d->module[d->n_modules++], DESCRIBE_NAME, "%s", name);
  r->in_module = true;
}

/* "gen[2].count_q" */
static void full_name(const reader_t *r, const char *name, char text[DESCRIBE_NAME]) {
  size_t n = 0;
  for (unsigned i = 0; i < r->n_blocks && n < DESCRIBE_NAME; i++)
    n += (size_t)snprintf(text + n, DESCRIBE_NAME - n, "%s.", r->block[i].name);
  if (n < DESCRIBE_NAME) snprintf(text + n, DESCRIBE_NAME - n, "%s", name);
}

static decl_kind_t kind_of(const XML_Char **a) {
  const char *way = attribute(a, "dir");
  if (way)
    return strcmp(way, "input") == 0    ? DECL_INPUT
           : strcmp(way, "output") == 0 ? DECL_OUTPUT
                                        : DECL_INOUT;
  return attribute(a, "param") ? DECL_PARAMETER : DECL_VARIABLE;
}

/* Verilator writes "[" as "__05b" in the origin of an escaped name. */
static bool is_escaped(const char *name, const char *plain) {
  bool any = false;
  for (; *name && *plain; plain++) {
    unsigned code;
    if (*name == *plain) {
      name++;
    } else if (sscanf(name, "__0%2x", &code) == 1 && code == (unsigned char)*plain) {
      name += 5;
      any = true;
    } else {
      return false;
    }
  }
  return any && *name == *plain;
}

static void add_item(reader_t *r, const XML_Char **a, decl_kind_t kind) {
  const char *name = attribute(a, "origName"), *of = attribute(a, "defName");
  const char *plain = attribute(a, "name");
  if (!name || (plain && is_escaped(name, plain))) name = plain;
  decl_t *item = append(r, (void **)&r->d->item, &r->d->n_items, &r->d->room_items, sizeof *item);
  if (!item) return;
  full_name(r, name ? name : "", item->name);
  snprintf(item->of, sizeof item->of, "%s", of ? of : "");
  item->kind = kind;
  item->module = r->d->n_modules - 1;
  item->type = number(a, "dtype_id", DESCRIBE_NONE);
}

/* The number of bits of a type that the language knows by name. A vector's range is given
 * separately. */
static unsigned bits_of(const char *name) {
  static const struct {
    const char *name;
    unsigned bits;
  } table[] = {{"logic", 1},    {"bit", 1},  {"wire", 1},      {"reg", 1},   {"int", 32},
               {"integer", 32}, {"byte", 8}, {"shortint", 16}, {"time", 64}, {"longint", 64}};
  for (unsigned i = 0; name && i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, name) == 0) return table[i].bits;
  return 0;
}

static void add_type(reader_t *r, const char *element, const XML_Char **a) {
  static const struct {
    const char *name;
    type_kind_t kind;
    bool alias;
  } table[] = {{"basicdtype", TYPE_BITS, false},
               {"structdtype", TYPE_STRUCT, false},
               {"uniondtype", TYPE_UNION, false},
               {"packarraydtype", TYPE_PACKED, false},
               {"unpackarraydtype", TYPE_UNPACKED, false},
               {"refdtype", TYPE_OTHER, true},
               {"enumdtype", TYPE_OTHER, true},
               {"constdtype", TYPE_OTHER, true}};
  known_t *t = append(r, (void **)&r->d->type, &r->d->n_types, &r->d->room_types, sizeof *t);
  if (!t) return;
  *t = (known_t){.is = {.kind = TYPE_OTHER, .of = number(a, "sub_dtype_id", DESCRIBE_NONE)},
                 .id = number(a, "id", DESCRIBE_NONE)};
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i].name, element) == 0) {
      t->is.kind = table[i].kind;
      t->alias = table[i].alias;
    }
  t->is.first = (unsigned)r->d->n_members;
  unsigned bits = bits_of(attribute(a, "name"));
  if (t->is.kind == TYPE_BITS && bits == 0) t->is.kind = TYPE_OTHER;
  if (t->is.kind == TYPE_BITS) {
    t->is.left = number(a, "left", (int)bits - 1);
    t->is.right = number(a, "right", 0);
  }
  r->open_type = (int)r->d->n_types - 1;
  r->range_ends = 0;
}

static void add_member(reader_t *r, const XML_Char **a) {
  describe_t *d = r->d;
  const char *name = attribute(a, "name");
  member_t *m = append(r, (void **)&d->member, &d->n_members, &d->room_members, sizeof *m);
  if (!m || r->open_type == DESCRIBE_NONE) return;
  snprintf(m->name, sizeof m->name, "%s", name ? name : "");
  m->type = number(a, "sub_dtype_id", DESCRIBE_NONE);
  d->type[r->open_type].is.n++;
}

/* "32'sh1f" */
static void add_end(reader_t *r, const XML_Char **a) {
  const char *text = attribute(a, "name"), *digits = text ? strchr(text, 'h') : NULL;
  if (!digits || r->open_type == DESCRIBE_NONE) return;
  int v = (int)(unsigned)strtoul(digits + 1, NULL, 16);
  type_t *t = &r->d->type[r->open_type].is;
  *(r->range_ends++ == 0 ? &t->left : &t->right) = v;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && strcmp(text + n - m, end) == 0;
}

static void in_module(reader_t *r, const char *element, const XML_Char **a) {
  if (strcmp(element, "always") == 0 || strcmp(element, "initial") == 0 ||
      strcmp(element, "func") == 0 || strcmp(element, "task") == 0) {
    if (!r->procedural) r->procedural = r->depth;
  } else if (r->procedural) {
    return;
  } else if (strcmp(element, "begin") == 0 && attribute(a, "name") &&
             strchr(attribute(a, "name"), '[')) {
    if (r->n_blocks == DEPTH) {
      fail(r, "more than 24 generate blocks, one in the other");
      return;
    }
    snprintf(r->block[r->n_blocks].name, DESCRIBE_NAME, "%s", attribute(a, "name"));
    r->block[r->n_blocks++].depth = r->depth;
  } else if (strcmp(element, "var") == 0) {
    add_item(r, a, kind_of(a));
  } else if (strcmp(element, "instance") == 0) {
    add_item(r, a, DECL_INSTANCE);
  }
}

static void XMLCALL element_begins(void *self, const XML_Char *element, const XML_Char **a) {
  reader_t *r = self;
  r->depth++;
  if (strcmp(element, "module") == 0)
    begin_module(r, attribute(a, "name") ? attribute(a, "name") : "");
  else if (r->in_module)
    in_module(r, element, a);
  else if (strcmp(element, "memberdtype") == 0)
    add_member(r, a);
  else if (ends_with(element, "dtype"))
    add_type(r, element, a);
  else if (strcmp(element, "const") == 0)
    add_end(r, a);
}

static void XMLCALL element_ends(void *self, const XML_Char *element) {
  reader_t *r = self;
  if (strcmp(element, "module") == 0) r->in_module = false;
  if (r->procedural == r->depth) r->procedural = 0;
  if (r->n_blocks > 0 && r->block[r->n_blocks - 1].depth == r->depth) r->n_blocks--;
  if (strcmp(element, "enumdtype") == 0 || strcmp(element, "structdtype") == 0)
    r->open_type = DESCRIBE_NONE;
  r->depth--;
}

static int index_types(describe_t *d, mrpb_err_t *err) {
  for (size_t i = 0; i < d->n_types; i++)
    if (d->type[i].id >= 0 && (size_t)d->type[i].id >= d->n_ids)
      d->n_ids = (size_t)d->type[i].id + 1;
  d->by_id = d->n_ids <= DESCRIBE_ITEMS * 4 ? malloc((d->n_ids + 1) * sizeof *d->by_id) : NULL;
  if (!d->by_id) return mrpb_fail(err, "out of memory");
  for (size_t i = 0; i < d->n_ids; i++) d->by_id[i] = DESCRIBE_NONE;
  for (size_t i = 0; i < d->n_types; i++)
    if (d->type[i].id >= 0) d->by_id[d->type[i].id] = (int)i;
  return 0;
}

static int parse(reader_t *r, FILE *f) {
  for (bool more = true; more && !r->failed;) {
    void *buffer = XML_GetBuffer(r->parser, CHUNK);
    if (!buffer) return mrpb_fail(r->err, "out of memory");
    size_t n = fread(buffer, 1, CHUNK, f);
    more = n == CHUNK;
    if (XML_ParseBuffer(r->parser, (int)n, !more) != XML_STATUS_OK && !r->failed)
      return mrpb_fail(r->err, "what Verilator wrote cannot be read: %s",
                       XML_ErrorString(XML_GetErrorCode(r->parser)));
  }
  return r->failed ? -1 : 0;
}

describe_t *describe_read(const char *path, mrpb_err_t *err) {
  describe_t *d = calloc(1, sizeof *d);
  FILE *f = fopen(path, "r");
  reader_t r = {.d = d, .open_type = DESCRIBE_NONE, .err = err, .parser = XML_ParserCreate(NULL)};
  if (d) d->module = calloc(MODULES, sizeof *d->module);
  int rc = -1;
  if (!d || !d->module || !r.parser) {
    mrpb_fail(err, "out of memory");
  } else if (!f) {
    mrpb_fail(err, "%s: cannot read what Verilator wrote", path);
  } else {
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, element_begins, element_ends);
    rc = parse(&r, f) != 0 ? -1 : index_types(d, err);
  }
  if (r.parser) XML_ParserFree(r.parser);
  if (f) fclose(f);
  if (rc == 0) return d;
  describe_close(d);
  return NULL;
}

void describe_close(describe_t *d) {
  if (!d) return;
  free(d->item);
  free(d->member);
  free(d->type);
  free(d->by_id);
  free(d->module);
  free(d);
}

const decl_t *describe_item(const describe_t *d, const char *module, unsigned i) {
  for (size_t k = 0; k < d->n_items; k++)
    if (strcmp(d->module[d->item[k].module], module) == 0 && i-- == 0) return &d->item[k];
  return NULL;
}

const decl_t *describe_find(const describe_t *d, const char *module, const char *name) {
  for (size_t k = 0; k < d->n_items; k++)
    if (strcmp(d->item[k].name, name) == 0 && strcmp(d->module[d->item[k].module], module) == 0)
      return &d->item[k];
  return NULL;
}

const type_t *describe_type(const describe_t *d, int type) {
  for (unsigned n = 0; n < MOST_NESTED; n++) {
    if (type < 0 || (size_t)type >= d->n_ids || d->by_id[type] == DESCRIBE_NONE) return NULL;
    const known_t *t = &d->type[d->by_id[type]];
    if (!t->alias) return &t->is;
    type = t->is.of;
  }
  return NULL;
}

const member_t *describe_member(const describe_t *d, const type_t *t, unsigned i) {
  return i < t->n && (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) ? &d->member[t->first + i]
                                                                       : NULL;
}

static unsigned elements(const type_t *t) {
  const int n = t->left > t->right ? t->left - t->right : t->right - t->left;
  return n >= 0 && n < MOST_BITS ? (unsigned)n + 1 : 0;
}

static unsigned width_within(const describe_t *d, int type, unsigned nested) {
  const type_t *t = nested < MOST_NESTED ? describe_type(d, type) : NULL;
  if (!t || t->kind == TYPE_OTHER) return 0;
  if (t->kind == TYPE_BITS) return elements(t);
  unsigned width = 0;
  for (unsigned i = 0; i < t->n; i++) {
    unsigned w = width_within(d, describe_member(d, t, i)->type, nested + 1);
    if (w == 0) return 0;
    width = t->kind == TYPE_STRUCT ? width + w : w > width ? w : width;
  }
  if (t->kind == TYPE_STRUCT || t->kind == TYPE_UNION) return width;
  const size_t all = (size_t)elements(t) * width_within(d, t->of, nested + 1);
  return all <= MOST_BITS ? (unsigned)all : 0;
}

unsigned describe_width(const describe_t *d, int type) {
  return width_within(d, type, 0);
}
