/* SPDX-License-Identifier: Apache-2.0 */
/* Runs Yosys on a user's design: see look.h. What it leaves is read in look_read.c. */
#include "estimate/look.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/memory_file.h"
#include "base/output.h"
#include "estimate/look_read.h"
#include "estimate/synth.h"
#include "estimate/tools.h"
#include "verilog/build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT = 3600 };

/* Names get marked while every module still has its own: a flattened netlist has many names for a
 * bit, and only one is the register's. */
static void put_script(FILE *f, const synth_source_t *s, bool gates) {
  static const char *const kinds[] = {"$adff",    "$aldff",    "$dffsr", "$dlatch",
                                      "$adlatch", "$dlatchsr", "$sr"};
  synth_read_text(f, s);
  fputs("setattr -set mrpb_input 1 i:*\nsetattr -set mrpb_register 1 t:$dff", f);
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) fprintf(f, " t:%s %%u", kinds[i]);
  fprintf(f,
          " %%co1:+[Q]\n"
          "synth -flatten -nofsm -nordff -top %s -run begin:fine\n",
          s->top);
  if (gates) fputs("memory_map\ntechmap\nopt_clean\n", f);
  fprintf(f, "tee -q -o %s check\n", gates ? "gates.txt" : "check.txt");
  if (!gates) fputs("write_json look.json\nmemory_dff\nopt_clean\nwrite_json memory.json\n", f);
}

/* Runs the script of that name; an error of Yosys about the text is the message. */
static int run(const char *folder, const char *script, mrpb_err_t *err) {
  const char *const yosys[] = {"yosys", "-q", "-s", script, NULL};
  char log[FILES_PATH];
  mrpb_err_t why = {""}, said = {""};
  if (tools_run(folder, yosys, "yosys.out", LIMIT, &why) == 0) return 0;
  if (files_path(log, "%s/yosys.out", folder) && rtl_yosys_error(log, "", "", &said)) {
    return mrpb_fail(err, "%.380s; Yosys reads a part of SystemVerilog (docs/verify/door.md)",
                     said.text);
  }
  return mrpb_fail(err, "%s", why.text);
}

static int write_script(const char *folder, const char *name, const synth_source_t *s, bool gates,
                        mrpb_err_t *err) {
  FILE *f = output_into(folder, name, err);
  if (!f) return -1;
  put_script(f, s, gates);
  return output_into_end(f, false, folder, name, err);
}

/* Words of Verilog may depend on each other in a loop although no bits do, so a loop counts only
 * if the gates have it too. */
static int check_loops(const char *folder, const synth_source_t *s, mrpb_err_t *err) {
  char line[LOOK_WHY];
  tools_find_line(folder, "check.txt", "found logic loop", line, sizeof line);
  if (!line[0]) return 0;
  if (write_script(folder, "gates.ys", s, true, err) != 0 || run(folder, "gates.ys", err) != 0)
    return -1;
  tools_find_line(folder, "gates.txt", "found logic loop", line, sizeof line);
  if (!line[0]) return 0;
  tools_find_line(folder, "gates.txt", "    wire ", line, sizeof line);
  const char *name = line[0] ? strrchr(line, '\\') : NULL;
  return mrpb_fail(err, "%s: a loop of gates without a register%s%.*s; legal: a register in it",
                   s->name, name ? ", through " : "", name ? (int)strcspn(name + 1, " ") : 0,
                   name ? name + 1 : "");
}

/* "Warning: multiple conflicting drivers for mine.\q [0]:" */
static int check_drivers(const char *folder, const synth_source_t *s, mrpb_err_t *err) {
  char line[LOOK_WHY];
  tools_find_line(folder, "check.txt", "multiple conflicting drivers for ", line, sizeof line);
  const char *name = strchr(line, '\\');
  if (!line[0]) return 0;
  line[strcspn(line, ":")] = '\0';
  return mrpb_fail(err, "%s: two drivers of %s; legal: one", s->name, name ? name + 1 : "a net");
}

static int look_at(const char *folder, const synth_source_t *s, mrpb_err_t *err) {
  if (run(folder, "look.ys", err) != 0 || check_drivers(folder, s, err) != 0) return -1;
  return check_loops(folder, s, err);
}

/* The folder's name depends on everything that decides its contents. */
static int name_folder(char folder[FILES_PATH], const synth_source_t *s, const char *cache,
                       uint64_t yosys, mrpb_err_t *err) {
  uint64_t hash = hash_bytes(HASH_START, &yosys, sizeof yosys);
  char *text = NULL;
  size_t size;
  if (hash_file(&hash, s->text, err) != 0) return -1;
  FILE *f = memory_file(&text, &size);
  if (!f) return mrpb_fail(err, "out of memory");
  put_script(f, s, false);
  const bool bad = fclose(f) != 0;
  if (!bad) hash = hash_text(hash, text);
  free(text);
  if (bad) return mrpb_fail(err, "out of memory");
  return files_path(folder, "%s/look.%016" PRIx64, cache, hash)
             ? 0
             : mrpb_fail(err, "%s: path too long", cache);
}

/* Makes the folder if it is not there. */
static int make_folder(const char *folder, const synth_source_t *s, const char *cache,
                       mrpb_err_t *err) {
  char temp[FILES_PATH], link[FILES_PATH];
  if (files_exists(folder)) return 0;
  if (files_temp_folder(temp, cache, err) != 0) return -1;
  int rc = write_script(temp, "look.ys", s, false, err);
  if (rc == 0 && (!files_path(link, "%s/design.sv", temp) || symlink(s->text, link) != 0))
    rc = mrpb_fail(err, "%s/design.sv: %s", temp, strerror(errno));
  if (rc == 0) rc = look_at(temp, s, err);
  if (rc == 0) return files_publish(temp, folder, err);
  files_remove_tree(temp, NULL);
  return -1;
}

int look_open(look_t *l, const synth_source_t *s, const char *cache, uint64_t yosys,
              mrpb_err_t *err) {
  char folder[FILES_PATH];
  *l = (look_t){.n_regs = 0};
  if (name_folder(folder, s, cache, yosys, err) != 0 || make_folder(folder, s, cache, err) != 0)
    return -1;
  return look_read(l, s, folder, err);
}

void look_close(look_t *l) {
  free(l->reg);
  json_decref(l->registers);
  json_decref(l->inputs);
  *l = (look_t){.n_regs = 0};
}

uint64_t look_flops(const look_t *l) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < l->n_regs; i++)
    if (!l->reg[i].memory) bits += l->reg[i].bits;
  return bits;
}
