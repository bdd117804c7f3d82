/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a design as elaborated by Verilator: modules with their parameters, ports,
 * variables and instances, and the types of these. docs/verify/door.md */
#ifndef DESIGN_DESCRIBE_H
#define DESIGN_DESCRIBE_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>

enum { DESCRIBE_NONE = -1, DESCRIBE_NAME = 128, DESCRIBE_ITEMS = 1 << 16 };

typedef enum {
  TYPE_BITS,
  TYPE_STRUCT,
  TYPE_UNION,
  TYPE_PACKED,
  TYPE_UNPACKED,
  TYPE_OTHER
} type_kind_t;

/* A field of a packed struct, or of a union. */
typedef struct {
  char name[DESCRIBE_NAME];
  int type;
} member_t;

/* left and right are the range of TYPE_BITS and of arrays, whose elements have the type `of`.
 * Aliases and enums are resolved. */
typedef struct {
  type_kind_t kind;
  int left, right, of;
  unsigned first, n; /* members of a struct; the first one is the highest */
} type_t;

typedef enum {
  DECL_INPUT,
  DECL_OUTPUT,
  DECL_INOUT,
  DECL_PARAMETER,
  DECL_VARIABLE,
  DECL_INSTANCE
} decl_kind_t;

/* An item of a module. In a generate block the name is prefixed with the block's name,
 * "gen[2].count_q". */
typedef struct {
  char name[DESCRIBE_NAME];
  char of[DESCRIBE_NAME]; /* the module of an instance */
  decl_kind_t kind;
  unsigned module;
  int type;
} decl_t;

typedef struct describe describe_t;

/* Reads `path`, written by `verilator --xml-only`. Returns NULL and a message in err on failure. */
describe_t *describe_read(const char *path, mrpb_err_t *err);
void describe_close(describe_t *d);

/* Returns the i-th item of module `name`, in the order of the text; NULL after the last one. */
const decl_t *describe_item(const describe_t *d, const char *module, unsigned i);
/* Returns the item of that name; NULL if there is none. */
const decl_t *describe_find(const describe_t *d, const char *module, const char *name);

const type_t *describe_type(const describe_t *d, int type);
const member_t *describe_member(const describe_t *d, const type_t *t, unsigned i);
/* The number of bits of the whole type, including the elements of unpacked arrays; 0 if it is not a
 * vector of bits. */
unsigned describe_width(const describe_t *d, int type);

#endif
