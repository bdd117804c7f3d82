/* SPDX-License-Identifier: Apache-2.0 */
/* The bench uses only the SystemVerilog that Icarus reads. The tags and lines of answers are
 * compared where the answer is valid, and the signals of a request or an acceptance only while
 * there is one. */
#include "verify/conform/bench.h"

#include "base/files.h"
#include "base/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *counts_when(const char *name) {
  static const char *const when[][2] = {{"read_merge_o", "read_valid_i && read_ready_o"},
                                        {"read_ticket_o", "read_valid_i && read_ready_o"},
                                        {"read_ready_o", "read_valid_i"},
                                        {"read_refuse_o", "read_valid_i && !read_ready_o"},
                                        {"line_addr_o", "line_valid_o"},
                                        {"line_ticket_o", "line_valid_o"},
                                        {"answer_tag_o", "&answer_valid_o"},
                                        {"answer_addr_o", "&answer_valid_o"},
                                        {"fill_ready_o", "fill_valid_i"}};
  for (size_t i = 0; i < sizeof when / sizeof *when; i++)
    if (strcmp(when[i][0], name) == 0) return when[i][1];
  return "1";
}

static void write_value(FILE *f, const module_port_t *p, const uint64_t *words) {
  fprintf(f, "%u'h", p->width);
  for (unsigned d = (p->width + 3) / 4; d-- > 0;)
    fprintf(f, "%x", (unsigned)(words[p->word + d / 16] >> 4 * (d % 16)) & 15);
}

static void write_cycles(FILE *f, const conform_setup_t *s, const conform_case_t *c,
                         conform_play_t *p) {
  module_port_t in[CONFORM_INS], out[CONFORM_OUTS];
  conform_ports(&s->cfg, in, out);
  for (size_t t = 0; t < c->n; t++) {
    (void)conform_play_cycle(p, &c->in[t]);
    fprintf(f, "    clk_i = 0;");
    for (unsigned i = 0; i < CONFORM_INS; i++) {
      fprintf(f, " %s = ", in[i].name);
      write_value(f, &in[i], (const uint64_t *)(const void *)&c->in[t]);
      fputc(';', f);
    }
    fprintf(f, " #5;\n");
    for (unsigned i = 0; i < CONFORM_OUTS && t >= 2; i++) {
      if (!bind_said_output(s->bind, out[i].name)) continue;
      fprintf(f, "    if (srst_ni && (%s) && %s !== ", counts_when(out[i].name), out[i].name);
      write_value(f, &out[i], (const uint64_t *)(const void *)conform_play_out(p));
      fprintf(f, ") bad(%zu, \"%s\");\n", t, out[i].name);
    }
    fprintf(f, "    clk_i = 1; #5;\n");
  }
}

static void write_bench(FILE *f, const conform_setup_t *s, const conform_case_t *c,
                        conform_play_t *p) {
  module_port_t in[CONFORM_INS], out[CONFORM_OUTS];
  conform_ports(&s->cfg, in, out);
  fprintf(f, "\nmodule bench;\n  reg clk_i;\n  integer differs = 0;\n");
  for (unsigned i = 0; i < CONFORM_INS; i++)
    fprintf(f, "  reg [%u:0] %s;\n", in[i].width - 1, in[i].name);
  for (unsigned i = 0; i < CONFORM_OUTS; i++)
    fprintf(f, "  wire [%u:0] %s;\n", out[i].width - 1, out[i].name);
  fprintf(f, "  conform dut (.clk_i(clk_i)");
  for (unsigned i = 0; i < CONFORM_INS; i++) fprintf(f, ", .%s(%s)", in[i].name, in[i].name);
  for (unsigned i = 0; i < CONFORM_OUTS; i++) fprintf(f, ", .%s(%s)", out[i].name, out[i].name);
  fprintf(f, ");\n  task bad(input integer cycle, input [8*24-1:0] name);\n    begin\n      "
             "$display(\"cycle %%0d: %%0s "
             "differs\", cycle, name);\n      differs = differs + 1;\n    end\n  endtask\n  "
             "initial begin\n");
  write_cycles(f, s, c, p);
  fprintf(
      f,
      "    if (differs == 0) $display(\"same in %zu cycles\");\n    $finish;\n  end\nendmodule\n",
      c->n);
}

int conform_bench_write(const char *path, const conform_setup_t *s, const conform_case_t *c,
                        mrpb_err_t *err) {
  char temp[OUTPUT_NAME], text[FILES_PATH];
  (void)files_path(text, "%s/conform.v", rtl_lib_made(s->lib)->dir);
  conform_play_t *p = conform_play_open(s, c->seed);
  char *design = files_read(text, NULL);
  FILE *f = p && design ? output_open(path, temp, err) : NULL;
  if (!p || !design) mrpb_fail(err, "%s: cannot be read", text);
  if (f) {
    fputs(design, f);
    write_bench(f, s, c, p);
  }
  const int rc = f ? output_close(f, ferror(f) != 0, path, temp, err) : -1;
  conform_play_close(p);
  free(design);
  return rc;
}
