/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a timeline: Chrome's trace event format, as a JSON object. A microsecond is a cycle. */
#include "gpu/timeline/timeline_state.h"

#include "base/grow.h"

enum { FIRST_GROUP = 10 };

unsigned events_group(timeline_group_t which, unsigned sm) {
  return FIRST_GROUP + 2 * sm + (which == TIMELINE_OF_REQUESTS);
}

bool events_wanted(const timeline_t *t, uint64_t from, uint64_t to) {
  return to >= t->setup.from && from <= t->setup.to;
}

void events_flush(timeline_t *t) {
  (void)fwrite(t->text, 1, (size_t)(t->to - t->text), t->f);
  t->to = t->text;
}

/* Where the next event begins, with room for it. */
static char *room(timeline_t *t) {
  if (t->to - t->text > TIMELINE_BUFFER - TIMELINE_EVENT) events_flush(t);
  return t->to;
}

void events_begin(timeline_t *t) {
  t->to = append_text(
      t->text, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"unit\":\"1 us is one SM cycle\"},\n"
               "\"traceEvents\":[\n");
}

/* Its value is still to come. Such an event is the first of the file. */
static char *metadata(timeline_t *t, unsigned group, unsigned track, const char *what,
                      const char *name) {
  char *to = append_text(room(t), t->any ? ",\n{\"ph\":\"M\",\"pid\":" : "{\"ph\":\"M\",\"pid\":");
  t->any = true;
  to = append_number(to, group);
  to = append_text(to, ",\"tid\":");
  to = append_number(to, track);
  to = append_text(to, ",\"name\":\"");
  to = append_text(to, what);
  return append_text(to, name);
}

/* Groups stand in the order of their numbers, tracks likewise. */
static void name_it(timeline_t *t, unsigned group, unsigned track, const char *what,
                    const char *name) {
  char *to = metadata(t, group, track, what, "_name\",\"args\":{\"name\":\"");
  to = append_text(to, name);
  t->to = append_text(to, "\"}}");
  to = metadata(t, group, track, what, "_sort_index\",\"args\":{\"sort_index\":");
  to = append_number(to, track ? track : group);
  t->to = append_text(to, "}}");
}

void events_name_group(timeline_t *t, unsigned group, const char *name) {
  name_it(t, group, 0, "process", name);
}

void events_name_track(timeline_t *t, unsigned group, unsigned track, const char *name) {
  name_it(t, group, track, "thread", name);
}

void events_track(append_word_t *w, unsigned group, unsigned track) {
  char *to = append_text(w->text, ",\n{\"ph\":\"X\",\"pid\":");
  to = append_number(to, group);
  to = append_text(to, ",\"tid\":");
  to = append_number(to, track);
  append_end(w, append_text(to, ",\"ts\":"));
}

void events_slice(timeline_t *t, const timeline_slice_t *s) {
  char *to = append_word(room(t), s->track);
  to = append_number(to, s->from);
  to = append_text(to, ",\"dur\":");
  to = append_number(to, s->to - s->from);
  to = append_word(to, s->kind);
  if (s->name) to = append_word(to, s->name);
  if (s->of) to = append_name(to, s->of);
  t->to = append_text(to, "\"");
}

void events_end(timeline_t *t) {
  *t->to++ = '}';
}

void events_count(timeline_t *t, unsigned group, const char *name, uint64_t at, uint32_t value) {
  char *to = append_text(room(t), ",\n{\"ph\":\"C\",\"pid\":");
  to = append_number(to, group);
  to = append_text(to, ",\"ts\":");
  to = append_number(to, at);
  to = append_text(to, ",\"name\":\"");
  to = append_text(to, name);
  to = append_text(to, "\",\"args\":{\"n\":");
  to = append_number(to, value);
  t->to = append_text(to, "}}");
}

/* ---- texts --------------------------------------------------------------------- */

char *events_clean(char *to, const char *text) {
  const char *const begin = to;
  for (; *text && to - begin < TIMELINE_TEXT - 2; text++) {
    const bool blank = *text == ' ' || *text == '\t';
    if (blank && to > begin && to[-1] == ' ') continue;
    if (*text == '"' || *text == '\\') *to++ = '\\';
    *to++ = blank ? ' ' : *text > ' ' && *text <= '~' ? *text : '?';
  }
  return to;
}

void events_name(timeline_name_t *name, const char *text) {
  name->n = (size_t)(events_clean(name->text, text) - name->text);
}

static const timeline_name_t *new_name(timeline_t *t, uint32_t pc) {
  static const timeline_name_t none;
  char text[TIMELINE_TEXT];
  timeline_name_t *names = grow(t->name, t->n_names + 1, &t->room_names, sizeof *names);
  if (names) t->name = names;
  if (!names || !keymap_put(&t->names, pc, (uint32_t)t->n_names)) {
    t->out_of_memory = true;
    return &none;
  }
  t->setup.text(t->setup.ctx, pc, text);
  events_name(&names[t->n_names], text);
  return &names[t->n_names++];
}

const timeline_name_t *events_text(timeline_t *t, uint32_t pc) {
  const uint32_t at = keymap_get(&t->names, pc);
  return at == KEYMAP_NONE ? new_name(t, pc) : &t->name[at];
}
