/* SPDX-License-Identifier: Apache-2.0 */
/* The part of study `rates` that runs loops of straight code: rates_code.c. */
#ifndef MICRO_STUDY_RATES_CODE_H
#define MICRO_STUDY_RATES_CODE_H

#include "studies/micro/kernels/rate.h"
#include "studies/micro/study.h"

void rates_code(study_t *s, rate_bench_t *b);

#endif
