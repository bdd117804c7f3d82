/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/synth_source.h"

#include <stdio.h>
#include <string.h>

synth_source_t synth_source_module(const module_class_t *cls) {
  return (synth_source_t){
      .name = cls->stem, .top = cls->stem, .clock = {"clk_i"}, .n_clocks = cls->n_regs > 0};
}

void synth_source_clock(const synth_source_t *s, char *text, size_t size) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  size_t n = 0;
  bool braces = s->n_clocks != 1 || strspn(s->clock[0], plain) != strlen(s->clock[0]);
  text[0] = '\0';
  for (unsigned i = 0; i < s->n_clocks && n < size; i++)
    n += (size_t)snprintf(text + n, size - n, "%s%s", i ? " " : braces ? "{" : "", s->clock[i]);
  if (n < size) snprintf(text + n, size - n, "%s", braces ? n ? "}" : "{}" : "");
}
