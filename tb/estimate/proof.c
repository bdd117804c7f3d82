/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "estimate/proof.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/home.h"
#include "base/modules.h"
#include "base/process.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  ARGS = 2 * MODULE_MAX_PARAMS + 12,
  QUESTIONS = 8, /* at most so many, each with its limit */
  SPARE = 300    /* seconds for everything else */
};

/* The prover is beside this program, or in its own files. */
static bool find_prover(char path[FILES_PATH]) {
  static const char name[] = "mrpb-prove";
  static const char *const places[] = {"build/mrpb-prove", "../../bin/mrpb-prove"};
  char root[FILES_PATH];
  mrpb_err_t unheard = {""};
  const ssize_t n = readlink("/proc/self/exe", path, FILES_PATH - sizeof name);
  path[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(path, '/');
  if (slash) memcpy(slash + 1, name, sizeof name);
  if (slash && access(path, X_OK) == 0) return true;
  for (unsigned i = 0; i < 2 && home_find(root, &unheard) == 0; i++)
    if (files_path(path, "%s/%s", root, places[i]) && access(path, X_OK) == 0) return true;
  return false;
}

uint64_t proof_hash(void) {
  char path[FILES_PATH];
  uint64_t hash = HASH_START;
  mrpb_err_t unheard = {""};
  const char *modules = getenv(MODULES_VARIABLE);
  if (find_prover(path)) (void)hash_file(&hash, path, &unheard);
  return hash_text(hash, modules ? modules : "");
}

/* The text after the sizes: "not decided mshr ENTRIES=2: why". */
static const char *reason(const char *line) {
  const char *colon = strstr(line, ": ");
  return colon ? colon + 2 : line;
}

/* A "|" would end the table's cell. */
static void say(char verdict[PROOF_TEXT], const char *what, const char *why) {
  int n = snprintf(verdict, PROOF_TEXT, "%s%.*s", what, (int)strcspn(why, "\n"), why);
  if (n >= PROOF_TEXT) memcpy(verdict + PROOF_TEXT - 4, "...", 4);
  for (char *c = verdict; *c; c++)
    if (*c == '|') *c = '/';
}

/* The prover says so if C = Verilog is all that is open. */
#define HALF "gates = Verilog proved; "

static bool judge(const char *text, int code, char verdict[PROOF_TEXT]) {
  if (code == 0 && strncmp(text, "proved ", 7) == 0) return say(verdict, "proved", ""), true;
  if (strncmp(text, "refuted ", 8) == 0) return say(verdict, "refuted: ", reason(text)), true;
  if (strncmp(text, "bounded ", 8) == 0) {
    const char *why = reason(text), *end = strstr(why, " cycles: ");
    char short_[PROOF_TEXT];
    snprintf(short_, sizeof short_, "%.*s", end ? (int)(end - why) + 7 : PROOF_TEXT - 1, why);
    return say(verdict, "", short_), true;
  }
  const char *why = reason(text), *end = strstr(why, " s: ");
  if (code == 3 && strncmp(why, HALF, sizeof HALF - 1) == 0 && end) {
    char half[PROOF_TEXT];
    snprintf(half, sizeof half, "%.*s", (int)(end - why) + 2, why);
    return say(verdict, "", half), true;
  }
  say(verdict, "not proved: ", why);
  return code == 3;
}

static char *run(const char *const *argv, unsigned seconds, int *code, char verdict[PROOF_TEXT]) {
  process_result_t r = {.text = NULL};
  mrpb_err_t err = {""};
  const process_t p = {.argv = argv, .seconds = QUESTIONS * seconds + SPARE, .most = 1 << 16};
  *code = -1;
  if (process_run(&p, &r, &err) != 0)
    say(verdict, "not proved: ", err.text);
  else if (r.end == PROCESS_EXITED && r.text && r.text[0])
    *code = r.code;
  else
    process_describe(&p, &r, verdict + snprintf(verdict, PROOF_TEXT, "not proved: prover: "),
                     PROOF_TEXT - 20);
  return r.text;
}

bool proof_netlist(const synth_job_t *job, const char *folder, unsigned seconds,
                   char verdict[PROOF_TEXT]) {
  char prover[FILES_PATH], netlist[FILES_PATH], liberty[FILES_PATH], limit[16];
  char size[MODULE_MAX_PARAMS][64];
  const char *argv[ARGS] = {prover, job->cls->stem, "--rtl", job->rtl};
  unsigned n = 4;
  int code;
  if (!find_prover(prover))
    return say(verdict, "not proved: no mrpb-prove (make prover)", ""), false;
  if (!files_path(netlist, "%s/net.v", folder) || !files_path(liberty, "%s/cells.lib", folder))
    return say(verdict, "not proved: the path is too long", ""), false;
  for (unsigned i = 0; i < job->cls->n_params; i++) {
    snprintf(size[i], sizeof size[i], "%s=%u", job->cls->params[i].name, job->cfg[i]);
    argv[n++] = "--set";
    argv[n++] = size[i];
  }
  snprintf(limit, sizeof limit, "%u", seconds);
  const char *const rest[] = {"--netlist", netlist, "--liberty", liberty, "--limit", limit};
  for (unsigned i = 0; i < 6; i++) argv[n++] = rest[i];
  char *text = run(argv, seconds, &code, verdict);
  const bool keep = code >= 0 && judge(text, code, verdict);
  free(text);
  return keep;
}
