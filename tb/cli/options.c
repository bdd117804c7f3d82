/* SPDX-License-Identifier: Apache-2.0 */
/* Options: see options.h. */
#include "cli/options.h"
#include "base/number.h"

#include "base/names.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 100, LEGAL = 320, WORD = 120 };

int cli_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
               mrpb_err_t *err) {
  if (number_decimal(text, max, value) && *value >= min) return 0;
  return mrpb_fail(err, "%s %.60s: legal: %" PRIu64 " to %" PRIu64, option, text, min, max);
}

int cli_real(const char *option, const char *text, double most, double *value, mrpb_err_t *err) {
  char *end;
  *value = strtod(text, &end);
  if (end != text && *end == '\0' && *value > 0 && *value <= most) return 0;
  return mrpb_fail(err, "%s %s: legal: above 0, up to %g", option, text, most);
}

int cli_once(const char **to, const char *text, const char *legal, mrpb_err_t *err) {
  if (*to) return mrpb_fail(err, "'%s': %s", text, legal);
  *to = text;
  return 0;
}

int cli_append(const char **list, unsigned *n, unsigned max, const char *option, const char *text,
               mrpb_err_t *err) {
  if (*n == max) return mrpb_fail(err, "%s %.60s: legal: at most %u of these", option, text, max);
  list[(*n)++] = text;
  return 0;
}

/* ---- parsing --------------------------------------------------------------- */

static const cli_option_t *find(const cli_command_t *c, const char *name) {
  for (unsigned i = 0; i < c->n_options; i++)
    if (strcmp(c->options[i].name, name) == 0) return &c->options[i];
  return NULL;
}

/* The option that `word` names, and its value if that follows a '=' in the same word. */
static const cli_option_t *find_word(const cli_command_t *c, const char *word, const char **value) {
  const size_t n = strcspn(word, "=");
  *value = NULL;
  for (unsigned i = 0; word[n] && i < c->n_options; i++) {
    const cli_option_t *o = &c->options[i];
    if (!o->attached || strlen(o->name) != n || strncmp(o->name, word, n) != 0) continue;
    *value = word + n + 1;
    return o;
  }
  return find(c, word);
}

static int refuse(const cli_command_t *c, const char *name, mrpb_err_t *err) {
  char legal[LEGAL] = "";
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < c->n_options; i++) {
    const char *known = c->options[i].name;
    size_t at = strlen(legal);
    snprintf(legal + at, sizeof legal - at, " %s", known);
    names_offer(&near, known);
  }
  names_offer(&near, "--help");
  if (strlen(legal) + 1 == sizeof legal) /* cut off: the list is too long for a message */
    return mrpb_fail(err, "unknown option '%.40s'%s; legal: what `mrpb %s --help` lists", name,
                     near.text, c->name);
  return mrpb_fail(err, "unknown option '%.40s'%s; legal:%s --help", name, near.text, legal);
}

/* From now on the standard output receives only what the option asks for. */
static int divert(const char *name, mrpb_err_t *err) {
  fflush(stdout);
  if (dup2(STDOUT_FILENO, CLI_STREAM) == CLI_STREAM &&
      fcntl(CLI_STREAM, F_SETFD, FD_CLOEXEC) == 0 &&
      dup2(STDERR_FILENO, STDOUT_FILENO) == STDOUT_FILENO)
    return 0;
  return mrpb_fail(err, "%s -: %s; legal: a file", name, strerror(errno));
}

static int take_option(const cli_option_t *o, void *self, const char *value, mrpb_err_t *err) {
  void *to = (char *)self + o->at;
  if (o->take) return o->take(self, o->name, value, err);
  if (!o->value) return *(bool *)to = true, 0;
  if (o->most > 0)
    return cli_append(to, (unsigned *)(void *)((char *)self + o->count_at), o->most, o->name, value,
                      err);
  if (o->max > 0) return cli_number(o->name, value, o->min, o->max, to, err);
  *(const char **)to = value;
  return o->stream && strcmp(value, "-") == 0 ? divert(o->name, err) : 0;
}

/* The text between an option and its value. */
static const char *between(const cli_option_t *o) {
  return o->attached ? "=" : o->value ? " " : "";
}

