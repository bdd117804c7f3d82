/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a map over literals against the same with numbers. */
#ifndef EXPRESSIONS_H
#define EXPRESSIONS_H

#include <check.h>

TCase *expressions(void);

#endif
