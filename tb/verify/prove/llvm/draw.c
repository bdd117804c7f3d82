/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/draw.h"

#include "bits.h"

#include <string.h>

uint64_t draw_value(prng_t *p, unsigned width) {
  const uint64_t most = bits_mask(width);
  switch (prng_below(p, 8)) {
  case 0:
    return 0;
  case 1:
    return most;
  case 2:
    return UINT64_C(1) << (width - 1);
  case 3:
    return UINT64_C(1) << prng_below(p, width);
  case 4:
    return prng_below(p, 6) & most;
  default:
    return prng_next(p) & most;
  }
}

/* Resets are rare, except in one phase of eight, in which they are as likely as not. */
static void next_phase(draw_t *d, const module_port_t *port, unsigned n) {
  static const unsigned often[] = {60, 300, 500, 800, 950, 1000};
  d->left = 8 + prng_below(&d->prng, 120);
  for (unsigned i = 0; i < n; i++)
    d->permille[i] = strcmp(port[i].name, "srst_ni") != 0 ? often[prng_below(&d->prng, 6)]
                     : prng_below(&d->prng, 8) == 0       ? 500
                                                          : 995;
}

void draw_inputs(draw_t *d, const module_port_t *port, unsigned n, uint64_t *words) {
  if (d->left-- == 0) next_phase(d, port, n);
  for (unsigned i = 0; i < n; i++) {
    uint64_t *w = words + port[i].word;
    if (port[i].width == 1) {
      *w = prng_chance(&d->prng, d->permille[i]);
    } else if (!prng_chance(&d->prng, 200)) { /* otherwise the value of the last cycle is kept */
      for (unsigned from = 0; from < port[i].width; from += 64)
        *w++ = draw_value(&d->prng, port[i].width - from < 64 ? port[i].width - from : 64);
    }
  }
}
