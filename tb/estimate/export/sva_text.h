/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the text of a property file apart into its items: declarations, blocks, properties. Reads
 * the form that rtl/formal/ keeps to, and refuses what it does not know. Internal to
 * tb/estimate/export. */
#ifndef EXPORT_SVA_TEXT_H
#define EXPORT_SVA_TEXT_H

#include <stdbool.h>

enum { SVA_ITEMS = 256, SVA_WORD = 128, SVA_TEXT = 2048 };

typedef enum {
  SVA_DECLARATION, /* reg, wire, integer, function */
  SVA_CONSTANT,    /* localparam */
  SVA_CHOICE,      /* (* anyconst *) or (* anyseq *) wire */
  SVA_BLOCK,       /* always */
  SVA_ASSUMPTION,  /* always @* ... assume */
  SVA_PROPERTIES   /* always @* [if (guard)] begin label: assert (...); ... end */
} sva_kind_t;

typedef struct {
  sva_kind_t kind;
  char *text;
  bool dropped;
} sva_item_t;

typedef struct {
  sva_item_t item[SVA_ITEMS];
  unsigned n;
} sva_text_t;

typedef struct {
  char label[SVA_WORD], guard[SVA_TEXT], text[SVA_TEXT];
  bool cover;
} sva_property_t;

/* Read all items of a property file; the local constants of a module. Return 0, or -1 for a form
 * that is not known. The caller calls sva_free. */
int sva_read(const char *text, sva_text_t *t);
int sva_read_constants(const char *text, sva_text_t *t);
void sva_free(sva_text_t *t);

/* Gives the next identifier at *at, comments, numbers, attributes and system functions left out, and
 * moves *at behind it. Returns false if there is none. */
bool sva_next_word(const char **at, char word[SVA_WORD]);

/* Whether an item declares the word. */
bool sva_declares(const sva_item_t *item, const char *word);
/* Whether it declares the word as an array: "reg [3:0] word [0:7];". */
bool sva_is_array(const sva_item_t *item, const char *word);
/* Whether a block gives a value to something that `declaration` declares. */
bool sva_assigns(const sva_item_t *block, const sva_item_t *declaration);
/* The range ("[QUEUE_W-1:0]", or "") and the name of a choice. */
void sva_choice(const sva_item_t *item, char range[SVA_WORD], char name[SVA_WORD]);

/* The properties of an item, one after the other; NULL at the end. */
const char *sva_first_property(const sva_item_t *item, sva_property_t *p);
const char *sva_next_property(const char *at, sva_property_t *p);

#endif
