/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/export/sva_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ---- */

static bool is_letter(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static const char *skip_blanks(const char *at) {
  for (;;) {
    at += strspn(at, " \t\r\n");
    if (at[0] != '/' || at[1] != '/') return at;
    at += strcspn(at, "\n");
  }
}

/* The length of the word at `at`; 0 if it is no word. */
static size_t word_length(const char *at) {
  size_t n = 0;
  while (is_letter(at[n])) n++;
  return n;
}

static bool is_word(const char *at, const char *word) {
  const size_t n = strlen(word);
  return strncmp(at, word, n) == 0 && !is_letter(at[n]);
}

bool sva_next_word(const char **at, char word[SVA_WORD]) {
  for (const char *p = *at; *p;) {
    if (p[0] == '/' && p[1] == '/') {
      p += strcspn(p, "\n");
      continue;
    }
    if (*p == '\'') { /* 2'd3 */
      p++;
      p += word_length(p);
      continue;
    }
    const size_t n = word_length(p);
    const bool counts = n > 0 && n < SVA_WORD && !isdigit((unsigned char)*p) && *p != '$';
    if (counts) {
      snprintf(word, SVA_WORD, "%.*s", (int)n, p);
      *at = p + n;
      return true;
    }
    /* An escaped name is one of a module below. */
    if (*p == '\\') {
      snprintf(word, SVA_WORD, "\\%.60s", p + 1);
      *at = p + strcspn(p, " \n");
      return true;
    }
    p += n ? n : 1;
  }
  return false;
}

/* ---- items ---- */

/* Behind the parenthesis that closes the one at `at`; NULL if there is none. */
static const char *behind_parenthesis(const char *at) {
  int depth = 0;
  for (; *at; at++) {
    depth += (*at == '(') - (*at == ')');
    if (depth == 0) return at + 1;
  }
  return NULL;
}

/* Behind the statement at `at`: up to its semicolon, or the end of its begin or case, and whatever
 * its else adds. */
static const char *behind_statement(const char *at) {
  int depth = 0;
  for (at = skip_blanks(at); *at; at = skip_blanks(at)) {
    const size_t n = word_length(at);
    bool ends = false;
    if (n == 0 && *at == '(') {
      at = behind_parenthesis(at);
      if (!at) return NULL;
      continue;
    }
    if (is_word(at, "begin") || is_word(at, "case")) depth++;
    if (is_word(at, "end") || is_word(at, "endcase")) ends = --depth == 0;
    if (n == 0 && *at == ';') ends = depth == 0;
    at += n ? n : 1;
    if (!ends) continue;
    const char *next = skip_blanks(at);
    if (!is_word(next, "else")) return at;
    at = next;
  }
  return NULL;
}

static const char *behind_word(const char *at, const char *word) {
  for (const char *text = at; (at = strstr(at, word)) != NULL; at++)
    if (is_word(at, word) && (at == text || !is_letter(at[-1]))) return at + strlen(word);
  return NULL;
}

/* Behind the item at `at`, and its kind; NULL if its form is not known. */
static const char *behind_item(const char *at, sva_kind_t *kind) {
  *kind = SVA_DECLARATION;
  if (is_word(at, "function")) return behind_word(at, "endfunction");
  if (is_word(at, "localparam")) *kind = SVA_CONSTANT;
  if (strncmp(at, "(*", 2) == 0) {
    const char *shut = strstr(at, "*)");
    if (!shut) return NULL;
    *kind = strncmp(skip_blanks(at + 2), "any", 3) == 0 ? SVA_CHOICE : SVA_DECLARATION;
    const char *end = strchr(shut, ';');
    return end ? end + 1 : NULL;
  }
  if (is_word(at, "always")) {
    *kind = SVA_BLOCK;
    at = strchr(at, '@');
    if (!at) return NULL;
    at = skip_blanks(at + 1);
    at = *at == '*' ? at + 1 : *at == '(' ? behind_parenthesis(at) : NULL;
    return at ? behind_statement(at) : NULL;
  }
  if (!is_word(at, "reg") && !is_word(at, "wire") && !is_word(at, "integer") &&
      !is_word(at, "localparam"))
    return NULL;
  const char *end = strchr(at, ';');
  return end ? end + 1 : NULL;
}

static int add_item(sva_text_t *t, sva_kind_t kind, const char *at, size_t n) {
  if (t->n == SVA_ITEMS) return -1;
  char *copy = malloc(n + 1);
  if (!copy) return -1;
  memcpy(copy, at, n);
  copy[n] = '\0';
  if (kind == SVA_BLOCK && strstr(copy, ": assert (")) kind = SVA_PROPERTIES;
  if (kind == SVA_BLOCK && strstr(copy, "assume (")) kind = SVA_ASSUMPTION;
  t->item[t->n++] = (sva_item_t){.kind = kind, .text = copy};
  return 0;
}

int sva_read(const char *text, sva_text_t *t) {
  sva_kind_t kind;
  for (const char *at = skip_blanks(text); *at; at = skip_blanks(at)) {
    const char *end = behind_item(at, &kind);
    if (!end || add_item(t, kind, at, (size_t)(end - at)) != 0) return -1;
    at = end;
  }
  return 0;
}

int sva_read_constants(const char *text, sva_text_t *t) {
  for (const char *at = text; (at = strstr(at, "localparam ")) != NULL; at++) {
    /* those of a generate stand further right */
    const bool first = at == text || at[-1] == '\n';
    const bool body = at - text > 2 && at[-1] == ' ' && at[-2] == ' ' && at[-3] == '\n';
    const char *end = strchr(at, ';');
    if (!first && !body) continue;
    if (!end || add_item(t, SVA_CONSTANT, at, (size_t)(end - at) + 1) != 0) return -1;
  }
  return 0;
}

void sva_free(sva_text_t *t) {
  for (unsigned i = 0; i < t->n; i++) free(t->item[i].text);
  t->n = 0;
}

/* ---- what items say ---- */

/* A declaration declares each word that "=", "," ";" or an array's range follows, outside of
 * brackets and of the values behind "=". A function declares itself and its arguments. */
static bool declared_at(const char *at, size_t n) {
  const char *next = skip_blanks(at + n);
  return *next == '=' || *next == ',' || *next == ';' || *next == '[' || *next == '(';
}

bool sva_declares(const sva_item_t *item, const char *word) {
  int depth = 0;
  bool value = false;
  if (item->kind == SVA_BLOCK || item->kind == SVA_PROPERTIES || item->kind == SVA_ASSUMPTION)
    return false;
  const bool function = is_word(item->text, "function");
  for (const char *at = skip_blanks(item->text); *at; at = skip_blanks(at)) {
    const size_t n = word_length(at);
    depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
    if (!function) depth += (*at == '(') - (*at == ')');
    if (*at == '=') value = true;
    if (*at == ',' && depth == 0) value = false;
    if (n && depth == 0 && !value && n == strlen(word) && strncmp(at, word, n) == 0)
      if (function || declared_at(at, n)) return true;
    if (function && *skip_blanks(at) == ';') return false; /* its head is over */
    at += n ? n : 1;
  }
  return false;
}

bool sva_is_array(const sva_item_t *item, const char *word) {
  if (item->kind != SVA_DECLARATION || !sva_declares(item, word)) return false;
  const char *at = behind_word(item->text, word);
  return at && *skip_blanks(at) == '[';
}

bool sva_assigns(const sva_item_t *block, const sva_item_t *declaration) {
  char word[SVA_WORD];
  if (block->kind != SVA_BLOCK) return false;
  for (const char *at = block->text; sva_next_word(&at, word);) {
    if (!sva_declares(declaration, word)) continue;
    const char *next = skip_blanks(at);
    if (*next == '[') {
      const char *shut = strchr(next, ']');
      next = shut ? skip_blanks(shut + 1) : next;
    }
    if ((next[0] == '=' && next[1] != '=') || (next[0] == '<' && next[1] == '=')) return true;
  }
  return false;
}

void sva_choice(const sva_item_t *item, char range[SVA_WORD], char name[SVA_WORD]) {
  const char *at = strstr(item->text, "wire"), *end = strchr(item->text, ';');
  at = skip_blanks(at + strlen("wire"));
  range[0] = '\0';
  if (*at == '[') {
    const char *shut = strchr(at, ']');
    snprintf(range, SVA_WORD, "%.*s", (int)(shut + 1 - at), at);
    at = skip_blanks(shut + 1);
  }
  snprintf(name, SVA_WORD, "%.*s", (int)(end - at), at);
}

/* ---- properties ---- */

const char *sva_first_property(const sva_item_t *item, sva_property_t *p) {
  const char *at = strstr(item->text, "@*");
  p->guard[0] = '\0';
  at = skip_blanks(at + 2);
  if (is_word(at, "if")) {
    at = skip_blanks(at + 2);
    const char *end = behind_parenthesis(at);
    if (!end) return NULL;
    snprintf(p->guard, SVA_TEXT, "%.*s", (int)(end - at - 2), at + 1);
    at = skip_blanks(end);
  }
  return is_word(at, "begin") ? sva_next_property(at + strlen("begin"), p) : NULL;
}

const char *sva_next_property(const char *at, sva_property_t *p) {
  at = skip_blanks(at);
  const size_t n = word_length(at);
  if (n == 0 || n >= SVA_WORD || is_word(at, "end")) return NULL;
  snprintf(p->label, SVA_WORD, "%.*s", (int)n, at);
  at = skip_blanks(at + n);
  if (*at != ':') return NULL;
  at = skip_blanks(at + 1);
  p->cover = is_word(at, "cover");
  if (!p->cover && !is_word(at, "assert")) return NULL;
  at = strchr(at, '(');
  const char *end = at ? behind_parenthesis(at) : NULL;
  if (!end || *end != ';' || end - at - 2 >= SVA_TEXT) return NULL;
  snprintf(p->text, SVA_TEXT, "%.*s", (int)(end - at - 2), at + 1);
  return end + 1;
}
