/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates expressions of a map over literals, and compares them with the same expressions over
 * numbers. */
#ifndef EXPRESSIONS_H
#define EXPRESSIONS_H

#include <check.h>

TCase *expressions(void);

#endif
