/* SPDX-License-Identifier: Apache-2.0 */
/* The two memories that are compared. See beside.h.
 *
 * The GPU has the image's bytes at the image's addresses. Only the texts' own variables are where
 * the driver has placed them: they are copied there, and back to their place in the image. The
 * addresses of functions and variables that their initial values name are the GPU's own there: a
 * table of functions holds the GPU's addresses of them on the GPU, ours in the image. */
#include "workload/silicon/beside_state.h"

#include "base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20 };

/* ---- variables and textures --------------------------------------------------------- */

/* A texture does not state its end, so everything allocated behind its start is readable. */
static int bind_texture(const beside_t *x, card_module_t *in, const ptx_variable_t *v,
                        mrpb_err_t *err) {
  const uint64_t end = memory_end(x->view.memory), most = UINT64_C(1) << 29;
  if (!v->as_float && !v->as_int) return 0; /* no kernel reads it */
  if (v->as_float && v->as_int)
    return mrpb_fail(err, "GPU: texture %.80s is read as .f32 and as integers; legal: one of them",
                     v->name);
  if (v->by_coordinate)
    return mrpb_fail(
        err,
        "GPU: texture %.80s is read by coordinates of .f32, which a GPU supports for arrays "
        "only; legal: .s32",
        v->name);
  const uint64_t bytes = end - v->address < most ? end - v->address : most;
  return card_texture(in, v->name, v->address, bytes, v->as_float, err);
}

/* The compiler may omit a variable that no kernel of the text uses. */
static int bind(beside_t *x, unsigned text, unsigned i, mrpb_err_t *err) {
  const ptx_variable_t *v = ptx_variable(x->view.module, i);
  mrpb_err_t why = {{0}};
  if (v->texture) return bind_texture(x, x->module[text], v, err);
  if (v->bytes == 0 || (v->space != PTX_GLOBAL && v->space != PTX_CONST)) return 0;
  x->place[i] = card_variable(x->module[text], v->name, v->bytes, &why);
  return x->place[i] || !v->used ? 0 : mrpb_fail(err, "%s", why.text);
}

/* Reads the GPU's own value of each initial address before anything is copied there. */
static int bind_words(beside_t *x, mrpb_err_t *err) {
  ptx_reference_t r;
  for (unsigned i = 0; ptx_reference(x->view.module, i, &r); i++) {
    if (!x->place[r.in]) continue;
    beside_word_t *to = grow(x->word, x->n_words + 1, &x->words_room, sizeof *x->word);
    if (!to) return mrpb_fail(err, "GPU: out of memory");
    x->word = to;
    to += x->n_words++;
    *to = (beside_word_t){
        .in = r.in, .at = r.at, .ours = ptx_referred(x->view.module, &r), .bytes = r.bytes};
    if (r.bytes < sizeof to->ours) to->ours &= UINT32_MAX;
    if (card_read(x->card, &to->theirs, x->place[r.in] + r.at, r.bytes, err) != 0) return -1;
  }
  return 0;
}

int beside_bind(beside_t *x, mrpb_err_t *err) {
  ptx_text_t text;
  for (unsigned t = 0; ptx_text(x->view.module, t, &text); t++)
    for (unsigned i = 0; i < text.n_variables; i++)
      if (bind(x, t, text.first_variable + i, err) != 0) return -1;
  return bind_words(x, err);
}

/* ---- to the GPU ---------------------------------------------------------------------- */

static const uint8_t *image(const beside_t *x) {
  return memory_at(x->view.memory, x->begin, memory_end(x->view.memory) - x->begin);
}

/* The words of variable `i`, at `ours` in the image, that still have their initial addresses get the
 * GPU's. */
static int upload_words(beside_t *x, unsigned i, const uint8_t *ours, mrpb_err_t *err) {
  for (size_t k = 0; k < x->n_words; k++) {
    const beside_word_t *w = &x->word[k];
    if (w->in != i || memcmp(ours + w->at, &w->ours, w->bytes) != 0) continue;
    if (card_write(x->card, x->place[i] + w->at, &w->theirs, w->bytes, err) != 0) return -1;
  }
  return 0;
}

/* The reverse, for a variable that was read back to `to`. */
static void download_words(const beside_t *x, unsigned i, uint8_t *to) {
  for (size_t k = 0; k < x->n_words; k++) {
    const beside_word_t *w = &x->word[k];
    if (w->in == i && memcmp(to + w->at, &w->theirs, w->bytes) == 0)
      memcpy(to + w->at, &w->ours, w->bytes);
  }
}

static int upload_variables(beside_t *x, mrpb_err_t *err) {
  const uint8_t *constant = memory_const(x->view.memory);
  for (unsigned i = 0; i < ptx_variables(x->view.module); i++) {
    const ptx_variable_t *v = ptx_variable(x->view.module, i);
    if (!x->place[i]) continue;
    const bool is_const = v->space == PTX_CONST;
    const uint64_t at = is_const ? v->address : v->address - x->begin;
    const uint8_t *from = (is_const ? constant : image(x)) + at;
    if (x->begun && memcmp(from, (is_const ? x->constant : x->known) + at, v->bytes) == 0) continue;
    if (card_write(x->card, x->place[i], from, v->bytes, err) != 0) return -1;
    if (upload_words(x, i, from, err) != 0) return -1;
  }
  memcpy(x->constant, constant, sizeof x->constant);
  return 0;
}

