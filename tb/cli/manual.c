/* SPDX-License-Identifier: Apache-2.0 */
/* The manual page and the shell completion: see manual.h. */
#include "cli/manual.h"

#include "module.h"
#include "version.h"
#include "workload/programs/program.h"

#include <string.h>

/* ---- mrpb(1) ----------------------------------------------------------------- */

/* Writes text so that roff finds no commands in it. */
static void roff(FILE *out, const char *text) {
  bool begins = true;
  for (; *text; text++) {
    if (begins && (*text == '.' || *text == '\'')) fputs("\\&", out);
    if (*text == '\\')
      fputs("\\e", out);
    else if (*text == '-')
      fputs("\\-", out);
    else
      fputc(*text, out);
    begins = *text == '\n';
  }
}

static void section(FILE *out, const char *title, const char *text) {
  fprintf(out, ".SH %s\n", title);
  roff(out, text);
  fputc('\n', out);
}

static void synopsis(FILE *out, const cli_command_t *c) {
  fprintf(out, ".SS mrpb %s", c->name);
  if (c->operands[0]) fprintf(out, " "), roff(out, c->operands);
  fputc('\n', out);
  roff(out, c->doc);
  fputs(".\n", out);
  if (c->details) fputs(".PP\n", out), roff(out, c->details), fputc('\n', out);
}

static void command(FILE *out, const cli_command_t *c) {
  synopsis(out, c);
  for (unsigned i = 0; i < c->n_options; i++) {
    const cli_option_t *o = &c->options[i];
    fputs(".TP\n\\fB", out);
    roff(out, o->name);
    fputs("\\fR", out);
    fputs(o->attached ? "[=" : o->value ? " " : "", out);
    if (o->value) fputs("\\fI", out), roff(out, o->value), fputs("\\fR", out);
    if (o->attached) fputc(']', out);
    fputs(o->many ? " ...\n" : "\n", out);
    roff(out, o->doc);
    fputc('\n', out);
  }
}

static void listed(FILE *out, const char *name, const char *doc) {
  fputs(".TP\n\\fB", out);
  roff(out, name);
  fputs("\\fR\n", out);
  roff(out, doc);
  fputc('\n', out);
}

void manual_page(FILE *out, const cli_command_t *const *commands, unsigned n) {
  fprintf(out, ".\\\" Made by `mrpb help --man`.\n.TH MRPB 1 \"\" \"mrpb %s\" \"User Commands\"\n",
          mrpb_version());
  section(out, "NAME",
          "mrpb - memory request prioritization buffer, MSHR table and PRT in C and Verilog");
  fputs(".SH SYNOPSIS\n.B mrpb\n.I COMMAND\n[\\fIOPERAND\\fR]... [\\fIOPTION\\fR]...\n", out);
  section(
      out, "DESCRIPTION",
      "Models of the structures with which the cores of a GPU handle outstanding memory "
      "requests, each in plain C and in Verilog-2005: compared cycle by cycle, proved equal, "
      "and run under an SM-to-DRAM model of a GPU.\n`mrpb help COMMAND` prints what this page says "
      "about a command, `mrpb help MODULE` lists ports and registers, `mrpb help-config` the "
      "keys of configurations.");
  fputs(".SH COMMANDS\n", out);
  for (unsigned i = 0; i < n; i++) command(out, commands[i]);
  fputs(".SH MODULES\n", out);
  for (unsigned i = 0; module_class_at(i); i++)
    listed(out, module_class_at(i)->stem, module_class_at(i)->doc);
  fputs(".SH KERNELS\n", out);
  for (unsigned i = 0; program_at(i); i++) listed(out, program_at(i)->name, program_at(i)->doc);
  section(out, "EXIT STATUS",
          "0 success, 1 mismatch, 2 wrong input or output that cannot be written, 3 not decided "
          "(prove), 4 hang, 5 a tool that cannot be trusted, 6 two engines that disagree (prove), "
          "130 Ctrl-C, 143 SIGTERM.");
  fputs(".SH FILES\n", out);
  listed(out, "../share/mrpb",
         "beside the folder of the program: Verilog, shim, C models for the "
         "prover, configurations (`-c base-s-mrpb` finds its base-s-mrpb.conf)");
  listed(out, "~/.cache/mrpb", "build results, unless the program runs in a writable source tree");
  fputs(".SH ENVIRONMENT\n", out);
  listed(out, "MRPB_DATA", "another folder for ../share/mrpb: a source tree, for example");
  listed(out, "XDG_CACHE_HOME", "another folder for ~/.cache");
  section(out, "SEE ALSO", "libmrpb(3), verilator(1), gtkwave(1)");
}

