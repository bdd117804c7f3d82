/* SPDX-License-Identifier: Apache-2.0 */
/* Plots: the exact bytes of the CSV, an SVG with every series and mark, complete files or none. */
#include "base/output.h"
#include "studies/micro/plots/plot.h"
#include "studies/micro/deduce/spikes.h"
#include "micro_help.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A new folder; the pictures stay in $MICRO_PLOT_DIR if that is set. */
typedef struct {
  char dir[200];
  bool keep;
} folder_t;

static folder_t folder(void) {
  folder_t f = {.keep = getenv("MICRO_PLOT_DIR") != NULL};
  snprintf(f.dir, sizeof f.dir, "%s",
           f.keep ? getenv("MICRO_PLOT_DIR") : "build/tmp/micro_plot_XXXXXX");
  if (!f.keep) ck_assert_ptr_nonnull(mkdtemp(f.dir));
  return f;
}

/* The text of DIR/NAME, "" if it is not there; gone afterwards. */
static char *take(const folder_t *d, const char *name) {
  char path[300], *text = calloc(1, 1 << 20);
  snprintf(path, sizeof path, "%s/%s", d->dir, name);
  FILE *f = fopen(path, "r");
  if (f) {
    ck_assert_uint_lt(fread(text, 1, (1 << 20) - 1, f), (1 << 20) - 1);
    fclose(f);
    if (!d->keep) unlink(path);
  }
  return text;
}

static void leave(const folder_t *d) {
  if (!d->keep) ck_assert_int_eq(rmdir(d->dir), 0); /* nothing unfinished is left */
}

static void label(micro_plot_t *p, const char *title, const char *x, const char *y) {
  snprintf(p->title, sizeof p->title, "%s", title);
  snprintf(p->xlabel, sizeof p->xlabel, "%s", x);
  snprintf(p->ylabel, sizeof p->ylabel, "%s", y);
}

static void ck_svg(const char *svg, const char *const *words) {
  ck_assert_msg(strstr(svg, "</svg>"), "no SVG");
  for (; *words; words++) ck_assert_msg(strstr(svg, *words), "'%s' is not in the SVG", *words);
}

START_TEST(thread_latency) {
  uint32_t threads[IDEAL_POINTS];
  double latency[IDEAL_POINTS], variance[IDEAL_POINTS];
  micro_ideal_t m = {.loads = 1, .lanes = 1, .lines = 128, .gap = 3, .latency = 600};
  micro_ideal_curve(&m, threads, latency);
  micro_variance(latency, IDEAL_POINTS, variance);
  micro_plot_t p = {0};
  label(&p, "Thread-Latency \"N = 1\"", "threads", "latency [cycles]");
  snprintf(p.y2label, sizeof p.y2label, "variance of three points [cycles^2]");
  p.log_y2 = true;
  size_t a = micro_plot_series(&p, "latency", MICRO_LINES, false);
  size_t b = micro_plot_series(&p, "variance", MICRO_IMPULSES, true);
  for (unsigned i = 0; i < IDEAL_POINTS; i++) {
    micro_series_add(&p, a, threads[i], latency[i]);
    micro_series_add(&p, b, threads[i], variance[i]);
  }
  micro_plot_mark(&p, "deduced 128", 128, false, false);
  micro_plot_mark(&p, "published 128", 128, false, true);
  folder_t d = folder();
  mrpb_err_t err = {{0}};
  ck_assert_msg(micro_plot_write(&p, d.dir, "tl", &err) == 0, "%s", err.text);
  char *csv = take(&d, "tl.csv"), *svg = take(&d, "tl.svg");
  ck_assert_int_eq(
      strncmp(csv, "series,\"threads\",value\n\"latency\",2,603\n\"latency\",4,609\n", 55), 0);
  ck_svg(svg, (const char *const[]){"deduced 128", "published 128", "latency [cycles]", "threads",
                                    "variance of three points [cycles^2]", NULL});
  free(csv);
  free(svg);
  leave(&d);
  micro_plot_free(&p);
}
END_TEST

/* Latency against footprint, three sizes of cache, both axes logarithmic; all other styles. */
START_TEST(footprint) {
  micro_plot_t p = {.log_x = true, .log_y = true};
  label(&p, "P-chase", "footprint [bytes]", "latency [cycles]");
  static const micro_style_t style[] = {MICRO_STEPS, MICRO_POINTS, MICRO_LINESPOINTS};
  for (unsigned s = 0; s < 3; s++) {
    char name[40];
    snprintf(name, sizeof name, "stride %u", 64 << s);
    size_t i = micro_plot_series(&p, name, style[s], false);
    for (unsigned n = 0; n <= 40960; n += 512)
      micro_series_add(&p, i, n,
                       56 + 9 * s + (n > 2048 ? 73 : 0) + (n > 8192 ? 139 : 0) +
                           (n > 32768 ? 256 : 0));
  }
  micro_plot_mark(&p, "L1 2 KB", 2048, false, false);
  micro_plot_mark(&p, "L2 8 KB", 8192, false, false);
  micro_plot_mark(&p, "published L3 32 KB", 32768, false, true);
  micro_plot_mark(&p, "published 268", 268, true, true);
  folder_t d = folder();
  mrpb_err_t err = {{0}};
  ck_assert_msg(micro_plot_write(&p, d.dir, "footprint", &err) == 0, "%s", err.text);
  char *csv = take(&d, "footprint.csv"), *svg = take(&d, "footprint.svg");
  ck_assert_ptr_nonnull(strstr(csv, "\"stride 64\",0,56\n")); /* not drawn, but in the data */
  ck_svg(svg, (const char *const[]){"stride 64", "stride 256", "L1 2 KB", "published 268",
                                    "not on these axes:", "1 of stride 64, 1 of stride 128", NULL});
  free(csv);
  free(svg);
  leave(&d);
  micro_plot_free(&p);
}
END_TEST

