/* SPDX-License-Identifier: Apache-2.0 */
/* Chains in a file: see spill.h. The pieces of a chain are linked forwards; the link of a piece is
 * written when its successor is. A chain's number determines its slot in memory; another chain that
 * needs the slot evicts it to the file. */
#define _GNU_SOURCE /* O_TMPFILE, mkstemp */
#include "workload/trace/spill.h"

#include "base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TAIL = 1 << 18, NAME = 4096 };

/* A chain's entry in the file's table. */
typedef struct {
  uint64_t first, last; /* places of pieces; 0: none */
  uint64_t mark;
} entry_t;
_Static_assert(sizeof(entry_t) == SPILL_STEP, "");

typedef struct {
  uint64_t next, n;
} head_t;

typedef struct {
  uint64_t chain; /* 0: free */
  entry_t entry;
  uint8_t *bytes;
  size_t n, room;
} open_t;

struct spill {
  int fd;
  uint64_t end;   /* end of the file's content; the tail follows */
  size_t n;       /* bytes in the tail */
  uint64_t fresh; /* table entries from here on have never been written */
  unsigned used;  /* entries of `open` from here on have never been used */
  open_t open[SPILL_OPEN];
  uint8_t tail[TAIL];
};

static const char *place(void) {
  const char *dir = getenv("TMPDIR");
  return dir && *dir ? dir : "/tmp";
}

static int io_error(const char *what, mrpb_err_t *err) {
  return mrpb_fail(err,
                   "a temporary file in %.200s cannot be %s: %s; legal: TMPDIR=FOLDER with room",
                   place(), what, strerror(errno ? errno : EIO));
}

/* A file without a name: a run that is killed leaves nothing, at whatever moment. Where the file
 * system makes no such file, it has a name until the next statement. Negative on an error. */
