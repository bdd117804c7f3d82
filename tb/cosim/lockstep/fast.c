/* SPDX-License-Identifier: Apache-2.0 */
/* Calls the views and picks their cycles. */
#include "cosim/lockstep/fast.h"

#include "prng.h"

#include <stdlib.h>

static const uint64_t untouched = UINT64_C(0x5a5a5a5a5a5a5a5a);

int fast_open(fast_t *f, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
              mrpb_err_t *err) {
  *f = (fast_t){.cls = cls, .step = module_step(cls), .pick = seed};
  f->room = (cls->out_words + 63) / 64;
  f->words = calloc(cls->n_fast * f->room + 1, sizeof *f->words);
  f->out = calloc(cls->out_words, sizeof *f->out);
  if (!f->words || !f->out) return mrpb_fail(err, "%s: out of memory", cls->stem);
  for (unsigned i = 0; i < cls->n_fast; i++)
    if (cls->fast[i].view &&
        module_view_words(cls, cfg, &cls->fast[i], f->words + i * f->room, err) != 0)
      return -1;
  return 0;
}

void fast_close(fast_t *f) {
  free(f->words);
  free(f->out);
  f->words = f->out = NULL;
}

bool fast_picked(const fast_t *f, uint64_t cycle) {
  uint64_t x = f->pick + cycle;
  return (prng_splitmix(&x) & 3) == 0;
}

static bool is_own(const uint64_t *words, unsigned w) {
  return words[w / 64] >> w % 64 & 1;
}

static bool view_agrees(fast_t *f, const module_fast_t *view, const uint64_t *words,
                        const void *model, const uint64_t *in, const uint64_t *rtl) {
  uint64_t differ = 0;
  for (unsigned w = 0; w < f->cls->out_words; w++) f->out[w] = untouched;
  view->view(model, in, f->out);
  for (unsigned w = 0; w < f->cls->out_words; w++)
    differ |= f->out[w] ^ (is_own(words, w) ? rtl[w] : untouched);
  return differ == 0;
}

const module_fast_t *fast_views(fast_t *f, const void *model, const uint64_t *in,
                                const uint64_t *rtl, bool *scribbles) {
  for (unsigned i = 0; i < f->cls->n_fast; i++) {
    const module_fast_t *view = &f->cls->fast[i];
    const uint64_t *words = f->words + i * f->room;
    if (!view->view || view_agrees(f, view, words, model, in, rtl)) continue;
    *scribbles = false;
    for (unsigned w = 0; w < f->cls->out_words; w++) {
      if (is_own(words, w)) continue;
      *scribbles = *scribbles || f->out[w] != untouched;
      f->out[w] = rtl[w];
    }
    return view;
  }
  return NULL;
}
