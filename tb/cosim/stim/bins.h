/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a module's bins from its list BINS(X) of X(name, possible, doc): an index B_<name>, a mask
 * bit HIT(name, when) and the table `bins`. Each stimulus that defines BINS includes this file
 * once. */
#define STIM_BIN_INDEX(name, possible, doc) B_##name,
enum { BINS(STIM_BIN_INDEX) N_BINS };
_Static_assert((int)N_BINS <= (int)STIM_MAX_BINS, "too many bins");
#define STIM_BIN_ROW(name, possible, doc) {#name, doc, possible},
static const bin_t bins[] = {BINS(STIM_BIN_ROW)};
#define HIT(name, when) ((uint64_t)((when) ? 1 : 0) << B_##name)
