/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the study of constants: constants.c, constants_bandwidth.c. */
#ifndef MICRO_STUDY_CONSTANTS_H
#define MICRO_STUDY_CONSTANTS_H

#include "studies/micro/study.h"

/* Figure 16, for lines, an L2 and an L3 of so many bytes. */
int constants_bandwidth(study_t *s, uint32_t line, uint64_t l2, uint64_t l3, mrpb_err_t *err);

#endif