int beside_upload(beside_t *x, mrpb_err_t *err) {
  const uint64_t end = memory_end(x->view.memory), bytes = end - x->begin;
  const uint8_t *from = image(x);
  uint8_t *known = realloc(x->known, bytes + 1);
  if (!known) return mrpb_fail(err, "GPU: no %" PRIu64 " bytes of the host's memory", bytes);
  x->known = known;
  if (x->begin < MEMORY_BASE && card_map_front(x->card, err) != 0) return -1;
  if (card_map(x->card, end - MEMORY_BASE, err) != 0 || upload_variables(x, err) != 0) return -1;
  for (uint64_t at = 0; at < bytes; at += PIECE) {
    const uint64_t n = bytes - at < PIECE ? bytes - at : PIECE;
    if (at + n <= x->known_bytes && memcmp(known + at, from + at, n) == 0) continue;
    if (card_write(x->card, x->begin + at, from + at, n, err) != 0) return -1;
    memcpy(known + at, from + at, n);
  }
  x->known_bytes = bytes;
  x->begun = true;
  return 0;
}

/* ---- back from the GPU, and comparison ------------------------------------------------ */

static int download(beside_t *x, mrpb_err_t *err) {
  if (card_read(x->card, x->known, x->begin, x->known_bytes, err) != 0) return -1;
  for (unsigned i = 0; i < ptx_variables(x->view.module); i++) {
    const ptx_variable_t *v = ptx_variable(x->view.module, i);
    if (!x->place[i] || v->space != PTX_GLOBAL) continue;
    uint8_t *to = x->known + (v->address - x->begin);
    if (card_read(x->card, to, x->place[i], v->bytes, err) != 0) return -1;
    download_words(x, i, to);
  }
  return 0;
}

/* What the byte at `addr` belongs to: a variable, or the argument with the largest address that is
 * not above it. */
static void name_of(const beside_t *x, uint64_t addr, char *to, size_t n) {
  const simt_launch_t *l = x->view.launch;
  const ptx_param_t *best = NULL;
  uint64_t from = 0;
  for (unsigned i = 0; i < ptx_variables(x->view.module); i++) {
    const ptx_variable_t *v = ptx_variable(x->view.module, i);
    if (v->space != PTX_GLOBAL || v->texture || addr - v->address >= v->bytes) continue;
    snprintf(to, n, ", %.80s + %" PRIu64, v->name, addr - v->address);
    return;
  }
  for (unsigned i = 0; i < l->kernel->n_params; i++) {
    const ptx_param_t *p = &l->kernel->params[i];
    uint64_t value = 0;
    if (p->bytes > sizeof value || p->offset + p->bytes > sizeof l->params) continue;
    memcpy(&value, l->params + p->offset, p->bytes);
    if (value < MEMORY_BASE || value > addr || value < from) continue;
    from = value;
    best = p;
  }
  if (best) snprintf(to, n, ", %.80s + %" PRIu64, best->name, addr - from);
}

/* Reports the first byte that differs, its word, and the number of bytes that differ. */
static int differs(const beside_t *x, const uint8_t *have, const uint8_t *want, mrpb_err_t *err) {
  uint64_t count = 0, first = 0;
  uint32_t has = 0, wants = 0;
  char name[128] = "";
  for (uint64_t i = 0; i < x->known_bytes; i++)
    if (have[i] != want[i] && count++ == 0) first = i;
  const uint64_t word = first & ~UINT64_C(3);
  const size_t n = x->known_bytes - word < 4 ? (size_t)(x->known_bytes - word) : 4;
  memcpy(&has, have + word, n);
  memcpy(&wants, want + word, n);
  name_of(x, x->begin + first, name, sizeof name);
  const uint64_t sums = ptx_contractable(x->view.launch->kernel);
  char hint[112] = "";
  if (sums > 0)
    snprintf(hint, sizeof hint,
             "; sums of products without .rn, which a GPU computes as fma: %" PRIu64
             "; try --contract",
             sums);
  mrpb_fail(err,
            "launch %" PRIu64 ", %.80s: the byte at 0x%" PRIx64 "%s: its word is 0x%08" PRIx32
            " on the GPU, 0x%08" PRIx32 " in the simulator; %" PRIu64 " of %" PRIu64
            " bytes differ%s",
            x->launches, x->view.launch->kernel->name, x->begin + first, name, has, wants, count,
            x->known_bytes, hint);
  return WORKLOAD_DIFFERS;
}

/* The image takes the GPU's bytes where they may differ. */
static void take_loose(beside_t *x) {
  uint64_t addr = 0, bytes = 0;
  x->loose = 0;
  for (unsigned i = 0; x->range && x->range(x->range_ctx, i, &addr, &bytes); i++) {
    uint8_t *to = bytes > 0 ? memory_at(x->view.memory, addr, bytes) : NULL;
    if (!to || addr - x->begin + bytes > x->known_bytes) continue;
    memcpy(to, x->known + (addr - x->begin), bytes);
    x->loose += bytes;
  }
}

int beside_compare(beside_t *x, mrpb_err_t *err) {
  const uint8_t *want = image(x);
  if (download(x, err) != 0) return WORKLOAD_FAILED;
  take_loose(x);
  return memcmp(x->known, want, x->known_bytes) == 0 ? 0 : differs(x, x->known, want, err);
}
