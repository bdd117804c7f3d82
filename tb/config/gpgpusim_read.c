/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the words of a GPGPU-Sim configuration file: see gpgpusim.h. */
#include "config/gpgpusim.h"

#include "base/grow.h"
#include "base/input.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *path;
  char *at;
  unsigned line; /* line of *at */
} scan_t;

/* Replaces comments by blanks. Control characters are refused. */
static int strip(char *text, size_t size, const char *path, mrpb_err_t *err) {
  unsigned line = 1;
  bool comment = false;
  for (char *c = text; c < text + size; c++) {
    if (*c == '\n')
      line++, comment = false;
    else if (iscntrl((unsigned char)*c) && !isspace((unsigned char)*c))
      return mrpb_fail(err, "%s:%u: a control character; legal: text", path, line);
    else if ((comment |= *c == '#'))
      *c = ' ';
  }
  return 0;
}

/* Returns the quoted text, with blanks and line ends reduced to one blank; NULL if the quote is not
 * closed. */
static char *quoted(scan_t *s) {
  char *from = ++s->at, *to = from;
  for (; *s->at != '"'; s->at++) {
    const bool blank = isspace((unsigned char)*s->at);
    if (*s->at == '\0') return NULL;
    s->line += *s->at == '\n';
    if (!blank)
      *to++ = *s->at;
    else if (to > from && to[-1] != ' ')
      *to++ = ' ';
  }
  s->at++;
  *to = '\0';
  return from;
}

/* Returns the next word and its line; NULL at the end, or with a message. */
static char *next(scan_t *s, unsigned *line, mrpb_err_t *err) {
  for (; isspace((unsigned char)*s->at); s->at++) s->line += *s->at == '\n';
  *line = s->line;
  if (*s->at == '\0') return NULL;
  if (*s->at == '"') {
    char *word = quoted(s);
    if (!word) mrpb_fail(err, "%s:%u: a quote is not closed", s->path, *line);
    return word;
  }
  char *word = s->at;
  while (*s->at && !isspace((unsigned char)*s->at)) s->at++;
  if (*s->at) s->line += *s->at == '\n', *s->at++ = '\0';
  return word;
}

static bool is_option(const char *word) {
  return word && word[0] == '-' && isalpha((unsigned char)word[1]);
}

static int add(gpgpusim_file_t *f, const scan_t *s, const gpgpusim_option_t *o, mrpb_err_t *err) {
  if (!is_option(o->name))
    return mrpb_fail(err, "%s:%u: '%.60s'; legal: -option value", s->path, o->line, o->name);
  if (strlen(o->name) + strlen(o->value) > GPGPUSIM_VALUE)
    return mrpb_fail(err, "%s:%u: %.60s: too long; legal: %d characters", s->path, o->line, o->name,
                     GPGPUSIM_VALUE);
  if (strcmp(o->name, "-config") == 0)
    return mrpb_fail(err, "%s:%u: -config %.100s: another file; legal: all options in this one",
                     s->path, o->line, o->value);
  gpgpusim_option_t *more = grow(f->option, f->n + 1, &f->room, sizeof *more);
  if (!more) return mrpb_fail(err, "out of memory");
  f->option = more;
  more[f->n++] = *o;
  return 0;
}

static int scan(gpgpusim_file_t *f, scan_t *s, mrpb_err_t *err) {
  unsigned line, after;
  char *word = next(s, &line, err);
  while (word) {
    gpgpusim_option_t o = {.name = word, .value = "", .line = line};
    word = next(s, &after, err);
    if (err->text[0]) return -1;
    const bool flag = is_option(word); /* no value follows: the next word is an option */
    if (word && !flag) o.value = word;
    if (add(f, s, &o, err) != 0) return -1;
    if (!flag) word = word ? next(s, &line, err) : NULL;
    if (flag) line = after;
  }
  return err->text[0] ? -1 : 0;
}

int gpgpusim_read(gpgpusim_file_t *f, const char *path, mrpb_err_t *err) {
  size_t size = 0;
  *f = (gpgpusim_file_t){.text = input_text(path, INPUT_MOST, &size, err)};
  scan_t s = {.path = path, .at = f->text, .line = 1};
  if (!f->text || strip(f->text, size, path, err) != 0) return -1;
  return scan(f, &s, err);
}

void gpgpusim_free(gpgpusim_file_t *f) {
  for (unsigned i = 0; i < f->n; i++) free(f->option[i].rest);
  free(f->option);
  free(f->text);
  *f = (gpgpusim_file_t){.text = NULL};
}
