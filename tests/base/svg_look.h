/* SPDX-License-Identifier: Apache-2.0 */
/* Examines an SVG of bars as a picture: frames, and filled boxes in them. */
#ifndef SVG_LOOK_H
#define SVG_LOOK_H

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  double left, top, right, bottom;
} svg_box_t;

/* The bounding box of an SVG's list of points, given as "x,y" pairs. */
static inline svg_box_t svg_around(const char *text) {
  svg_box_t b = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (double x, y; *text && *text != '\'';) {
    int n = 0;
    while (*text == 'M' || *text == 'L' || *text == ' ') text++;
    if (sscanf(text, "%lf,%lf%n", &x, &y, &n) != 2) break;
    text += n;
    b = (svg_box_t){fmin(b.left, x), fmin(b.top, y), fmax(b.right, x), fmax(b.bottom, y)};
  }
  return b;
}

/* The frames of a picture are its closed black paths; its bars are the filled polygons inside
 * them. */
static inline unsigned svg_boxes(const char *path, const char *before, const char *after,
                                 svg_box_t *box, unsigned most) {
  static char line[1 << 16];
  unsigned n = 0;
  FILE *f = fopen(path, "r");
  ck_assert_msg(f, "%s", path);
  while (fgets(line, sizeof line, f)) {
    const char *at = strstr(line, before), *data = at ? strstr(at, after) : NULL;
    if (!data) continue;
    const char *end = strchr(data + strlen(after), '\'');
    if (strcmp(after, "d='") == 0 && (!end || end[-3] != 'Z')) continue;
    ck_assert_uint_lt(n, most);
    box[n++] = svg_around(data + strlen(after));
  }
  fclose(f);
  return n;
}

/* Asserts that no bar of the picture extends beyond its frame. */
static inline void svg_look_at(const char *path) {
  enum { BOXES = 600 };
  static svg_box_t frame[BOXES], bar[BOXES];
  unsigned frames = svg_boxes(path, "<path stroke='black'", "d='", frame, BOXES), seen = 0;
  unsigned bars = svg_boxes(path, "<polygon", "points = '", bar, BOXES);
  ck_assert_msg(frames > 0, "%s: no frame", path);
  for (unsigned i = 0; i < frames; i++)
    for (unsigned k = 0; k < bars; k++) {
      const svg_box_t *in = &frame[i], *b = &bar[k];
      if (b->bottom < in->top + 1 || b->top > in->bottom) continue; /* the key, another row */
      seen++;
      ck_assert_msg(b->top > in->top + 1 && b->left > in->left && b->right < in->right,
                    "%s: the bar at %g reaches %g; its frame's top is %g", path, b->left, b->top,
                    in->top);
    }
  ck_assert_msg(seen > 0, "%s: no bar in a frame", path);
}

#endif
