/* SPDX-License-Identifier: Apache-2.0 */
/* An FST file is a sequence of blocks, each with a byte for its kind and eight for its length, the
 * highest first. fst2vcd takes whatever it can get of a file that is cut off, so the blocks are
 * checked first. */
#include "base/waves/fst_in.h"

#include "base/process.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The kind and length of a header; the kind of a block that holds a whole file, compressed; the
 * highest of all other kinds. */
enum { HEADER = 0, HEADER_LENGTH = 329, PACKED = 254, HIGHEST = 8, HEAD = 9, NAME = 64 };

static uint64_t length_of(const unsigned char *head) {
  uint64_t n = 0;
  for (unsigned i = 1; i < HEAD; i++) n = n << 8 | head[i];
  return n;
}

bool fst_in_begins(const char *text, size_t n) {
  unsigned char head[HEAD];
  if (n < HEAD) return false;
  memcpy(head, text, HEAD);
  return head[0] == PACKED || (head[0] == HEADER && length_of(head) == HEADER_LENGTH);
}

/* Checks the file block by block to its very end. Returns NULL, or what is wrong. */
static const char *walk(FILE *f, uint64_t size) {
  unsigned char head[HEAD];
  for (uint64_t at = 0; at < size;) {
    if (fseeko(f, (off_t)at, SEEK_SET) != 0 || fread(head, 1, HEAD, f) != HEAD)
      return "the file is cut off";
    const uint64_t length = length_of(head);
    if (head[0] > HIGHEST && head[0] != PACKED) return "a block of a kind that FST does not define";
    if (length < HEAD - 1) return "a block without a length: incomplete or damaged";
    if (length > size - at - 1) return "the file is cut off";
    at += 1 + length;
  }
  return NULL;
}

static int convert(const char *path, FILE *to, mrpb_err_t *err) {
  char name[NAME], how[NAME];
  snprintf(name, sizeof name, "/proc/%ld/fd/%d", (long)getpid(), fileno(to));
  const char *const argv[] = {"fst2vcd", "-f", path, NULL};
  const process_t p = {.argv = argv, .log = name, .no_errors = true};
  process_result_t r;
  if (process_run(&p, &r, err) != 0) return -1;
  free(r.text);
  process_describe(&p, &r, how, sizeof how);
  if (r.end != PROCESS_EXITED || r.code != 0)
    return mrpb_fail(err, "%s: fst2vcd cannot read it (%s)", path, how);
  if (fseeko(to, 0, SEEK_END) != 0 || ftello(to) <= 0)
    return mrpb_fail(err, "%s: fst2vcd finds nothing in it", path);
  rewind(to);
  return 0;
}

int fst_in_open(FILE **vcd, const char *path, FILE *fst, mrpb_err_t *err) {
  char tool[4096];
  struct stat st;
  *vcd = NULL;
  if (fstat(fileno(fst), &st) != 0 || !S_ISREG(st.st_mode))
    return mrpb_fail(err, "%s: an FST file must be a regular file", path);
  const char *wrong = walk(fst, (uint64_t)st.st_size);
  if (wrong) return mrpb_fail(err, "%s: FST: %s", path, wrong);
  if (!process_find("fst2vcd", tool, sizeof tool))
    return mrpb_fail(err, "%s: fst2vcd is missing; it is in the Debian package gtkwave", path),
           FST_IN_NO_TOOL;
  FILE *to = tmpfile();
  if (!to) return mrpb_fail(err, "%s: no temporary file: %s", path, strerror(errno));
  if (convert(path, to, err) != 0) {
    fclose(to);
    return -1;
  }
  *vcd = to;
  return 0;
}
