/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the study of constants: constants.c, constants_bandwidth.c. */
#ifndef MICRO_STUDY_CONSTANTS_H
#define MICRO_STUDY_CONSTANTS_H

#include "studies/micro/study.h"

/* Figure 16 for the given sizes of line, L2 and L3, in bytes. Returns 0, or -1 and a message in
 * err. */
void constants_bandwidth(study_t *s, uint32_t line, uint64_t l2, uint64_t l3);

#endif
