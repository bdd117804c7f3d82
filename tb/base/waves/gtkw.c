/* SPDX-License-Identifier: Apache-2.0 */
/* GTKWave save files; the format is the one of version 3.3 ("@" lines are trace flags). */
#include "base/waves/gtkw.h"

#include "base/input.h"
#include "base/memory_file.h"
#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A new window is about WAVE_FRAMES "frames" wide in the wave area. */
enum { TITLE_SIZE = 64, WAVE_FRAMES = 5, NAMED_MARKERS = 26 };

typedef struct {
  char title[TITLE_SIZE]; /* "" if it is not open */
  bool folded;
} group_t;

struct gtkw {
  FILE *final, *file; /* the file on disk; the groups, kept until the view is known */
  char *body;
  size_t size;
  char dump[OUTPUT_NAME];
  gtkw_view_t view;
  bool has_dump, has_view;
  char path[OUTPUT_NAME], temp[OUTPUT_NAME];
  group_t group, subgroup;
  const char *flags; /* the last flags line; NULL if it does not hold for the next signal */
};

/* Trace flags: a blank line whose text starts or ends a group, folded or not; binary, hexadecimal
 * and decimal signals. */
#define FLAG_GROUP_BEGIN "@800200"
#define FLAG_GROUP_END "@1000200"
#define FLAG_FOLDED_BEGIN "@c00200"
#define FLAG_FOLDED_END "@1401200"
#define FLAG_BIT "@28"
#define FLAG_HEX "@22"
#define FLAG_DECIMAL "@24"

/* GTKWave's zoom is minus the binary logarithm of the time of a frame (200 pixels), which is at
 * least 1; steps of a quarter suffice. */
static double zoom_of(uint64_t visible) {
  double zoom = 0, frame = 1;
  for (; frame * (double)WAVE_FRAMES < (double)visible; frame *= 1.189207115) zoom -= 0.25;
  return zoom;
}

static void put_view(FILE *f, const gtkw_view_t *view) {
  if (view->marked)
    fprintf(f, "*%.2f %" PRIu64 " %" PRIu64 " %" PRIu64, zoom_of(view->visible), view->marker,
            view->a, view->b);
  else
    fprintf(f, "*%.2f -1 -1 -1", zoom_of(view->visible));
  for (int i = 2; i < NAMED_MARKERS; i++) fputs(" -1", f);
  fputc('\n', f);
}

static void put_head(const gtkw_t *g) {
  FILE *f = g->final;
  /* With the save file's own name GTKWave can find the dump from any folder. */
  const char *slash = strrchr(g->path, '/');
  if (g->has_dump)
    fprintf(f, "[dumpfile] \"%s\"\n[savefile] \"%s\"\n", g->dump, slash ? slash + 1 : g->path);
  fprintf(f, "[timestart] %" PRIu64 "\n[size] 1600 1000\n[pos] -1 -1\n",
          g->has_view ? g->view.start : 0);
  if (g->has_view) put_view(f, &g->view);
  fputs("[sst_width] 220\n[signals_width] 300\n[sst_expanded] 1\n[sst_vpaned_height] 300\n", f);
}

void gtkw_set_view(gtkw_t *g, const gtkw_view_t *view) {
  g->view = *view;
  g->has_view = true;
}

int gtkw_open(gtkw_t **out, const char *path, const char *dump, const gtkw_view_t *view,
              mrpb_err_t *err) {
  *out = NULL;
  gtkw_t *g = calloc(1, sizeof *g);
  if (!g) return mrpb_fail(err, "%s: out of memory", path);
  if (output_temp(path, g->temp, err) != 0) {
    free(g);
    return -1;
  }
  snprintf(g->path, sizeof g->path, "%s", path);
  if (dump) snprintf(g->dump, sizeof g->dump, "%s", dump);
  g->has_dump = dump != NULL;
  if (view) gtkw_set_view(g, view);
  g->final = fopen(g->temp, "w");
  g->file = g->final ? memory_file(&g->body, &g->size) : NULL;
  if (!g->file) {
    mrpb_fail(err, "%s: cannot write the save file: %s", path, strerror(errno));
    if (g->final) {
      fclose(g->final);
      output_discard(g->path, g->temp);
    }
    free(g);
    return -1;
  }
  *out = g;
  return 0;
}

