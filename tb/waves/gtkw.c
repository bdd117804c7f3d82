/* GTKWave save files; the format is the one of version 3.3 ("@" lines are trace flags). */
#include "waves/gtkw.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_ = 512, TITLE_MAX_ = 64 };

struct gtkw {
  FILE *file;
  char path[PATH_MAX_];
  char group[TITLE_MAX_]; /* the open group's title, "" outside groups */
  bool folded;
};

/* Trace flags: blank line text that starts or ends a group, folded or not; binary and hexadecimal
 * signals. */
#define FLAG_GROUP_BEGIN "@800200"
#define FLAG_GROUP_END "@1000200"
#define FLAG_FOLDED_BEGIN "@c00200"
#define FLAG_FOLDED_END "@1401200"
#define FLAG_BIT "@28"
#define FLAG_HEX "@22"

int gtkw_open(gtkw_t **out, const char *path, const char *dump, mrpb_err_t *err) {
  *out = NULL;
  gtkw_t *g = calloc(1, sizeof *g);
  if (!g) return mrpb_fail(err, "%s: out of memory", path);
  snprintf(g->path, sizeof g->path, "%s", path);
  g->file = fopen(path, "w");
  if (!g->file) {
    free(g);
    return mrpb_fail(err, "%s: cannot write the save file: %s", path, strerror(errno));
  }
  if (dump) fprintf(g->file, "[dumpfile] \"%s\"\n", dump);
  fputs("[timestart] 0\n[size] 1600 1000\n[pos] -1 -1\n[sst_width] 220\n[signals_width] 300\n"
        "[sst_expanded] 1\n[sst_vpaned_height] 300\n",
        g->file);
  *out = g;
  return 0;
}

static void end_group(gtkw_t *g) {
  if (g->group[0] == '\0') return;
  fprintf(g->file, "%s\n-%s\n", g->folded ? FLAG_FOLDED_END : FLAG_GROUP_END, g->group);
  g->group[0] = '\0';
}

void gtkw_group(gtkw_t *g, const char *title, int folded) {
  end_group(g);
  snprintf(g->group, sizeof g->group, "%s", title);
  g->folded = folded != 0;
  fprintf(g->file, "%s\n-%s\n", folded ? FLAG_FOLDED_BEGIN : FLAG_GROUP_BEGIN, title);
}

void gtkw_signal(gtkw_t *g, const char *name, unsigned width) {
  if (width == 1)
    fprintf(g->file, FLAG_BIT "\n%s\n", name);
  else
    fprintf(g->file, FLAG_HEX "\n%s[%u:0]\n", name, width - 1);
}

int gtkw_close(gtkw_t *g, mrpb_err_t *err) {
  if (!g) return 0;
  end_group(g);
  bool bad = ferror(g->file) != 0;
  if (fclose(g->file) != 0) bad = true;
  int rc = bad ? mrpb_fail(err, "%s: cannot write the save file: %s", g->path, strerror(errno)) : 0;
  free(g);
  return rc;
}
