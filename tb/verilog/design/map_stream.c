/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/design/map_stream.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void blanks(const char **at) {
  *at += strspn(*at, " \t");
}

static bool word(const char **at, char text[MAP_NAME]) {
  size_t n = 0;
  blanks(at);
  while (isalnum((unsigned char)(*at)[n]) || (*at)[n] == '_') n++;
  if (n == 0 || n >= MAP_NAME) return false;
  memcpy(text, *at, n);
  text[n] = '\0';
  *at += n;
  blanks(at);
  return true;
}

static int take_latency(map_statement_t *s, const char **at, mrpb_err_t *err) {
  char text[MAP_NAME] = "", *end;
  if (!word(at, text)) return mrpb_fail(err, "the latency is missing");
  s->latency = strcmp(text, "free") == 0       ? MAP_LATENCY_FREE
               : strcmp(text, "measured") == 0 ? MAP_LATENCY_MEASURED
                                               : strtoul(text, &end, 10);
  if (s->latency == MAP_LATENCY_FREE || s->latency == MAP_LATENCY_MEASURED) return 0;
  if (*end || !isdigit((unsigned char)*text) || s->latency > MAP_LATENCY_MOST)
    return mrpb_fail(err, "latency=%.40s", text);
  return 0;
}

static int take_value(expr_pool_t *pool, map_statement_t *s, const char *key, const char **at,
                      mrpb_err_t *err) {
  const struct {
    const char *key;
    const expr_t **to;
  } values[] = {
      {"valid", &s->valid}, {"ready", &s->ready}, {"payload", &s->payload}, {"tag", &s->tag}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    if (strcmp(values[i].key, key) != 0) continue;
    if (*values[i].to) return mrpb_fail(err, "%s= again", key);
    return (*values[i].to = expr_parse(pool, at, err)) ? 0 : -1;
  }
  if (strcmp(key, "latency") == 0) return take_latency(s, at, err);
  if (strcmp(key, "of") != 0) return mrpb_fail(err, "'%.40s'", key);
  return word(at, s->of) ? 0 : mrpb_fail(err, "the stream of `of` is missing");
}

int map_stream(expr_pool_t *pool, map_statement_t *s, const char **at, mrpb_err_t *err) {
  char key[MAP_NAME];
  if (!word(at, s->name)) return mrpb_fail(err, "a name is missing");
  s->latency = MAP_LATENCY_FREE;
  while (word(at, key)) {
    if (**at != '=') return mrpb_fail(err, "'%.40s' without =", key);
    ++*at;
    blanks(at);
    if (take_value(pool, s, key, at, err) != 0) return -1;
    blanks(at);
  }
  return s->valid ? 0 : mrpb_fail(err, "valid= is missing");
}

int map_serve(expr_pool_t *pool, map_statement_t *s, const char **at, mrpb_err_t *err) {
  char when[MAP_NAME] = "";
  if (!word(at, s->name)) return mrpb_fail(err, "a name is missing");
  if (!word(at, when) || strcmp(when, "when") != 0) return mrpb_fail(err, "when is missing");
  return (s->valid = expr_parse(pool, at, err)) ? 0 : -1;
}

int map_serve_port(expr_pool_t *pool, map_statement_t *s, const char **at, mrpb_err_t *err) {
  blanks(at);
  if (**at != (s->to ? ',' : ':')) return 0;
  ++*at;
  blanks(at);
  if (!(s->to = expr_parse_path(pool, at, err))) return -1;
  blanks(at);
  if (**at != '=') return mrpb_fail(err, "= is missing");
  ++*at;
  return (s->from = expr_parse(pool, at, err)) ? 1 : -1;
}
