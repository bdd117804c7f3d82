/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/contract/watch.h"

bool contract_watch(contract_watch_t *w, const char *what, unsigned seconds) {
  w->crash = crash_catch(&w->hang);
  if (w->crash) hang_watch(&w->hang, what, &w->cycle, seconds);
  return w->crash != NULL;
}

void contract_watch_end(contract_watch_t *w) {
  if (w->crash) hang_end(&w->hang);
  crash_end(w->crash);
}
