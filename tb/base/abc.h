/* SPDX-License-Identifier: Apache-2.0 */
/* ABC's program: Debian 12 has it as berkeley-abc, Debian 13 as yosys-abc. */
#ifndef BASE_ABC_H
#define BASE_ABC_H

/* "berkeley-abc", or "yosys-abc" where PATH has that one alone. */
const char *abc_program(void);

#endif
