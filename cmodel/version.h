/* SPDX-License-Identifier: Apache-2.0 */
/* The version, here and nowhere else: `mrpb --version`, the library and every JSON output carry it,
 * and CHANGELOG.md begins with it (tests/version.sh). Before 1.0 a larger second number says that
 * something a user wrote against the library, the keys or an output may need a change. */
#ifndef MRPB_VERSION_H
#define MRPB_VERSION_H

#define MRPB_VERSION "0.8.0"

/* Of the library that is linked, which need not be that of the header. Never NULL; it lives as long
 * as the program. */
const char *mrpb_version(void);

#endif
