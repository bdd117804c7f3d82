/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/design/outside.h"

#include "base/files.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at;
  char file[FILES_PATH];
  unsigned long line;
  bool import; /* the previous word */
} scan_t;

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '`';
}

static bool is(const char *word, size_t n, const char *name) {
  return strlen(name) == n && strncmp(word, name, n) == 0;
}

/* `line 12 "file.sv" 0 describes the line that follows it. */
static void take_directive(scan_t *s) {
  char *end;
  const unsigned long line = strtoul(s->at + 6, &end, 10);
  const char *from = strchr(end, '"');
  const size_t rest = strcspn(s->at, "\n"), n = from ? strcspn(from + 1, "\"\n") : 0;
  if (from && from < s->at + rest) {
    snprintf(s->file, sizeof s->file, "%.*s", (int)(n < 4096 ? n : 4096), from + 1);
    s->line = line - 1;
  }
  s->at += rest;
}

const char *outside_string_end(const char *at) {
  for (at++; *at && *at != '"' && *at != '\n'; at++)
    if (*at == '\\' && at[1]) at++;
  return *at == '"' ? at + 1 : at;
}

static void skip_string(scan_t *s) {
  const char *end = outside_string_end(s->at);
  for (; s->at < end; s->at++) s->line += *s->at == '\n';
}

static int refuse(const scan_t *s, const char *what, size_t n, mrpb_err_t *err) {
  return mrpb_fail(err, "%s:%lu: %.*s leaves the simulation; legal: Verilog alone", s->file,
                   s->line, (int)n, what);
}

/* Whether a word starts a program, C code (`$c`, `$c1`) or a write to a file. */
static bool leaves(const char *word, size_t n) {
  static const char *const begins[] = {"$dump", "$writemem", "`systemc_"};
  for (unsigned i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(word, begins[i], strlen(begins[i])) == 0) return true;
  if (n > 1 && strncmp(word, "$c", 2) == 0 && 2 + strspn(word + 2, "0123456789") == n) return true;
  return is(word, n, "$system") || is(word, n, "$fopen");
}

static int take_word(scan_t *s, mrpb_err_t *err) {
  const char *word = s->at;
  while (in_name(*s->at)) s->at++;
  const size_t n = (size_t)(s->at - word);
  s->import = is(word, n, "import");
  return leaves(word, n) ? refuse(s, word, n, err) : 0;
}

int outside_check(const char *text, mrpb_err_t *err) {
  scan_t s = {.at = text, .file = "design", .line = 1};
  while (*s.at) {
    if (strncmp(s.at, "`line ", 6) == 0) {
      take_directive(&s);
    } else if (*s.at == '"') {
      if (s.import) return refuse(&s, "import \"DPI-C\"", 14, err);
      skip_string(&s);
    } else if (*s.at == '\\') { /* an escaped name */
      s.at += strcspn(s.at, " \t\n");
      s.import = false;
    } else if (in_name(*s.at)) {
      if (take_word(&s, err) != 0) return -1;
    } else {
      s.line += *s.at == '\n';
      s.import = s.import && isspace((unsigned char)*s.at);
      s.at++;
    }
  }
  return 0;
}
