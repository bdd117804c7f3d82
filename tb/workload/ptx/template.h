/* SPDX-License-Identifier: Apache-2.0 */
/* PTX from templates: PTX with values by name, conditions, repetitions and macros.
 *
 *   $name, $(EXPRESSION)      the value; an expression is C's, of whole numbers, without blanks
 *   #if EXPRESSION            ... [#else ...] #end
 *   #repeat NAME [FROM] TO    ... #end: NAME is FROM (0) and so on, below TO
 *   #macro NAME PARAMETER...  ... #end; #NAME ARGUMENT... then stands for the lines in between. An
 *                             argument is a number, or else words
 *   #let NAME EXPRESSION      a name until the end of the block
 *   #include TEMPLATE         the lines of another template
 *
 * `#if x: LINE` and `#repeat i n: LINE` have one line and no #end. Several statements may stand on
 * one line, behind a label or the brace; in the text each has its own line. Lines that begin with
 * // and empty lines are left out. The name `count` is the number of instructions so far. */
#ifndef PTX_TEMPLATE_H
#define PTX_TEMPLATE_H

#include "err.h"

#include <stdint.h>
#include <stdio.h>

/* A number, or words if there are any. */
typedef struct {
  const char *name; /* NULL: the last of an array */
  int64_t number;
  const char *words;
} ptx_value_t;

/* The text of the template of that name, of *n characters; NULL: there is none. */
typedef const char *(*ptx_template_fn)(const char *name, size_t *n);

/* Writes the template's text. Returns 0, or -1 and a message in err, which shows the line. */
int ptx_template_write(const char *name, ptx_template_fn find, const ptx_value_t *values, FILE *to,
                       mrpb_err_t *err);

#endif