void cli_help(FILE *out, const cli_command_t *c) {
  cli_synopsis(out, c);
  fprintf(out, "%s.\n", c->doc);
  if (c->details) fprintf(out, "%s\n", c->details);
  for (unsigned i = 0; i < c->n_options; i++) {
    const cli_option_t *o = &c->options[i];
    char word[WORD];
    snprintf(word, sizeof word, o->attached ? "%s[%s%s]" : "%s%s%s", o->name, between(o),
             o->value ? o->value : "");
    fprintf(out, "  %-24s %s\n", word, o->doc);
  }
}

static bool is_verilog(const char *word) {
  static const char *const endings[] = {".v", ".sv", ".vh", ".svh"};
  const char *dot = strrchr(word, '.');
  for (unsigned i = 0; dot && i < sizeof endings / sizeof *endings; i++)
    if (strcmp(dot, endings[i]) == 0) return true;
  return word[0] == '+';
}

/* The options in a list of names, a bit for each. */
static uint64_t bits_of(const cli_command_t *c, const char *names) {
  uint64_t bits = 0;
  for (const char *at = names ? names : ""; *at; at += strspn(at, " ")) {
    char name[WORD];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
    const cli_option_t *o = find(c, name);
    if (o) bits |= UINT64_C(1) << (o - c->options);
    at += strcspn(at, " ");
  }
  return bits;
}

/* `seen`: a bit for each option that was given. */
static int check_rules(const cli_command_t *c, uint64_t seen, mrpb_err_t *err) {
  for (unsigned i = 0; i < c->n_rules; i++) {
    const cli_rule_t *r = &c->rules[i];
    if (!(seen & bits_of(c, r->options))) continue;
    const uint64_t wrong = seen & bits_of(c, r->without);
    const bool alone = r->with && !(seen & bits_of(c, r->with));
    const char *at = wrong ? strchr(r->says, '@') : NULL;
    if (at)
      return mrpb_fail(err, "%.*s%s%s", (int)(at - r->says), r->says,
                       c->options[__builtin_ctzll(wrong)].name, at + 1);
    if (alone || wrong) return mrpb_fail(err, "%s", r->says);
  }
  return CLI_PARSED;
}

int cli_parse(const cli_command_t *c, void *self, int argc, char **argv, mrpb_err_t *err) {
  uint64_t seen = 0; /* a bit for each option */
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value = NULL;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
      return cli_help(stdout, c), CLI_HELPED;
    if (name[0] != '-' && is_verilog(name) && find(c, CLI_VERILOG)) {
      if (take_option(find(c, CLI_VERILOG), self, name, err) != 0) return -1;
      seen |= UINT64_C(1) << (find(c, CLI_VERILOG) - c->options);
      continue;
    }
    if (name[0] != '-') {
      if (!c->operand)
        return mrpb_fail(err, "'%.60s': legal: options only; `mrpb %s --help` lists them", name,
                         c->name);
      if (c->operand(self, NULL, name, err) != 0) return -1;
      continue;
    }
    const cli_option_t *o = find_word(c, name, &value);
    if (!o) return refuse(c, name, err);
    name = o->name;
    if (o->value && !o->attached && !(value = argv[i + 1]))
      return mrpb_fail(err, "%s needs a value: %s", name, o->value);
    const uint64_t bit = UINT64_C(1) << (o - c->options);
    if ((seen & bit) && !o->many)
      return mrpb_fail(err, "%s%s%.200s: legal: once", name, value ? " " : "", value ? value : "");
    seen |= bit;
    if (value && !value[0]) return mrpb_fail(err, "%s '': empty; legal: %s", name, o->value);
    i += value && !o->attached;
    if (take_option(o, self, value, err) != 0) return -1;
  }
  return check_rules(c, seen, err);
}

/* ---- help ------------------------------------------------------------------ */

/* Writes a word of the synopsis, on the next line if this one is full. */
static int put(FILE *out, int column, int indent, const char *word) {
  int n = (int)strlen(word);
  if (column + 1 + n > WIDTH) column = fprintf(out, "\n%*s", indent, "") - 1;
  return column + fprintf(out, " %s", word);
}

void cli_synopsis(FILE *out, const cli_command_t *c) {
  int column = fprintf(out, "mrpb %s", c->name), indent = column;
  if (c->operands[0]) column = put(out, column, indent, c->operands);
  for (unsigned i = 0; i < c->n_options; i++) {
    const cli_option_t *o = &c->options[i];
    char word[WORD];
    snprintf(word, sizeof word, o->attached ? "[%s[%s%s]]%s" : "[%s%s%s]%s", o->name, between(o),
             o->value ? o->value : "", o->many ? "..." : "");
    column = put(out, column, indent, word);
  }
  fputc('\n', out);
}
