/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page: the files of page/ with style, library, document and scripts filled in. */
#include "studies/report/parts.h"

#include "base/files.h"
#include "base/home.h"
#include "base/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "tb/studies/report/page";
static const char *const scripts[] = {"plot.js",     "figures.js", "overview.js",
                                      "sweeps.js",   "others.js",  "runs.js",
                                      "findings.js", "compare.js", "page.js"};

typedef struct {
  json_t *document;
  const char *d3;
  char root[FILES_PATH];
  FILE *f;
} page_t;

/* Refuses a file with text that would end the element around it. */
static int copy_file(const page_t *p, const char *path, mrpb_err_t *err) {
  char *text = files_read(path, NULL);
  if (!text) return mrpb_fail(err, "%s: %s", path, strerror(errno));
  int rc = 0;
  if (strstr(text, "</script") || strstr(text, "</style"))
    rc = mrpb_fail(err, "%s: </script or </style; legal: a script or a style alone", path);
  else
    fputs(text, p->f);
  free(text);
  return rc;
}

static int copy_own(const page_t *p, const char *name, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (!files_path(path, "%s/%s/%s", p->root, folder, name))
    return mrpb_fail(err, "%s: legal: a shorter path", p->root);
  return copy_file(p, path, err);
}

/* JSON inside an HTML element must not contain "<", so that character is escaped. */
static int put_document(const page_t *p, mrpb_err_t *err) {
  char *text = json_out_text(p->document, JSON_COMPACT | JSON_REAL_PRECISION(10));
  if (!text) return mrpb_fail(err, "out of memory for the report");
  for (const char *at = text; *at; at++) {
    if (*at == '<')
      fputs("\\u003c", p->f);
    else
      fputc(*at, p->f);
  }
  free(text);
  return 0;
}

static int put(const page_t *p, const char *what, mrpb_err_t *err) {
  if (strcmp(what, "style") == 0) return copy_own(p, "page.css", err);
  if (strcmp(what, "d3") == 0) return copy_file(p, p->d3, err);
  if (strcmp(what, "document") == 0) return put_document(p, err);
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
    if (copy_own(p, scripts[i], err) != 0) return -1;
  return 0;
}

/* page.html marks each place to fill as "@{WHAT}". */
static int fill(const page_t *p, char *text, mrpb_err_t *err) {
  for (char *at = text, *place, *end; at; at = end + 1) {
    place = strstr(at, "@{");
    end = place ? strchr(place, '}') : NULL;
    if (!end) return fputs(at, p->f), 0;
    *place = *end = '\0';
    fputs(at, p->f);
    if (put(p, place + 2, err) != 0) return -1;
  }
  return 0;
}

int report_page(json_t *document, const char *d3, const char *path, mrpb_err_t *err) {
  page_t p = {.document = document, .d3 = d3};
  char temp[OUTPUT_NAME], html[FILES_PATH];
  if (home_find(p.root, err) != 0) return -1;
  if (!files_path(html, "%s/%s/page.html", p.root, folder))
    return mrpb_fail(err, "%s: legal: a shorter path", p.root);
  char *text = files_read(html, NULL);
  if (!text) return mrpb_fail(err, "%s: %s", html, strerror(errno));
  p.f = output_open(path, temp, err);
  int rc = p.f ? fill(&p, text, err) : -1;
  free(text);
  if (!p.f) return -1;
  if (rc == 0) return output_close(p.f, false, path, temp, err);
  fclose(p.f);
  output_discard(path, temp);
  return -1;
}
