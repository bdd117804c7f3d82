/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/contract/confirm.h"

#include "base/hash.h"

#include <inttypes.h>
#include <string.h>

/* No output counts: whether one is x has been looked for when the design was opened. */
static int record(const rtl_recording_t *r, twice_stimulus_t *to, mrpb_err_t *err) {
  const contract_case_t *c = r->ctx;
  (void)err;
  memcpy(to->in, c->in, c->n * r->cls->in_words * sizeof *c->in);
  return 0;
}

int contract_confirm(const contract_setup_t *s, const contract_case_t *c, char looked[TWICE_TEXT],
                     mrpb_err_t *err) {
  const module_class_t *cls = s->of->cls;
  contract_case_t copy = *c;
  rtl_lib_t *lib = NULL;
  char name[32];
  looked[0] = '\0';
  if (!s->env || c->n == 0) return RTL_OK;
  snprintf(name, sizeof name, "case %016" PRIx64,
           hash_bytes(HASH_START, c->in, c->n * cls->in_words * sizeof *c->in));
  rtl_env_set_stimulus(s->env, &(rtl_stimulus_t){name, record, &copy, c->n});
  const int rc = rtl_lib_open(&lib, s->env, cls, s->cfg, err);
  if (rc != RTL_OK) return rc;
  snprintf(looked, TWICE_TEXT, "%s", rtl_lib_looked(lib));
  rtl_lib_close(lib);
  return RTL_OK;
}
