/* SPDX-License-Identifier: Apache-2.0 */
/* Turns what the tools said into one line that names the user's own folder. */
#include "base/files.h"
#include "verilog/build.h"
#include "base/guard.h"

#include <stdlib.h>
#include <string.h>

/* The warnings of Verilator 5.006, and the later names of some of them. Other kinds come from newer
 * versions. */
static bool known(const char *code, size_t n) {
  static const char list[] =
      " ALWCOMBORDER ASSIGNIN BLKANDNBLK BLKLOOPINIT BLKSEQ CASEINCOMPLETE CASEOVERLAP CASEWITHX "
      "CASEX CLKDATA CMPCONST "
      "COMBDLY CONTASSREG DECLFILENAME GENCLK IFDEPTH IGNOREDRETURN IMPLICIT IMPLICITSTATIC IMPURE "
      "INFINITELOOP INITIALDLY "
      "LATCH LITENDIAN ASCRANGE MODDUP MULTIDRIVEN NOLATCH PINCONNECTEMPTY PINMISSING PINNOCONNECT "
      "PINNOTFOUND PROCASSWIRE "
      "REALCVT REDEFMACRO SELRANGE STMTDLY SYMRSVDWORD SYNCASYNCNET UNDRIVEN UNOPT UNOPTFLAT "
      "UNUSED UNUSEDGENVAR "
      "UNUSEDPARAM UNUSEDSIGNAL VARHIDDEN WIDTH WIDTHTRUNC WIDTHEXPAND WIDTHXZEXPAND WIDTHCONCAT ";
  char word[40];
  if (n + 3 > sizeof word) return false;
  snprintf(word, sizeof word, " %.*s ", (int)n, code);
  return strstr(list, word) != NULL;
}

bool rtl_complaint(const char *line) {
  if (strncmp(line, "%Error", 6) == 0) return strncmp(line, "%Error: Exiting due to", 22) != 0;
  if (strncmp(line, "%Warning-", 9) != 0) return false;
  return known(line + 9, strcspn(line + 9, ":\n"));
}

void rtl_say_dir(const char *line, const char *tools_dir, const char *dir, const char *tool,
                 mrpb_err_t *err) {
  char text[FILES_PATH] = "";
  size_t n = 0, from = strlen(tools_dir), to = strlen(dir);
  bool linked = strcmp(tools_dir, dir) != 0;
  for (const char *c = line; *c && n + to + 2 < sizeof text;) {
    bool here = linked && strncmp(c, tools_dir, from) == 0;
    if (here)
      memcpy(text + n, dir, to);
    else
      text[n] = *c;
    n += here ? to : 1;
    c += here ? from : 1;
  }
  text[n] = '\0';
  if (tool)
    mrpb_fail(err, "%s: %s", tool, text);
  else
    mrpb_fail(err, "%s", text);
}

bool rtl_yosys_error(const char *log, const char *tools_dir, const char *dir, mrpb_err_t *err) {
  char *text = files_read(log, NULL), *at = text ? strstr(text, "ERROR") : NULL;
  const bool there = at != NULL;
  while (at && at > text && at[-1] != '\n') at--;
  if (at) at[strcspn(at, "\n")] = '\0';
  if (at) rtl_say_dir(at, tools_dir, dir, "Yosys", err);
  free(text);
  return there;
}

/* The text between two markers of a line, or "" if they do not occur. */
static void between(const char *line, const char *before, char end, char *text, size_t size) {
  const char *from = strstr(line, before);
  text[0] = '\0';
  if (!from) return;
  from += strlen(before);
  size_t n = 0;
  while (from[n] && from[n] != end && n + 1 < size) n++;
  memcpy(text, from, n);
  text[n] = '\0';
}

/* "%Error: F:L:C: text" or "%Warning-CODE: F:L:C: text". */
static int explain_line(char *line, const char *stem, const char *dir, mrpb_err_t *err) {
  char name[128], code[32];
  between(line, "not found in the design: ", ',', name, sizeof name);
  if (name[0])
    return mrpb_fail(err,
                     "%s/%s.v: module %s lacks parameter %s, which cmodel/ports/%s.ports.h expects",
                     dir, stem, stem, name, stem);
  between(line, "Specified --top-module '", '\'', name, sizeof name);
  if (name[0])
    return mrpb_fail(err, "%s/%s.v: module %s is missing: the file does not define it", dir, name,
                     name);
  between(line, "%Warning-", ':', code, sizeof code);
  char *text = strstr(line, ": ");
  text = text ? text + 2 : line;
  between(line, "Cannot find file containing module: '", '\'', name, sizeof name);
  if (name[0] && strncmp(name, "ERROR_", 6) != 0) {
    char *end = strstr(text, ": ");
    if (end) *end = '\0';
    return mrpb_fail(err, "%s: module %s is missing: no %s.v in folder %s", text, name, name, dir);
  }
  if (code[0]) return mrpb_fail(err, "%s (Verilator %s; warnings are errors)", text, code);
  return mrpb_fail(err, "%s", text);
}

int rtl_explain(const char *log, const char *stem, const char *dir, const char *tools_dir,
                mrpb_err_t *err) {
  char *text = files_read(log, NULL), *save = NULL, *first = NULL, *complaint = NULL;
  if (guard_signalled()) mrpb_fail(err, "interrupted");
  if (!text) {
    mrpb_fail(err, "%s: cannot read what the tools said", log);
    return RTL_BAD_TOOL;
  }
  for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
    const bool user = rtl_complaint(line) && !rtl_is_internal(line);
    if (user && (!complaint || (complaint[1] == 'W' && line[1] == 'E'))) complaint = line;
    if (!first && (strstr(line, "error") || strstr(line, "Error") || strstr(line, "not found")))
      first = line;
  }
  mrpb_err_t own = {""};
  if (complaint) {
    explain_line(complaint, stem, dir, &own);
    rtl_say_dir(own.text, tools_dir, dir, NULL, err);
    free(text);
    return RTL_BAD_INPUT;
  }
  if (first && rtl_is_internal(first))
    rtl_internal(first, &own), rtl_say_dir(own.text, tools_dir, dir, NULL, err);
  else
    mrpb_fail(err, "building the Verilog of %s failed: %s", stem, first ? first : "no message");
  free(text);
  return RTL_BAD_TOOL;
}
