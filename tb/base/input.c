/* SPDX-License-Identifier: Apache-2.0 */
/* Input that always ends: see input.h. */
#include "input.h"

#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SLICE_MS = 50 };

/* True if somebody has written into the pipe, or has closed it again. */
static bool comes(int fd) {
  struct pollfd p = {.fd = fd, .events = POLLIN};
  for (unsigned i = 0; i < 1000 * INPUT_WAIT / SLICE_MS && !guard_signalled(); i++)
    if (poll(&p, 1, SLICE_MS) > 0) return true;
  return false;
}

/* Returns errno, or 0 for a pipe that stays empty. */
static int open_bounded(const char *path, FILE **f) {
  struct stat st;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), why = 0;
  *f = NULL;
  if (fd < 0) return errno;
  if (fstat(fd, &st) != 0)
    why = errno;
  else if (S_ISDIR(st.st_mode))
    why = EISDIR;
  else if ((S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) && !comes(fd))
    why = 0;
  else if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) != 0 || !(*f = fdopen(fd, "rb")))
    why = errno;
  if (!*f) close(fd);
  return why;
}

FILE *input_open(const char *path, mrpb_err_t *err) {
  FILE *f;
  int why = open_bounded(path, &f);
  if (f) return f;
  if (why)
    mrpb_fail(err, "%s: %s; legal: a readable file", path, strerror(why));
  else
    mrpb_fail(err, "%s: no writer opened this pipe within %d s; legal: a readable file", path,
              (int)INPUT_WAIT);
  return NULL;
}

static char *read_all(FILE *f, const char *path, size_t most, size_t *size, mrpb_err_t *err) {
  struct stat st;
  size_t room = 1 << 14, n = 0;
  if (fstat(fileno(f), &st) == 0 && S_ISREG(st.st_mode) && (uintmax_t)st.st_size > most)
    return mrpb_fail(err, "%s: too long; legal: %zu bytes", path, most), NULL;
  char *text = malloc(room + 1);
  while (text) {
    n += fread(text + n, 1, room - n, f);
    if (n < room || n > most) break;
    room *= 2;
    char *more = realloc(text, room + 1);
    if (!more) free(text);
    text = more;
  }
  if (!text)
    mrpb_fail(err, "%s: out of memory", path);
  else if (ferror(f))
    mrpb_fail(err, "%s: %s; legal: a readable file", path, strerror(errno));
  else if (n > most)
    mrpb_fail(err, "%s: too long; legal: %zu bytes", path, most);
  else
    return text[n] = '\0', *size = n, text;
  free(text);
  return NULL;
}

char *input_text(const char *path, size_t most, size_t *size, mrpb_err_t *err) {
  size_t n = 0;
  FILE *f = input_open(path, err);
  char *text = f ? read_all(f, path, most, &n, err) : NULL;
  if (f) fclose(f);
  if (text && size) *size = n;
  return text;
}

/* Returns 1 and a line, 0 at the end, or -1 and a message. */
static int next_line(FILE *f, char line[INPUT_LINE + 1], size_t *total, mrpb_err_t *why) {
  size_t n = 0;
  int c;
  for (; (c = getc(f)) != EOF; line[n++] = (char)c) {
    if (++*total > INPUT_MOST) return mrpb_fail(why, "too long; legal: %d bytes", INPUT_MOST);
    if (c == '\n') break;
    if (c == '\0') return mrpb_fail(why, "a byte 0; legal: text");
    if (n == INPUT_LINE)
      return mrpb_fail(why, "line too long; legal: %d characters", (int)INPUT_LINE);
  }
  line[n] = '\0';
  if (ferror(f)) return mrpb_fail(why, "%s; legal: a readable file", strerror(errno));
  return n > 0 || c == '\n';
}

int input_lines(const char *path, input_line_fn take, void *ctx, mrpb_err_t *err) {
  char line[INPUT_LINE + 1];
  size_t total = 0;
  mrpb_err_t why = {""};
  int rc = 1;
  FILE *f = input_open(path, err);
  if (!f) return -1;
  for (unsigned at = 1; rc == 1; at++) {
    rc = next_line(f, line, &total, &why);
    if (rc == 1 && take(ctx, line, &why) != 0) rc = -1;
    if (rc < 0) mrpb_fail(err, "%s:%u: %s", path, at, why.text);
  }
  fclose(f);
  return rc;
}
