/* SPDX-License-Identifier: Apache-2.0 */
/* Claims and opens a GPU, reads its properties, and handles its errors. See card.h. */
#define _DEFAULT_SOURCE
#include "workload/silicon/card_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- errors -------------------------------------------------------------------- */

int card_alive(const card_t *c, mrpb_err_t *err) {
  return c->broken.text[0] ? mrpb_fail(err, "%s", c->broken.text) : 0;
}

bool card_works(const card_t *c) {
  return !c->broken.text[0];
}

/* After these errors the context can no longer be used: an invalid address, an illegal instruction,
 * a GPU that is gone or was reset (CUDA's numbers). */
static bool is_fatal(int result) {
  return (result >= 700 && result <= 719 && result != 701) || result == 46 || result == 214 ||
         result == 999;
}

int card_check(card_t *c, int result, const char *what, mrpb_err_t *err) {
  driver_text_t t;
  if (result == DRIVER_OK) return 0;
  if (card_alive(c, err) != 0) return -1;
  if (is_fatal(result))
    mrpb_fail(&c->broken, "GPU %u: %.100s: %s", c->info.number, what,
              driver_says(&c->driver, result, &t));
  return mrpb_fail(err, "GPU %u: %.100s: %s", c->info.number, what,
                   driver_says(&c->driver, result, &t));
}

/* ---- properties ------------------------------------------------------------------ */

static int ask(card_t *c, uint32_t *to, driver_attribute_t attribute, mrpb_err_t *err) {
  int value = 0;
  int result = c->driver.attribute(&value, (int)attribute, c->device);
  if (value < 0) value = 0;
  *to = (uint32_t)value;
  return card_check(c, result, "its properties", err);
}

static int ask_all(card_t *c, mrpb_err_t *err) {
  card_info_t *i = &c->info;
  driver_uuid_t id = {{0}};
  int version = 0;
  uint32_t maps = 0;
  if (card_check(c, c->driver.name(i->name, (int)sizeof i->name, c->device), "its name", err) !=
          0 ||
      card_check(c, c->driver.uuid(&id, c->device), "its number", err) != 0 ||
      card_check(c, c->driver.version(&version), "the driver's version", err) != 0)
    return -1;
  i->driver = (uint32_t)version;
  for (unsigned k = 0; k < sizeof id.byte; k++) snprintf(i->uuid + 2 * k, 3, "%02x", id.byte[k]);
  if (ask(c, &i->major, DRIVER_MAJOR, err) != 0 || ask(c, &i->minor, DRIVER_MINOR, err) != 0 ||
      ask(c, &i->sms, DRIVER_SMS, err) != 0 || ask(c, &i->l2_bytes, DRIVER_L2_BYTES, err) != 0 ||
      ask(c, &i->threads_per_block, DRIVER_THREADS_PER_BLOCK, err) != 0 ||
      ask(c, &i->shared_per_sm, DRIVER_SHARED_PER_SM, err) != 0 ||
      ask(c, &i->shared_per_block, DRIVER_SHARED_PER_BLOCK, err) != 0 ||
      ask(c, &maps, DRIVER_MAPS_MEMORY, err) != 0)
    return -1;
  if (!maps)
    return mrpb_fail(err,
                     "GPU %u: %s: cannot map memory at given addresses; legal: a GPU and a "
                     "driver that can (Pascal or newer)",
                     i->number, i->name);
  return 0;
}

/* A name in the abstract socket namespace belongs to one program while it lives, and leaves no
 * file. Two programs that measure at the same time would disturb each other. */
static int claim(card_t *c, mrpb_err_t *err) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "mrpb-gpu-%s", c->info.uuid);
  c->claim = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (c->claim < 0)
    return mrpb_fail(err, "GPU %u: cannot open a socket to claim it", c->info.number);
  if (bind(c->claim, (const struct sockaddr *)&name, sizeof name) == 0) return 0;
  return mrpb_fail(err, "GPU %u: another mrpb uses it; legal: one at a time", c->info.number);
}

/* ---- open and close --------------------------------------------------------------- */

static int find(card_t *c, mrpb_err_t *err) {
  int count = 0;
  if (driver_open(&c->driver, err) != 0) return -1;
  if (card_check(c, c->driver.count(&count), "the number of GPUs", err) != 0) return -1;
  if (c->info.number >= (unsigned)count)
    return mrpb_fail(err, "GPU %u: no such GPU; legal: 0 to %d", c->info.number, count - 1);
  return card_check(c, c->driver.device(&c->device, (int)c->info.number), "opening it", err);
}

static int start(card_t *c, mrpb_err_t *err) {
  const driver_t *d = &c->driver;
  if (find(c, err) != 0 || ask_all(c, err) != 0 || claim(c, err) != 0) return -1;
  if (card_check(c, d->retain(&c->context, c->device), "opening it", err) != 0) return -1;
  if (card_check(c, d->set_current(c->context), "opening it", err) != 0) return -1;
  for (unsigned i = 0; i < 2; i++)
    if (card_check(c, d->event(&c->event[i], 0), "a clock", err) != 0) return -1;
  return 0;
}

int card_open(card_t **out, unsigned number, bool (*stop)(void), mrpb_err_t *err) {
  card_t *c = calloc(1, sizeof *c);
  *out = NULL;
  if (!c) return mrpb_fail(err, "GPU: out of memory");
  c->info.number = number;
  c->stop = stop;
  c->claim = -1;
  if (start(c, err) != 0) {
    card_close(c);
    return -1;
  }
  *out = c;
  return 0;
}

static void give_memory_back(card_t *c) {
  const driver_t *d = &c->driver;
  if (c->flushed) (void)d->free(c->flushed);
  if (c->mapped) (void)d->unmap(MEMORY_BASE, c->mapped);
  if (c->front) (void)d->unmap(MEMORY_BASE - c->front, c->front);
  for (unsigned i = 0; i < c->n_handles; i++) (void)d->release_memory(c->handle[i]);
  if (c->reserved) (void)d->free_address(MEMORY_BASE, c->reserved);
  if (c->front_reserved) (void)d->free_address(MEMORY_BASE - c->front_reserved, c->front_reserved);
}

/* If the GPU has failed or hangs, the driver would wait; it cleans up when the program ends. */
void card_close(card_t *c) {
  if (!c) return;
  const driver_t *d = &c->driver;
  if (c->context && !c->broken.text[0]) {
    card_unload(c->own);
    for (unsigned i = 0; i < 2; i++)
      if (c->event[i]) (void)d->event_destroy(c->event[i]);
    give_memory_back(c);
    (void)d->release(c->device);
  }
  if (c->claim >= 0) close(c->claim);
  driver_close(&c->driver);
  free(c);
}

const card_info_t *card_info(const card_t *c) {
  return &c->info;
}
