/* SPDX-License-Identifier: Apache-2.0 */
/* Pipes around `mrpb run`: see child.h. */
#include "studies/sweep/child.h"

#include "base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* File descriptors of the child for its configuration and its result. The parent's ends have higher
 * numbers. */
enum { CONFIG = 3, RESULT = 4, BOUND = 5, FIRST_OWN = 16, PART = 1 << 16, MOST_SAID = 1 << 16 };

/* ---- pipes ------------------------------------------------------------------------------------- */

/* Moves the descriptor above the child's numbers; other children do not inherit it. */
static int move_up(int fd) {
  const int up = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_OWN);
  close(fd);
  return up;
}

static int open_pipe(int *from, int *to, mrpb_err_t *err) {
  int ends[2];
  *from = *to = -1;
  if (pipe(ends) != 0) return mrpb_fail(err, "no pipe for a run: %s", strerror(errno));
  *from = move_up(ends[0]);
  *to = move_up(ends[1]);
  if (*from >= 0 && *to >= 0) return 0;
  return mrpb_fail(err, "no pipe for a run: %s", strerror(errno));
}

static void shut(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static int open_stream(child_stream_t *s, mrpb_err_t *err) {
  if (open_pipe(&s->from, &s->to, err) != 0) return -1;
  if (fcntl(s->from, F_SETFL, O_NONBLOCK) == 0) return 0;
  return mrpb_fail(err, "no pipe for a run: %s", strerror(errno));
}

void child_close(child_t *c) {
  if (!c->open) return;
  shut(&c->config);
  shut(&c->json.from);
  shut(&c->json.to);
  shut(&c->said.from);
  shut(&c->said.to);
  shut(&c->bound_fd);
  bound_close(c->bound);
  free(c->json.text);
  free(c->said.text);
  *c = (child_t){0};
}

/* The whole configuration fits into an empty pipe. */
static int write_config(child_t *c, const sweep_point_t *point, mrpb_err_t *err) {
  int to;
  if (open_pipe(&c->config, &to, err) != 0) return shut(&to), -1;
  char *text = sweep_config_text(&point->cfg, point->hash);
  const size_t n = text ? strlen(text) : 0;
  const bool good = text && fcntl(to, F_SETFL, O_NONBLOCK) == 0 && write(to, text, n) == (ssize_t)n;
  free(text);
  shut(&to);
  return good ? 0 : mrpb_fail(err, "no pipe for a configuration: %s", strerror(errno));
}

int child_open(child_t *c, const sweep_point_t *point, mrpb_err_t *err) {
  struct tm utc;
  const time_t now = time(NULL);
  *c = (child_t){.open = true,
                 .json = {.from = -1, .to = -1},
                 .said = {.from = -1, .to = -1},
                 .config = -1,
                 .bound_fd = -1};
  gmtime_r(&now, &utc);
  strftime(c->started, sizeof c->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
  if (write_config(c, point, err) == 0 && open_stream(&c->json, err) == 0 &&
      open_stream(&c->said, err) == 0)
    return 0;
  child_close(c);
  return -1;
}

int child_bind(child_t *c, uint64_t cycles, mrpb_err_t *err) {
  int fd;
  c->bound = bound_open(&fd, err);
  if (!c->bound) return -1;
  c->bound->cycles = cycles;
  c->bound_fd = move_up(fd);
  return c->bound_fd >= 0 ? 0 : mrpb_fail(err, "no memory for a run's bound: %s", strerror(errno));
}

/* ---- the child --------------------------------------------------------------------------------- */

int child_become(const child_t *c, const char *program, const sweep_program_t *what) {
  char run[] = "run", config[] = "-c", from[] = "/dev/fd/3", json[] = "--json", to[] = "/dev/fd/4";
  char *head[] = {strdup(program), run, config, from, json, to};
  enum { HEAD = sizeof head / sizeof *head };
  char **argv = calloc(HEAD + what->n_words + 1, sizeof *argv);
  const int null = open("/dev/null", O_RDWR);
  if (!argv || !head[0] || null < 0) return 127;
  memcpy(argv, head, sizeof head);
  memcpy(argv + HEAD, what->word, what->n_words * sizeof *argv);
  if (dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
      dup2(c->said.to, STDERR_FILENO) < 0 || dup2(c->config, CONFIG) < 0 ||
      dup2(c->json.to, RESULT) < 0)
    return 127;
  unsetenv(BOUND_VARIABLE);
  if (c->bound && (dup2(c->bound_fd, BOUND) < 0 || setenv(BOUND_VARIABLE, "5", 1) != 0)) return 127;
  execv(program, argv);
  dprintf(STDERR_FILENO, "%s: %s\n", program, strerror(errno));
  return 127;
}

/* ---- the parent -------------------------------------------------------------------------------- */

/* Reads everything, but drops what does not fit into `most` bytes. */
static void drain(child_stream_t *s, size_t most) {
  char part[PART];
  ssize_t n;
  while (s->from >= 0 && (n = read(s->from, part, sizeof part)) > 0) {
    if (s->n + (size_t)n > most) continue;
    char *text = grow(s->text, s->n + (size_t)n + 1, &s->room, 1);
    if (!text) continue;
    s->text = text;
    memcpy(text + s->n, part, (size_t)n);
    s->n += (size_t)n;
    text[s->n] = '\0';
  }
}

void child_drain(child_t *c) {
  if (!c->open) return;
  shut(&c->json.to); /* the child has its own copies by now */
  shut(&c->said.to);
  shut(&c->config);
  shut(&c->bound_fd);
  drain(&c->json, SIZE_MAX / 2);
  drain(&c->said, MOST_SAID);
}

/* Takes the first line that is not a note, without the command's name. */
static void take_message(const child_t *c, char *to, size_t size) {
  static const char name[] = "mrpb run: ";
  const char *line = c->said.text;
  while (line && strncmp(line, "mrpb run: note:", 15) == 0)
    line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
  if (!line) return;
  if (strncmp(line, name, sizeof name - 1) == 0) line += sizeof name - 1;
  snprintf(to, size, "%.*s", (int)strcspn(line, "\n"), line);
}

/* Whether the result is complete and belongs to this configuration. */
static bool is_result(const child_t *c, uint64_t configuration) {
  char hash[SWEEP_HASH];
  sweep_hash_text(configuration, hash);
  json_t *json = c->json.text ? json_loadb(c->json.text, c->json.n, 0, NULL) : NULL;
  const char *of = json_string_value(json_object_get(json, "config_hash"));
  const bool good = of && strcmp(of, hash) == 0;
  json_decref(json);
  return good;
}

void child_end(child_t *c, const sweep_point_t *point, const jobs_end_t *end, sweep_outcome_t *o) {
  const struct rusage *use = end->cost;
  child_drain(c);
  *o = (sweep_outcome_t){.exited = end->exited, .code = end->code, .memory_kb = use->ru_maxrss};
  o->cpu_seconds = (double)(use->ru_utime.tv_sec + use->ru_stime.tv_sec) +
                   1e-6 * (double)(use->ru_utime.tv_usec + use->ru_stime.tv_usec);
  memcpy(o->started, c->started, sizeof o->started);
  gethostname(o->host, sizeof o->host - 1);
  if (o->exited && o->code == 0 && !is_result(c, point->hash)) {
    o->code = 127;
    snprintf(o->message, sizeof o->message, "succeeded, but left no result of this configuration");
  } else if (o->exited && o->code == 0) {
    o->json = c->json.text;
    c->json.text = NULL;
  } else if (c->bound && c->bound->ended) {
    o->ended = c->bound->ended;
    o->exited = false;
    o->code = 0;
  } else {
    take_message(c, o->message, sizeof o->message);
  }
  child_close(c);
}
