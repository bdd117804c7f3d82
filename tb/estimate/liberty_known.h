/* SPDX-License-Identifier: Apache-2.0 */
/* Public libraries by name: their node, and cells that are in the file but not for a synthesis. */
#ifndef ESTIMATE_LIBERTY_KNOWN_H
#define ESTIMATE_LIBERTY_KNOWN_H

#include <stdbool.h>

/* The node in nm; 0 for a library that is not known. */
unsigned liberty_known_node(const char *library);
bool liberty_known_unused(const char *library, const char *cell);

#endif
