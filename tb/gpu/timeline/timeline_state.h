/* SPDX-License-Identifier: Apache-2.0 */
/* State of a timeline, shared by the files of this folder only. */
#ifndef TIMELINE_STATE_H
#define TIMELINE_STATE_H

#include "base/keymap.h"
#include "base/output.h"
#include "gpu/timeline/append.h"
#include "gpu/timeline/timeline.h"

#include <stdio.h>

enum { TIMELINE_WARPS = 64, TIMELINE_SLOTS = 32, TIMELINE_LEVELS = 4 };
/* The bytes of the longest event, and those that are written to the file at once. */
enum { TIMELINE_EVENT = 4 * TIMELINE_TEXT + 600, TIMELINE_BUFFER = 1 << 16 };

/* A text, fit for JSON. */
typedef struct {
  size_t n;
  char text[TIMELINE_TEXT];
} timeline_name_t;

/* The load that wrote a register last, and when. */
typedef struct {
  uint64_t at;
  uint32_t pc;
} timeline_writer_t;

static inline char *append_name(char *to, const timeline_name_t *name) {
  memcpy(to, name->text, name->n);
  return to + name->n;
}

/* A warp that runs, if `block` does: the block's slot, its number, and its own within the block. */
typedef struct {
  bool runs, barrier; /* barrier: it came to one with its last instruction */
  uint8_t slot, ordinal;
  uint64_t since, issued;   /* issued: its last instruction, or its start */
  uint64_t loaded;          /* when data for it came last */
  timeline_writer_t atomic; /* its last atomic, and when all were done */
} timeline_warp_t;

typedef struct {
  uint32_t number, left; /* left: its warps that have not ended; 0: no block */
  uint64_t since;
} timeline_block_t;

/* Of an SM. lane[i]: when the last request of that lane ended. */
typedef struct {
  timeline_warp_t warp[TIMELINE_WARPS];
  timeline_block_t block[TIMELINE_SLOTS];
  timeline_writer_t writer[WARP_REGS][TIMELINE_WARPS];
  uint64_t *lane;
  size_t lanes, room;
  uint32_t level[TIMELINE_LEVELS];
  uint64_t named_warps, named_slots;
  append_word_t track[TIMELINE_WARPS]; /* of the warps that have a name */
} timeline_sm_t;

struct timeline {
  FILE *f;
  char temp[OUTPUT_NAME];
  timeline_setup_t setup;
  const uint64_t *now;
  keymap_t names; /* place in `name` of the text of a pc */
  timeline_name_t *name;
  size_t n_names, room_names;
  const char *kernel; /* the launch that runs, NULL: none */
  uint64_t launched;
  timeline_sm_t *sm[SET_MEMBERS];
  bool out_of_memory;
  bool any; /* event has been written */
  char *to; /* the end of what is in `text`, which the file does not have */
  char text[TIMELINE_BUFFER];
};

/* The groups of tracks. */
typedef enum { TIMELINE_OF_WARPS, TIMELINE_OF_REQUESTS } timeline_group_t;

/* The tracks of group TIMELINE_OF_WARPS, from these numbers on. */
enum { TIMELINE_TRACK_BLOCK = 1, TIMELINE_TRACK_WARP = 101 };

/* A slice of a track; written if it overlaps the window. Its name has up to three parts: one in
 * `kind`, then `name` and `of`, which may be NULL. */
typedef struct {
  const append_word_t *track, *kind; /* events_track, EVENTS_KIND */
  uint64_t from, to;
  const append_word_t *name;
  const timeline_name_t *of;
} timeline_slice_t;

/* The kind of a slice, its colour in chrome://tracing or "" (other viewers choose theirs by the
 * name), and how its name begins. */
#define EVENTS_KIND(kind, colour, name)                                                            \
  APPEND_WORD(",\"cat\":\"" kind "\"" colour ",\"name\":\"" name)
#define EVENTS_COLOUR(name) ",\"cname\":\"" name "\""

/* events.c: the file. */
unsigned events_group(timeline_group_t which, unsigned sm);
bool events_wanted(const timeline_t *t, uint64_t from, uint64_t to);
void events_begin(timeline_t *t);
/* Writes what the buffer holds. */
void events_flush(timeline_t *t);
void events_name_group(timeline_t *t, unsigned group, const char *name);
void events_name_track(timeline_t *t, unsigned group, unsigned track, const char *name);
/* How the slices of a track begin. */
void events_track(append_word_t *w, unsigned group, unsigned track);
/* events_slice leaves the event open for `,"args":{...}`, behind t->to; events_end ends it. */
void events_slice(timeline_t *t, const timeline_slice_t *s);
void events_end(timeline_t *t);
void events_count(timeline_t *t, unsigned group, const char *name, uint64_t at, uint32_t value);
/* The text of an instruction; an empty one if out of memory. Valid until the next call. */
const timeline_name_t *events_text(timeline_t *t, uint32_t pc);
/* Appends `text` without what JSON forbids in a string; at most TIMELINE_TEXT - 1 bytes. */
char *events_clean(char *to, const char *text);
void events_name(timeline_name_t *name, const char *text);

/* timeline.c. The SM's state; NULL if it is not wanted, or if memory ran out. */
timeline_sm_t *timeline_of_sm(timeline_t *t, unsigned sm);

#endif