static int nameless(void) {
  char name[NAME];
  int fd = open(place(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (fd >= 0) return fd;
  snprintf(name, sizeof name, "%s/mrpb-trace-XXXXXX", place());
  fd = mkstemp(name);
  if (fd < 0) return -1;
  (void)unlink(name);
  (void)fcntl(fd, F_SETFD, FD_CLOEXEC);
  return fd;
}

spill_t *spill_open(mrpb_err_t *err) {
  static const uint8_t zero[sizeof(uint64_t)];
  uint64_t none;
  spill_t *s = calloc(1, sizeof *s);
  if (!s) {
    mrpb_fail(err, "out of memory");
    return NULL;
  }
  s->fd = nameless();
  if (s->fd < 0) {
    io_error("made", err);
    free(s);
    return NULL;
  }
  (void)spill_write(s, zero, sizeof zero, &none, err); /* fits in the tail; place 0 means none */
  return s;
}

void spill_close(spill_t *s) {
  if (!s) return;
  for (unsigned i = 0; i < s->used; i++) free(s->open[i].bytes);
  close(s->fd);
  free(s);
}

/* ---- bytes ----------------------------------------------------------------- */

static int put(spill_t *s, const uint8_t *bytes, size_t n, uint64_t where, mrpb_err_t *err) {
  while (n > 0) {
    const ssize_t k = pwrite(s->fd, bytes, n, (off_t)where);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return io_error("written", err);
    bytes += k;
    n -= (size_t)k;
    where += (uint64_t)k;
  }
  return 0;
}

static int put_tail(spill_t *s, mrpb_err_t *err) {
  if (put(s, s->tail, s->n, s->end, err) != 0) return -1;
  s->end += s->n;
  s->n = 0;
  return 0;
}

int spill_write(spill_t *s, const void *bytes, size_t n, uint64_t *where, mrpb_err_t *err) {
  *where = s->end + s->n;
  if (n > TAIL - s->n && put_tail(s, err) != 0) return -1;
  if (n > TAIL) {
    if (put(s, bytes, n, s->end, err) != 0) return -1;
    s->end += n;
    return 0;
  }
  memcpy(s->tail + s->n, bytes, n);
  s->n += n;
  return 0;
}

int spill_patch(spill_t *s, uint64_t where, const void *bytes, size_t n, mrpb_err_t *err) {
  if (where < s->end) return put(s, bytes, n, where, err);
  memcpy(s->tail + (where - s->end), bytes, n);
  return 0;
}

/* Bytes that were never written, and those behind the end of the file, read as 0. */
static int get(const spill_t *s, uint64_t where, uint8_t *to, size_t n, mrpb_err_t *err) {
  while (n > 0) {
    const ssize_t k = pread(s->fd, to, n, (off_t)where);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return io_error("read", err);
    if (k == 0) {
      memset(to, 0, n);
      return 0;
    }
    to += k;
    n -= (size_t)k;
    where += (uint64_t)k;
  }
  return 0;
}

int spill_read(spill_t *s, uint64_t where, void *to, size_t n, mrpb_err_t *err) {
  if (where + n > s->end && s->n > 0 && put_tail(s, err) != 0) return -1;
  return get(s, where, to, n, err);
}

/* ---- chains ---------------------------------------------------------------- */

/* The table is a hole in the file, so its entries read as 0. */
int spill_chains(spill_t *s, uint64_t n, uint64_t *first, mrpb_err_t *err) {
  if (put_tail(s, err) != 0) return -1;
  *first = s->end;
  s->fresh = s->end;
  s->end += n * SPILL_STEP;
  return 0;
}

static int put_piece(spill_t *s, open_t *o, mrpb_err_t *err) {
  const head_t head = {.next = 0, .n = o->n};
  uint64_t where, after;
  if (o->n == 0) return 0;
  if (spill_write(s, &head, sizeof head, &where, err) != 0 ||
      spill_write(s, o->bytes, o->n, &after, err) != 0)
    return -1;
  if (o->entry.last && spill_patch(s, o->entry.last, &where, sizeof where, err) != 0) return -1;
  if (!o->entry.first) o->entry.first = where;
  o->entry.last = where;
  o->n = 0;
  if (o->room > SPILL_PIECE) { /* something long was added */
    free(o->bytes);
    o->bytes = NULL;
    o->room = 0;
  }
  return 0;
}

static int put_chain(spill_t *s, open_t *o, mrpb_err_t *err) {
  if (!o->chain) return 0;
  if (put_piece(s, o, err) != 0 || spill_patch(s, o->chain, &o->entry, sizeof o->entry, err) != 0)
    return -1;
  if (o->chain >= s->fresh) s->fresh = o->chain + SPILL_STEP;
  o->chain = 0;
  return 0;
}

static open_t *open_chain(spill_t *s, uint64_t c, mrpb_err_t *err) {
  open_t *o = &s->open[c / SPILL_STEP % SPILL_OPEN];
  if (o->chain == c) return o;
  if (put_chain(s, o, err) != 0) return NULL;
  o->entry = (entry_t){0};
  if (c < s->fresh && get(s, c, (uint8_t *)&o->entry, sizeof o->entry, err) != 0) return NULL;
  o->chain = c;
  if (s->used <= (unsigned)(o - s->open)) s->used = (unsigned)(o - s->open) + 1;
  return o;
}

int spill_add(spill_t *s, uint64_t c, const void *bytes, size_t n, uint8_t mark, mrpb_err_t *err) {
  open_t *o = open_chain(s, c, err);
  if (!o || (o->n + n > SPILL_PIECE && put_piece(s, o, err) != 0)) return -1;
  uint8_t *more = grow(o->bytes, o->n + n, &o->room, 1);
  if (!more) return mrpb_fail(err, "out of memory");
  o->bytes = more;
  memcpy(o->bytes + o->n, bytes, n);
  o->n += n;
  o->entry.mark = mark;
  return o->n > SPILL_PIECE ? put_piece(s, o, err) : 0;
}

int spill_mark(spill_t *s, uint64_t c, mrpb_err_t *err) {
  const open_t *o = &s->open[c / SPILL_STEP % SPILL_OPEN];
  entry_t e = {0};
  if (o->chain == c) return (int)o->entry.mark;
  if (c < s->fresh && get(s, c, (uint8_t *)&e, sizeof e, err) != 0) return -1;
  return (int)e.mark;
}

int spill_flush(spill_t *s, mrpb_err_t *err) {
  for (unsigned i = 0; i < s->used; i++)
    if (put_chain(s, &s->open[i], err) != 0) return -1;
  return put_tail(s, err);
}

int spill_seek(spill_t *s, uint64_t c, spill_cursor_t *at, mrpb_err_t *err) {
  entry_t e;
  if (get(s, c, (uint8_t *)&e, sizeof e, err) != 0) return -1;
  at->next = e.first;
  at->n = 0;
  return 0;
}

/* Most pieces are read together with their head in one access. */
int spill_next(spill_t *s, spill_cursor_t *at, mrpb_err_t *err) {
  head_t head;
  at->n = 0;
  if (!at->next) return 0;
  const size_t usual = sizeof head + SPILL_PIECE;
  uint8_t *more = grow(at->bytes, usual, &at->room, 1);
  if (!more) return mrpb_fail(err, "out of memory");
  at->bytes = more;
  if (get(s, at->next, at->bytes, usual, err) != 0) return -1;
  memcpy(&head, at->bytes, sizeof head);
  if (head.n > SPILL_PIECE) {
    if (!(more = grow(at->bytes, sizeof head + head.n, &at->room, 1)))
      return mrpb_fail(err, "out of memory");
    at->bytes = more;
    if (get(s, at->next, at->bytes, sizeof head + head.n, err) != 0) return -1;
  }
  memmove(at->bytes, at->bytes + sizeof head, head.n);
  at->n = head.n;
  at->next = head.next;
  return 1;
}
