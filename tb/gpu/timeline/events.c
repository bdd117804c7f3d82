/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a timeline: Chrome's trace event format, as a JSON object. A microsecond is a cycle. */
#include "gpu/timeline/timeline_state.h"

#include "base/grow.h"

#include <inttypes.h>
#include <string.h>

enum { FIRST_GROUP = 10 };

unsigned events_group(timeline_group_t which, unsigned sm) {
  return FIRST_GROUP + 2 * sm + (which == TIMELINE_OF_REQUESTS);
}

bool events_wanted(const timeline_t *t, uint64_t from, uint64_t to) {
  return to >= t->setup.from && from <= t->setup.to;
}

static void begin_event(timeline_t *t) {
  fputs(t->before, t->f);
  t->before = ",\n";
}

void events_begin(timeline_t *t) {
  fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us is one SM cycle\"},\n"
        "\"traceEvents\":[\n",
        t->f);
  t->before = "";
}

/* Groups stand in the order of their numbers, tracks likewise. */
static void metadata(timeline_t *t, unsigned group, unsigned track, const char *what,
                     const char *name) {
  begin_event(t);
  fprintf(t->f,
          "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s_name\",\"args\":{\"name\":\"%s\"}}",
          group, track, what, name);
  begin_event(t);
  fprintf(t->f,
          "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":"
          "%u}}",
          group, track, what, track ? track : group);
}

void events_name_group(timeline_t *t, unsigned group, const char *name) {
  metadata(t, group, 0, "process", name);
}

void events_name_track(timeline_t *t, unsigned group, unsigned track, const char *name) {
  metadata(t, group, track, "thread", name);
}

/* The colours of chrome://tracing; other viewers choose theirs by the name. */
static const char *colour(const char *kind) {
  return strcmp(kind, "load") == 0      ? "\",\"cname\":\"terrible"
         : strcmp(kind, "barrier") == 0 ? "\",\"cname\":\"grey"
                                        : "";
}

static char *copy(char *to, const char *text) {
  const size_t n = strlen(text);
  memcpy(to, text, n);
  return to + n;
}

static char *number(char *to, uint64_t n) {
  char digit[20];
  unsigned i = sizeof digit;
  do digit[--i] = (char)('0' + n % 10);
  while (n /= 10);
  memcpy(to, digit + i, sizeof digit - i);
  return to + sizeof digit - i;
}

/* By hand: fprintf takes half of the time of a run otherwise. */
void events_slice(timeline_t *t, const timeline_slice_t *s) {
  char text[3 * TIMELINE_TEXT + 200], *to = text;
  to = copy(to, t->before);
  to = copy(to, "{\"ph\":\"X\",\"pid\":");
  to = number(to, s->group);
  to = copy(to, ",\"tid\":");
  to = number(to, s->track);
  to = copy(to, ",\"ts\":");
  to = number(to, s->from);
  to = copy(to, ",\"dur\":");
  to = number(to, s->to - s->from);
  to = copy(to, ",\"cat\":\"");
  to = copy(to, s->kind);
  to = copy(to, colour(s->kind));
  to = copy(to, "\",\"name\":\"");
  to = copy(to, s->name);
  to = copy(to, s->of ? s->of : "");
  *to++ = '"';
  (void)fwrite(text, 1, (size_t)(to - text), t->f);
  t->before = ",\n";
}

void events_end(timeline_t *t) {
  fputc('}', t->f);
}

void events_count(timeline_t *t, unsigned group, const char *name, uint64_t at, uint32_t value) {
  begin_event(t);
  fprintf(t->f,
          "{\"ph\":\"C\",\"pid\":%u,\"ts\":%" PRIu64 ",\"name\":\"%s\",\"args\":{\"n\":%" PRIu32
          "}}",
          group, at, name, value);
}

/* ---- texts --------------------------------------------------------------------- */

void events_clean(char to[TIMELINE_TEXT], const char *text) {
  size_t n = 0;
  for (; *text && n < TIMELINE_TEXT - 2; text++) {
    const bool blank = *text == ' ' || *text == '\t';
    if (blank && n > 0 && to[n - 1] == ' ') continue;
    if (*text == '"' || *text == '\\') to[n++] = '\\';
    to[n++] = blank ? ' ' : *text > ' ' && *text <= '~' ? *text : '?';
  }
  to[n] = '\0';
}

static const char *new_name(timeline_t *t, uint32_t pc) {
  char text[TIMELINE_TEXT];
  char(*names)[TIMELINE_TEXT] = grow(t->name, t->n_names + 1, &t->room_names, sizeof *names);
  if (names) t->name = names;
  if (!names || !keymap_put(&t->names, pc, (uint32_t)t->n_names)) {
    t->out_of_memory = true;
    return "";
  }
  t->setup.text(t->setup.ctx, pc, text);
  events_clean(names[t->n_names], text);
  return names[t->n_names++];
}

const char *events_text(timeline_t *t, uint32_t pc) {
  const uint32_t at = keymap_get(&t->names, pc);
  return at == KEYMAP_NONE ? new_name(t, pc) : t->name[at];
}
