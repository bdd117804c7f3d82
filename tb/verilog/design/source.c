/* SPDX-License-Identifier: Apache-2.0 */
/* Reads file lists: the words on which simulators agree. */
#include "verilog/design/source.h"

#include "base/input.h"
#include "base/process.h"
#include "verilog/build.h"
#include "verilog/tool.h"

#include <stdlib.h>
#include <string.h>

enum { NESTED = 8, SECONDS = 20 };

static const char legal[] =
    "files, +incdir+DIR, +define+NAME[=VALUE], -I DIR, -D NAME[=VALUE], -f LIST, -F LIST";

static const char operands[] = "files, +incdir+DIR, +define+NAME[=VALUE]";

/* A list that is being read. */
typedef struct {
  source_t *s;
  const char *path;        /* NULL: the command line */
  char folder[FILES_PATH]; /* put before relative paths: "", or a path with its slash */
  const char *option;      /* -I, -D, -f or -F, while its value is awaited */
  unsigned nested;
} list_t;

static int put(source_t *s, const char *before, const char *folder, const char *text, size_t n,
               mrpb_err_t *err) {
  const size_t size = strlen(before) + strlen(folder) + n + 1;
  if (s->n == SOURCE_WORDS)
    return mrpb_fail(err, "more than %d files and options", (int)SOURCE_WORDS);
  char *word = malloc(size);
  if (!word) return mrpb_fail(err, "out of memory");
  snprintf(word, size, "%s%s%.*s", before, folder, (int)n, text);
  s->word[s->n++] = word;
  return 0;
}

static const char *folder_for(const list_t *l, const char *path) {
  return path[0] == '/' ? "" : l->folder;
}

/* +incdir+A+B, +define+A=1+B */
static int take_plus(list_t *l, const char *word, mrpb_err_t *err) {
  const bool folders = strncmp(word, "+incdir+", 8) == 0;
  if (!folders && strncmp(word, "+define+", 8) != 0)
    return mrpb_fail(err, "'%.60s'; legal: %s", word, l->path ? legal : operands);
  for (const char *at = word + 8;; at++) {
    const size_t n = strcspn(at, "+");
    if (n == 0 || (!folders && *at == '='))
      return mrpb_fail(err, "'%.60s': a name is missing; legal: %s", word,
                       l->path ? legal : operands);
    if (put(l->s, folders ? "+incdir+" : "-D", folders ? folder_for(l, at) : "", at, n, err) != 0)
      return -1;
    at += n;
    if (*at == '\0') return 0;
  }
}

static int read_list(source_t *s, const char *path, bool relative, unsigned nested,
                     mrpb_err_t *err);

static int take_value(list_t *l, const char *word, mrpb_err_t *err) {
  const char which = l->option[1];
  char path[FILES_PATH];
  l->option = NULL;
  if (which == 'D' && *word == '=')
    return mrpb_fail(err, "-D '%.60s': a name is missing; legal: %s", word, legal);
  if (which == 'D') return put(l->s, "-D", "", word, strlen(word), err);
  if (which == 'I') return put(l->s, "+incdir+", folder_for(l, word), word, strlen(word), err);
  if (!files_path(path, "%s%s", folder_for(l, word), word))
    return mrpb_fail(err, "%.60s...: too long", word);
  return read_list(l->s, path, which == 'F', l->nested + 1, err);
}

static int take_file(list_t *l, const char *word, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (!files_path(path, "%s%s", folder_for(l, word), word))
    return mrpb_fail(err, "%.60s...: too long", word);
  FILE *f = input_open(path, err);
  if (!f) return -1;
  fclose(f);
  l->s->files++;
  return put(l->s, "", "", path, strlen(path), err);
}

static int take_word(list_t *l, const char *word, mrpb_err_t *err) {
  static const char *const options[] = {"-I", "-D", "-f", "-F"};
  if (l->option) return take_value(l, word, err);
  if (word[0] == '+') return take_plus(l, word, err);
  for (unsigned i = 0; i < sizeof options / sizeof *options; i++) {
    if (strncmp(word, options[i], 2) != 0) continue;
    l->option = options[i];
    return word[2] ? take_value(l, word + 2, err) : 0;
  }
  if (word[0] == '-') return mrpb_fail(err, "'%.60s'; legal: %s", word, legal);
  return take_file(l, word, err);
}

