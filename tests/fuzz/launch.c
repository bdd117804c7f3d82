/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/launch/launch.h"
#include "base/files.h"
#include "base/input.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LAUNCHES = 64 };

/* The PTX text that the corpus names, "k.ptx". */
static const char text[] =
    ".version 6.0\n.target sm_50\n.address_size 64\n"
    ".const .align 4 .u32 c[2] = {5, 7};\n.global .align 4 .u32 g = 3;\n"
    ".visible .entry k(.param .u64 out, .param .u32 n, .param .f32 f, .param .align 8 .b8 s[24]) "
    "{\n"
    "  .reg .b32 %r<3>;\n  .reg .b64 %rd<2>;\n"
    "  ld.param.u64 %rd1, [out];\n  ld.const.u32 %r1, [c];\n  ld.global.u32 %r2, [g];\n  ret;\n}\n";

static int put(const char *folder, const char *name, const char *what, size_t n) {
  char path[FILES_PATH];
  FILE *f = files_path(path, "%s/%s", folder, name) ? fopen(path, "wb") : NULL;
  if (!f) return -1;
  const bool whole = fwrite(what, 1, n, f) == n;
  return fclose(f) == 0 && whole ? 0 : -1;
}

/* The host alone: its kernels do nothing, and nothing is written. */
static int walk(const char *path, mrpb_err_t *err) {
  const launch_options_t options = {.steps = 1 << 16};
  launch_program_t *p;
  workload_t *w;
  if (launch_read(&p, path, &options, err) != 0) return -1;
  if (launch_output(p, 0)) return launch_free(p), 0;
  if (launch_open(&w, p, err) != 0) return launch_free(p), -1;
  for (unsigned i = 0; i < LAUNCHES && workload_next(w); i++) {
  }
  const int rc =
      workload_fault(w) ? mrpb_fail(err, "%s", workload_fault(w)->text) : workload_check(w, err);
  workload_close(w);
  return rc == 0 ? 0 : -1;
}

/* In a folder of its own, beside the text. */
int fuzz_launch(const char *path, mrpb_err_t *err) {
  char folder[64], copy[FILES_PATH];
  size_t n = 0;
  char *lines = input_text(path, 1 << 20, &n, err);
  if (!lines) return -1;
  snprintf(folder, sizeof folder, "/dev/shm/%ld-fuzz.folder", (long)getpid());
  int rc = files_make_folders(folder) && put(folder, "k.ptx", text, strlen(text)) == 0 &&
                   put(folder, "a.launch", lines, n) == 0 && files_path(copy, "%s/a.launch", folder)
               ? 0
               : mrpb_fail(err, "%s: not to be written", folder);
  if (rc == 0) rc = walk(copy, err);
  files_remove_tree(folder, NULL);
  free(lines);
  return rc;
}