static void begin(gtkw_t *g, group_t *group, const char *title, bool folded) {
  snprintf(group->title, sizeof group->title, "%s", title);
  group->folded = folded;
  g->flags = NULL;
  fprintf(g->file, "%s\n-%s\n", folded ? FLAG_FOLDED_BEGIN : FLAG_GROUP_BEGIN, group->title);
}

static void end(gtkw_t *g, group_t *group) {
  if (group->title[0] == '\0') return;
  fprintf(g->file, "%s\n-%s\n", group->folded ? FLAG_FOLDED_END : FLAG_GROUP_END, group->title);
  group->title[0] = '\0';
  g->flags = NULL;
}

void gtkw_group(gtkw_t *g, const char *title, int folded) {
  end(g, &g->subgroup);
  end(g, &g->group);
  begin(g, &g->group, title, folded != 0);
}

void gtkw_subgroup(gtkw_t *g, const char *title) {
  end(g, &g->subgroup);
  if (title) begin(g, &g->subgroup, title, true);
}

static void put_name(FILE *f, const char *name, unsigned width) {
  if (width == 1)
    fputs(name, f);
  else
    fprintf(f, "%s[%u:0]", name, width - 1);
}

/* `shown`: NULL for its own name. */
static void put(gtkw_t *g, const char *flags, const char *name, const char *shown, unsigned width,
                gtkw_colour_t colour) {
  if (!g->flags || strcmp(g->flags, flags) != 0) fprintf(g->file, "%s\n", flags);
  g->flags = flags;
  if (colour != GTKW_PLAIN) fprintf(g->file, "[color] %d\n", (int)colour);
  if (shown) {
    fputs("+{", g->file);
    put_name(g->file, shown, width);
    fputs("} ", g->file);
  }
  put_name(g->file, name, width);
  fputc('\n', g->file);
}

void gtkw_named(gtkw_t *g, const char *name, const char *shown, unsigned width,
                gtkw_colour_t colour) {
  put(g, width == 1 ? FLAG_BIT : FLAG_HEX, name, shown, width, colour);
}

static void gtkw_coloured(gtkw_t *g, const char *name, unsigned width, gtkw_colour_t colour) {
  gtkw_named(g, name, NULL, width, colour);
}

void gtkw_number(gtkw_t *g, const char *name, unsigned width) {
  put(g, FLAG_DECIMAL, name, NULL, width, GTKW_PLAIN);
}

void gtkw_signal(gtkw_t *g, const char *name, unsigned width) {
  gtkw_coloured(g, name, width, GTKW_PLAIN);
}

/* True for a file saved from GTKWave's menu, which begins with its name as a comment. */
static bool is_users(const char *path) {
  char head[64] = "";
  FILE *f = input_open(path, NULL);
  if (!f) return false;
  head[fread(head, 1, sizeof head - 1, f)] = '\0';
  fclose(f);
  return strstr(head, "GTKWave Analyzer") != NULL;
}

/* Discards what is on disk and in memory. */
static void give_up(gtkw_t *g) {
  if (g->file) fclose(g->file);
  if (g->final) fclose(g->final);
  free(g->body);
  g->file = g->final = NULL;
  g->body = NULL;
}

void gtkw_discard(gtkw_t *g) {
  if (!g) return;
  give_up(g);
  output_discard(g->path, g->temp);
  free(g);
}

int gtkw_finish(gtkw_t *g, mrpb_err_t *err) {
  end(g, &g->subgroup);
  end(g, &g->group);
  errno = 0;
  bool bad = ferror(g->file) != 0;
  if (fclose(g->file) != 0) bad = true;
  g->file = NULL;
  if (!bad) put_head(g);
  bad = bad || fwrite(g->body, 1, g->size, g->final) != g->size;
  if (fclose(g->final) != 0) bad = true;
  g->final = NULL;
  if (!bad) return 0;
  return mrpb_fail(err, "%s: cannot write the save file: %s", g->path,
                   strerror(errno ? errno : ENOMEM));
}

int gtkw_close(gtkw_t *g, mrpb_err_t *err) {
  if (!g) return 0;
  int rc = g->file ? gtkw_finish(g, err) : 0;
  if (rc == 0 && is_users(g->path)) rc = GTKW_KEPT;
  if (rc == 0)
    rc = output_commit(g->path, g->temp, err);
  else
    output_discard(g->path, g->temp);
  give_up(g);
  free(g);
  return rc;
}
