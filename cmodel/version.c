/* SPDX-License-Identifier: Apache-2.0 */
/* See version.h. */
#include "version.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *mrpb_version(void) {
  return TEXT(MRPB_VERSION_MAJOR) "." TEXT(MRPB_VERSION_MINOR) "." TEXT(MRPB_VERSION_PATCH);
}
