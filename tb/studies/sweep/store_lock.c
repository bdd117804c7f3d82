/* SPDX-License-Identifier: Apache-2.0 */
/* Allows one writer: an operating-system lock on a file beside the store, which ends with its
 * process. The file says which process has the lock. The holder of the lock removes the file, so a
 * lock counts only on the file that still has the name. */
#include "studies/sweep/store_state.h"

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100, OWNER = 160 };

static bool lock_path(const sweep_store_t *s, char path[OUTPUT_NAME]) {
  const int n = snprintf(path, OUTPUT_NAME, "%s.lock", s->path);
  return n > 0 && n < OUTPUT_NAME;
}

/* Returns 1 if locked, 0 if another process has the lock, -1 and errno on an error. */
static int try_lock(int fd) {
  struct flock f = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(fd, F_SETLK, &f) == 0) return 1;
  return errno == EACCES || errno == EAGAIN ? 0 : -1;
}

static bool has_name(int fd, const char *path) {
  struct stat a, b;
  return fstat(fd, &a) == 0 && stat(path, &b) == 0 && a.st_ino == b.st_ino && a.st_dev == b.st_dev;
}

static int taken(const sweep_store_t *s, int fd, mrpb_err_t *err) {
  char owner[OWNER] = "";
  const ssize_t n = pread(fd, owner, sizeof owner - 1, 0);
  owner[n > 0 ? n : 0] = '\0';
  owner[strcspn(owner, "\n")] = '\0';
  return mrpb_fail(err, "%s: %s uses it; legal: one sweep at a time", s->path,
                   owner[0] ? owner : "another process");
}

static int sign(const sweep_store_t *s, mrpb_err_t *err) {
  char host[128] = "", owner[OWNER];
  gethostname(host, sizeof host - 1);
  const int n = snprintf(owner, sizeof owner, "process %ld on %.100s\n", (long)getpid(), host);
  if (ftruncate(s->lock, 0) == 0 && pwrite(s->lock, owner, (size_t)n, 0) == n) return 0;
  return mrpb_fail(err, "%s.lock: %s", s->path, strerror(errno));
}

int store_lock(sweep_store_t *s, mrpb_err_t *err) {
  char path[OUTPUT_NAME];
  if (!lock_path(s, path)) return mrpb_fail(err, "%.60s...: name too long", s->path);
  for (unsigned i = 0; i < TRIES; i++) {
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
      return mrpb_fail(err, "%s: %s; legal: a folder that can be written", path, strerror(errno));
    const int got = try_lock(fd), why = errno;
    if (got == 1 && has_name(fd, path)) return s->lock = fd, sign(s, err);
    if (got == 0) (void)taken(s, fd, err);
    if (got < 0) (void)mrpb_fail(err, "%s: %s", path, strerror(why));
    close(fd);
    if (got != 1) return -1;
  }
  return mrpb_fail(err, "%s: appears and disappears", path);
}

void store_unlock(sweep_store_t *s) {
  char path[OUTPUT_NAME];
  if (s->lock < 0) return;
  if (lock_path(s, path)) unlink(path);
  close(s->lock);
  s->lock = -1;
}