static int take_line(void *ctx, char *line, mrpb_err_t *err) {
  char *save = NULL, *comment = strstr(line, "//");
  if (comment) *comment = '\0';
  line[strcspn(line, "#")] = '\0';
  for (char *word = strtok_r(line, " \t\r", &save); word; word = strtok_r(NULL, " \t\r", &save))
    if (take_word(ctx, word, err) != 0) return -1;
  return 0;
}

static int read_list(source_t *s, const char *path, bool relative, unsigned nested,
                     mrpb_err_t *err) {
  list_t l = {.s = s, .path = path, .nested = nested};
  const char *slash = strrchr(path, '/');
  if (nested == NESTED)
    return mrpb_fail(err, "%s: more than %d lists, one in the other", path, (int)NESTED);
  if (relative && slash && !files_path(l.folder, "%.*s", (int)(slash + 1 - path), path))
    return mrpb_fail(err, "%.60s...: too long", path);
  if (input_lines(path, take_line, &l, err) != 0) return -1;
  return l.option ? mrpb_fail(err, "%s: ends with %s; legal: a value behind it", path, l.option)
                  : 0;
}

int source_list(source_t *s, const char *path, mrpb_err_t *err) {
  return read_list(s, path, false, 0, err);
}

int source_word(source_t *s, const char *word, mrpb_err_t *err) {
  list_t l = {.s = s};
  return take_word(&l, word, err);
}

void source_free(source_t *s) {
  for (unsigned i = 0; i < s->n; i++) free(s->word[i]);
  s->n = s->files = 0;
}

static int complaint(char *text, mrpb_err_t *err) {
  for (char *save = NULL, *line = strtok_r(text, "\n", &save); line;
       line = strtok_r(NULL, "\n", &save))
    if (strncmp(line, "%Error: ", 8) == 0 && rtl_complaint(line))
      return mrpb_fail(err, "%s", line + 8);
  return mrpb_fail(err, "Verilator's preprocessor failed");
}

static int write_text(const char *text, const char *to, mrpb_err_t *err) {
  FILE *f = fopen(to, "w");
  const bool written = f && fputs(text, f) >= 0;
  const bool closed = !f || fclose(f) == 0;
  if (written && closed) return RTL_OK;
  mrpb_fail(err, "%.300s: cannot be written", to);
  return RTL_BAD_INPUT;
}

/* The preprocessor prints the text itself, so its complaints come from a second run. */
int source_text(const source_t *s, const char *to, mrpb_err_t *err) {
  const char *argv[SOURCE_WORDS + 9] = {tool_verilator(), "-E", "-UVERILATOR", "-Wno-REDEFMACRO"};
  unsigned n = 4;
  for (unsigned i = 0; i < s->n; i++) argv[n++] = s->word[i];
  argv[n] = NULL;
  process_t p = {.argv = argv, .seconds = SECONDS, .most = FILES_MOST, .no_errors = true};
  process_result_t r;
  if (process_run(&p, &r, err) != 0) return RTL_BAD_TOOL;
  const bool good = r.end == PROCESS_EXITED && r.code == 0;
  const int rc = good ? write_text(r.text, to, err) : RTL_BAD_INPUT;
  free(r.text);
  if (good) return rc;
  if (r.end == PROCESS_LATE)
    return mrpb_fail(err,
                     "%s: the preprocessor does not reach the end of the files within %d s; "
                     "legal: files that end, in `include too",
                     s->word[0], (int)SECONDS),
           RTL_BAD_INPUT;
  p.no_errors = false;
  if (process_run(&p, &r, err) != 0) return RTL_BAD_TOOL;
  complaint(r.text, err);
  free(r.text);
  return RTL_BAD_INPUT;
}