/* ---- bash --------------------------------------------------------------------- */

/* Returns the kind of completion for a value that the help calls `value`. */
static const char *kind_of(const char *option, const char *value) {
  if (strstr(option, "kernel")) return "kernels";
  if (strstr(value, "MODULE")) return "modules";
  if (strncmp(value, "DIR", 3) == 0) return "folders";
  if (strstr(value, "FILE")) return "files";
  return "none";
}

/* Writes "A|B|C" as words; false if it is not such a list. */
static bool words(FILE *out, const char *value) {
  if (!strchr(value, '|') || strpbrk(value, "=,[: ") || strstr(value, "FILE")) return false;
  for (; *value; value++) fputc(*value == '|' ? ' ' : *value, out);
  return true;
}

static void values(FILE *out, const cli_command_t *c) {
  for (unsigned i = 0; i < c->n_options; i++) {
    const cli_option_t *o = &c->options[i];
    if (!o->value || o->attached || o->name[0] != '-') continue;
    fprintf(out, "  %s,%s) echo \"", c->name, o->name);
    if (!words(out, o->value)) fprintf(out, "@%s", kind_of(o->name, o->value));
    fputs("\" ;;\n", out);
  }
}

static const char *operand_kind(const char *operands) {
  if (strstr(operands, "COMMAND")) return "$_mrpb_commands $_mrpb_modules";
  if (strstr(operands, "MODULE")) return "@modules";
  return strstr(operands, "FILE") || strstr(operands, "TRACE") || strstr(operands, ".json")
             ? "@files"
             : "@none";
}

static const char before[] =
    "# Completion of mrpb for bash. Made by `mrpb help --bash`.\n"
    "_mrpb_values() { # COMMAND OPTION: the words of its value, or @ and their kind\n"
    "  case $1,$2 in\n";
static const char after[] =
    "_mrpb() {\n"
    "  local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} "
    "command=${COMP_WORDS[1]} kind\n"
    "  COMPREPLY=()\n"
    "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
    "    COMPREPLY=($(compgen -W \"$_mrpb_commands\" -- \"$word\"))\n"
    "    return\n"
    "  fi\n"
    "  kind=$(_mrpb_values \"$command\" \"$last\")\n"
    "  [ -n \"$kind\" ] || case $word in\n"
    "  -*) kind=$(_mrpb_options \"$command\") ;;\n"
    "  *) kind=$(_mrpb_operands \"$command\") ;;\n"
    "  esac\n"
    "  case $kind in\n"
    "  @files) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
    "  @folders) COMPREPLY=($(compgen -d -- \"$word\")) ;;\n"
    "  @modules) COMPREPLY=($(compgen -W \"$_mrpb_modules\" -- \"$word\")) ;;\n"
    "  @kernels) COMPREPLY=($(compgen -W \"$_mrpb_kernels\" -- \"$word\")) ;;\n"
    "  @none) ;;\n"
    "  *) COMPREPLY=($(compgen -W \"$kind\" -- \"$word\")) ;;\n"
    "  esac\n"
    "}\n"
    "complete -o filenames -F _mrpb mrpb\n";

void manual_completion(FILE *out, const cli_command_t *const *commands, unsigned n) {
  fputs(before, out);
  for (unsigned i = 0; i < n; i++) values(out, commands[i]);
  fputs("  esac\n}\n_mrpb_options() { # COMMAND\n  case $1 in\n", out);
  for (unsigned i = 0; i < n; i++) {
    fprintf(out, "  %s) echo \"", commands[i]->name);
    for (unsigned k = 0; k < commands[i]->n_options; k++)
      if (commands[i]->options[k].name[0] == '-') fprintf(out, "%s ", commands[i]->options[k].name);
    fputs("--help\" ;;\n", out);
  }
  fputs("  esac\n}\n_mrpb_operands() { # COMMAND\n  case $1 in\n", out);
  for (unsigned i = 0; i < n; i++)
    fprintf(out, "  %s) echo \"%s\" ;;\n", commands[i]->name, operand_kind(commands[i]->operands));
  fputs("  esac\n}\n_mrpb_commands=\"", out);
  for (unsigned i = 0; i < n; i++) fprintf(out, "%s%s", i ? " " : "", commands[i]->name);
  fputs("\"\n_mrpb_modules=\"", out);
  for (unsigned i = 0; module_class_at(i); i++)
    fprintf(out, "%s%s", i ? " " : "", module_class_at(i)->stem);
  fputs("\"\n_mrpb_kernels=\"", out);
  for (unsigned i = 0; program_at(i); i++) fprintf(out, "%s%s", i ? " " : "", program_at(i)->name);
  fputs("\"\n", out);
  fputs(after, out);
}
