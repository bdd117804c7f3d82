/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the names of the table into words of the ports' arrays. */
#include "verify/upset/answers.h"

#include <string.h>

enum { WORD = 64 };

static const struct {
  const char *stem, *name, *condition, *payload;
} table[] = {
#define ANSWER(stem, name, condition, payload) {#stem, name, condition, payload},
#include "verify/upset/answers.def"
#undef ANSWER
};
enum { N_TABLE = sizeof table / sizeof *table };

typedef struct {
  const module_class_t *cls;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
} ports_t;

/* Copies the next name of a list to `word`. Returns false at its end. */
static bool next_word(const char **list, char word[WORD]) {
  *list += strspn(*list, " ");
  const size_t n = strcspn(*list, " ");
  if (n == 0 || n >= WORD) return false;
  memcpy(word, *list, n);
  word[n] = '\0';
  *list += n;
  return true;
}

static const module_port_t *find(const module_port_t *ports, unsigned n, const char *name) {
  for (unsigned i = 0; i < n; i++)
    if (strcmp(ports[i].name, name) == 0) return &ports[i];
  return NULL;
}

static int add_condition(upset_answer_t *a, const ports_t *p, const char *word, mrpb_err_t *err) {
  const bool inverted = word[0] == '!';
  const module_port_t *in = find(p->in, p->cls->n_in, word + inverted),
                      *out = find(p->out, p->cls->n_out, word + inverted);
  if ((!in && !out) || a->n_conditions == UPSET_SIGNALS)
    return mrpb_fail(err, "answer %s of %s: no port '%s', or too many", a->name, p->cls->stem,
                     word);
  a->condition[a->n_conditions].word = in ? in->word : out->word;
  a->condition[a->n_conditions].input = in != NULL;
  a->condition[a->n_conditions++].inverted = inverted;
  return 0;
}

static void add_output(upset_outputs_t *to, const module_port_t *port) {
  to->range[to->n].word = port->word;
  to->range[to->n++].words = (port->width + 63) / 64;
}

static int add_answer(upset_answers_t *to, const ports_t *p, unsigned line, mrpb_err_t *err) {
  const char *condition = table[line].condition, *payload = table[line].payload;
  char word[WORD];
  if (to->n == UPSET_ANSWERS) return mrpb_fail(err, "%s: too many answers", p->cls->stem);
  upset_answer_t *a = &to->answer[to->n++];
  a->name = table[line].name;
  while (next_word(&condition, word))
    if (add_condition(a, p, word, err) != 0) return -1;
  while (next_word(&payload, word)) {
    const module_port_t *port = find(p->out, p->cls->n_out, word);
    if (!port)
      return mrpb_fail(err, "answer %s of %s: no output '%s'", a->name, p->cls->stem, word);
    add_output(&a->payload, port);
  }
  return 0;
}

int upset_answers(upset_answers_t *to, const module_class_t *cls, const uint32_t *cfg,
                  mrpb_err_t *err) {
  ports_t p = {.cls = cls};
  cls->ports(cfg, p.in, p.out);
  *to = (upset_answers_t){.error = -1};
  for (unsigned i = 0; i < cls->n_out; i++) {
    add_output(&to->all, &p.out[i]);
    if (strcmp(p.out[i].name, UPSET_ERROR) == 0) to->error = (int)p.out[i].word;
  }
  for (unsigned i = 0; i < N_TABLE; i++)
    if (strcmp(table[i].stem, cls->stem) == 0 && add_answer(to, &p, i, err) != 0) return -1;
  if (to->n > 0) return 0;
  to->answer[to->n++].name = "outputs";
  for (unsigned i = 0; i < cls->n_out; i++)
    if ((int)p.out[i].word != to->error) add_output(&to->answer[0].payload, &p.out[i]);
  return 0;
}

bool upset_present(const upset_answer_t *a, const uint64_t *in, const uint64_t *out) {
  for (unsigned i = 0; i < a->n_conditions; i++) {
    const uint64_t bit = (a->condition[i].input ? in : out)[a->condition[i].word] & 1;
    if (bit == a->condition[i].inverted) return false;
  }
  return true;
}

bool upset_same(const upset_outputs_t *some, const uint64_t *out, const uint64_t *other) {
  for (unsigned i = 0; i < some->n; i++)
    if (memcmp(out + some->range[i].word, other + some->range[i].word,
               some->range[i].words * sizeof *out) != 0)
      return false;
  return true;
}

/* Prints the names of a list in code quotes, or `none` for an empty one. */
static void print_list(FILE *out, const char *list, const char *none) {
  char word[WORD];
  bool any = false;
  while (next_word(&list, word)) {
    fprintf(out, "%s`%s`", any ? ", " : "", word);
    any = true;
  }
  if (!any) fputs(none, out);
}

void upset_answers_page(FILE *out) {
  fputs("| module | answer | condition | payload |\n| --- | --- | --- | --- |\n", out);
  for (unsigned i = 0; i < N_TABLE; i++) {
    fprintf(out, "| %s | %s | ", table[i].stem, table[i].name);
    print_list(out, table[i].condition, "always");
    fputs(" | ", out);
    print_list(out, table[i].payload, "none");
    fputs(" |\n", out);
  }
}
