/* SPDX-License-Identifier: Apache-2.0 */
/* State of a timeline, shared by the files of this folder only. */
#ifndef TIMELINE_STATE_H
#define TIMELINE_STATE_H

#include "base/keymap.h"
#include "base/output.h"
#include "gpu/timeline/timeline.h"

#include <stdio.h>

enum { TIMELINE_WARPS = 64, TIMELINE_SLOTS = 32, TIMELINE_LEVELS = 4 };

/* The load that wrote a register last, and when. */
typedef struct {
  uint64_t at;
  uint32_t pc;
} timeline_writer_t;

/* A warp that runs, if `block` does: the block's slot, its number, and its own within the block. */
typedef struct {
  bool runs, barrier; /* barrier: it came to one with its last instruction */
  uint8_t slot, ordinal;
  uint64_t since, issued;   /* issued: its last instruction, or its start */
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
} timeline_sm_t;

struct timeline {
  FILE *f;
  char temp[OUTPUT_NAME];
  timeline_setup_t setup;
  const uint64_t *now;
  const char *before; /* what separates the next event from the last */
  keymap_t names;     /* place in `name` of the text of a pc */
  char (*name)[TIMELINE_TEXT];
  size_t n_names, room_names;
  const char *kernel; /* the launch that runs, NULL: none */
  uint64_t launched;
  timeline_sm_t *sm[SET_MEMBERS];
  bool out_of_memory;
};

/* The groups of tracks. */
typedef enum { TIMELINE_OF_WARPS, TIMELINE_OF_REQUESTS } timeline_group_t;

/* The tracks of group TIMELINE_OF_WARPS, from these numbers on. */
enum { TIMELINE_TRACK_BLOCK = 1, TIMELINE_TRACK_WARP = 101 };

/* A slice of a track; written if it overlaps the window. `name` is two parts of text, one behind the
 * other. */
typedef struct {
  unsigned group, track; /* the group: events_group */
  uint64_t from, to;
  const char *kind, *name, *of; /* kind: of its colour; of: NULL or the second part of the name */
} timeline_slice_t;

/* events.c: the file. */
unsigned events_group(timeline_group_t which, unsigned sm);
bool events_wanted(const timeline_t *t, uint64_t from, uint64_t to);
void events_begin(timeline_t *t);
void events_name_group(timeline_t *t, unsigned group, const char *name);
void events_name_track(timeline_t *t, unsigned group, unsigned track, const char *name);
/* events_slice leaves the event open for `,"args":{...}`; events_end ends it. */
void events_slice(timeline_t *t, const timeline_slice_t *s);
void events_end(timeline_t *t);
void events_count(timeline_t *t, unsigned group, const char *name, uint64_t at, uint32_t value);
/* The text of an instruction, fit for JSON; "" if out of memory. Valid until the next call. */
const char *events_text(timeline_t *t, uint32_t pc);
/* Copies `text` without what JSON forbids in a string. */
void events_clean(char to[TIMELINE_TEXT], const char *text);

/* timeline.c. The SM's state; NULL if it is not wanted, or if memory ran out. */
timeline_sm_t *timeline_of_sm(timeline_t *t, unsigned sm);

#endif
