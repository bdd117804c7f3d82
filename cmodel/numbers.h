/* SPDX-License-Identifier: Apache-2.0 */
/* Names for the encoded values of ports and parameters: ports/numbers.def. */
#ifndef MRPB_NUMBERS_H
#define MRPB_NUMBERS_H

enum {
#define NUMBER(group, name, value, meaning) MRPB_##group##_##name = (value),
#include "ports/numbers.def"
};

/* The odd policies are greedy: they stay with a queue until it is empty. The even policy just below
 * each one chooses the next queue. */
enum { MRPB_POLICY_GREEDY = 1 };

#endif