START_TEST(timeline) {
  micro_plot_t p = {0};
  label(&p, "32-way divergent warps", "time [cycles]", "thread");
  for (unsigned i = 0; i < 32; i++) {
    micro_plot_bar(&p, i, 100.0 * (31 - i), 100.0 * (32 - i), 0);
    micro_plot_bar(&p, i, 100.0 * (31 - i) + 40, 100.0 * (31 - i) + 70, 1);
  }
  folder_t d = folder();
  mrpb_err_t err = {{0}};
  ck_assert_msg(micro_timeline_write(&p, d.dir, "timeline", &err) == 0, "%s", err.text);
  char *csv = take(&d, "timeline.csv"), *svg = take(&d, "timeline.svg");
  ck_assert_int_eq(strncmp(csv, "row,t0,t1,colour\n0,3100,3200,0\n0,3140,3170,1\n", 45), 0);
  ck_svg(svg, (const char *const[]){"time [cycles]", "thread", NULL});
  free(csv);
  free(svg);
  leave(&d);
  micro_plot_free(&p);
}
END_TEST

/* A single point, a constant, text that gnuplot would read. */
START_TEST(odd_data) {
  micro_plot_t p = {0};
  label(&p, "50% of \"it\" \\ 'all'; quit", "x", "y");
  size_t i = micro_plot_series(&p, "a_b^c \"d\"", MICRO_LINES, false);
  micro_plot_series(&p, "empty", MICRO_LINES, false);
  micro_series_add(&p, i, 5, 5);
  folder_t d = folder();
  mrpb_err_t err = {{0}};
  ck_assert_msg(micro_plot_write(&p, d.dir, "odd", &err) == 0, "%s", err.text);
  char *csv = take(&d, "odd.csv"), *svg = take(&d, "odd.svg");
  ck_assert_str_eq(csv, "series,\"x\",value\n\"a_b^c \"\"d\"\"\",5,5\n");
  ck_svg(svg, (const char *const[]){"a_b^c", NULL});
  free(csv);
  free(svg);
  leave(&d);
  micro_plot_free(&p);
}
END_TEST

/* Far from 0 and close together: six digits would put the axes' ends among the values. */
START_TEST(far_and_narrow) {
  micro_plot_t p = {0};
  label(&p, "narrow", "x", "y");
  size_t i = micro_plot_series(&p, "s", MICRO_POINTS, false);
  for (unsigned k = 0; k < 4; k++) micro_series_add(&p, i, 4e9 + k, -4e9 - k);
  folder_t d = folder();
  mrpb_err_t err = {{0}};
  ck_assert_msg(micro_plot_write(&p, d.dir, "narrow", &err) == 0, "%s", err.text);
  char *csv = take(&d, "narrow.csv"), *svg = take(&d, "narrow.svg");
  unsigned points = 0;
  for (const char *at = svg; (at = strstr(at, "xlink:href='#gpPt6'")) != NULL; at++) points++;
  ck_assert_uint_eq(points, 5); /* one of them is the key's */
  free(csv);
  free(svg);
  leave(&d);
  micro_plot_free(&p);
}
END_TEST

static void ck_refused(const micro_plot_t *p, const char *dir, const char *why) {
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(micro_plot_write(p, dir, "p", &err), -1);
  ck_assert_msg(strstr(err.text, why), "%s", err.text);
}

START_TEST(errors) {
  micro_plot_t p = {0};
  folder_t d = folder();
  label(&p, "t", "x", "");
  ck_refused(&p, d.dir, "plot p: an axis has no label; legal: quantity and unit");
  label(&p, "t", "x", "y");
  ck_refused(&p, d.dir, "plot p: nothing to draw");
  size_t i = micro_plot_series(&p, "s", MICRO_LINES, true);
  micro_series_add(&p, i, 1, 1);
  ck_refused(&p, d.dir, "an axis has no label");
  p.series[i].on_right = false;
  ck_refused(&p, "/dev/null/x", "legal: a folder that can be written");
  p.failed = true;
  ck_refused(&p, d.dir, "plot p: out of memory for its data");
  leave(&d);
  micro_plot_free(&p);
}
END_TEST

Suite *test_micro_plot_suite(void);

Suite *test_micro_plot_suite(void) {
  Suite *s = suite_create("micro_plot");
  TCase *t = tcase_create("plot");
  tcase_set_timeout(t, 60); /* gnuplot is slow to start */
  tcase_add_test(t, thread_latency);
  tcase_add_test(t, footprint);
  tcase_add_test(t, timeline);
  tcase_add_test(t, odd_data);
  tcase_add_test(t, far_and_narrow);
  tcase_add_test(t, errors);
  suite_add_tcase(s, t);
  return s;
}
