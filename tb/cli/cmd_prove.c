/* build/mrpb prove: C model against Verilog for all states and inputs, by the program beside this
 * one (docs/verify/prove.md). */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int cmd_prove(int argc, char **argv) {
  static const char name[] = "mrpb-prove";
  char path[CLI_COMMAND];
  mrpb_err_t err = {""};
  (void)argc;
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - sizeof name);
  path[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(path, '/');
  if (slash) {
    memcpy(slash + 1, name, sizeof name);
    fflush(NULL);
    execv(path, argv);
  }
  mrpb_fail(&err, "%s cannot be run: %s; it is built by: make prover", slash ? path : name,
            strerror(errno));
  cli_fail("prove", &err);
  return CLI_BAD_TOOL;
}
