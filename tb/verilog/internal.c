/* SPDX-License-Identifier: Apache-2.0 */
/* Verilator's internal errors: which version reports one, for which line, and the workaround where
 * one is known. */
#include "base/process.h"
#include "verilog/build.h"
#include "verilog/tool.h"

#include <stdlib.h>
#include <string.h>

static const char mark[] = "Internal Error: ";

static const struct {
  const char *text, *way;
} known[] = {{"Multiple Write refs on LHS of NBA",
              "5.030 to 5.032 take no function in an index to the left of '<=' (Verilator #5736): "
              "give its result to a signal, and index by the signal"}};

bool rtl_is_internal(const char *line) {
  return strstr(line, mark) != NULL;
}

/* "Verilator 5.032", without the rest of its version line. */
static void name_verilator(char *name, size_t size) {
  const char *const argv[] = {tool_verilator(), "--version", NULL};
  const process_t p = {.argv = argv, .seconds = 60, .most = 200, .no_errors = true};
  process_result_t r = {.text = NULL};
  const bool ran = process_run(&p, &r, NULL) == 0 && strncmp(r.text, "Verilator ", 10) == 0;
  const int n = ran ? 10 + (int)strcspn(r.text + 10, " \n") : 0;
  snprintf(name, size, "%.*s", ran ? n : 9, ran ? r.text : "Verilator");
  free(r.text);
}

/* After "F:L:C: " the place in Verilator itself may follow, "../V3Delayed.cpp:937: ". */
int rtl_internal(const char *line, mrpb_err_t *err) {
  char name[40];
  const char *at = strstr(line, mark) + strlen(mark), *text = at, *next;
  while ((next = strstr(text, ": ")) && memchr(text, ':', (size_t)(next - text))) text = next + 2;
  int place = (int)(text - at);
  const char *own = strstr(at, "../V3");
  if (own && own < text) place = (int)(own - at);
  const char *way = "another version may read it: VERILATOR=PATH";
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strstr(text, known[i].text)) way = known[i].way;
  name_verilator(name, sizeof name);
  mrpb_fail(err, "%.*sinternal error of %s, '%s'; %s", place, at, name, text, way);
  return RTL_BAD_TOOL;
}
