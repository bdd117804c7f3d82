/* SPDX-License-Identifier: Apache-2.0 */
/* See version.h. */
#include "version.h"

const char *mrpb_version(void) {
  return MRPB_VERSION;
}
