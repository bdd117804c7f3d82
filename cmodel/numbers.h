/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers on ports and in parameters that stand for something: ports/numbers.def. */
#ifndef MRPB_NUMBERS_H
#define MRPB_NUMBERS_H

enum {
#define NUMBER(group, name, value, meaning) MRPB_##group##_##name = (value),
#include "ports/numbers.def"
};

/* The odd policies are greedy: they stay with a queue until it is empty. The policy below is the
 * one that chooses the next queue. */
enum { MRPB_POLICY_GREEDY = 1 };

#endif
