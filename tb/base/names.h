/* SPDX-License-Identifier: Apache-2.0 */
/* How far a mistyped name is from a known one, for "nearest: ..." in messages. */
#ifndef NAMES_H
#define NAMES_H

/* Single-letter edits that turn `a` into `b`, ignoring case; of long names the first 40 letters
 * count. */
unsigned names_distance(const char *a, const char *b);

#endif
