/* SPDX-License-Identifier: Apache-2.0 */
/* The text in the help that says what a key drives, by the part column of keys.def: a Verilog
 * parameter, or nothing. */
#ifndef DRIVES_H
#define DRIVES_H

#define DRIVES_MRPB(to) "mrpb." #to
#define DRIVES_MSHR(to) "mshr." #to
#define DRIVES_PRT(to) "prt." #to
#define DRIVES_ICNT(to) ""
#define DRIVES_L2(to) ""
#define DRIVES_DRAM(to) ""
#define DRIVES_L1D(to) ""
#define DRIVES_NONE(to) ""
#define DRIVES_NOTE(to) ""

#endif
