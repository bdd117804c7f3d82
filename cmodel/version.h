/* SPDX-License-Identifier: Apache-2.0 */
/* The only place that defines the version: `mrpb --version`, the library and every JSON output
 * carry it, and CHANGELOG.md begins with it (tests/version.sh). Before 1.0, a larger second number
 * means that something a user wrote against the library, the keys or an output may need a
 * change. */
#ifndef MRPB_VERSION_H
#define MRPB_VERSION_H

#define MRPB_VERSION "0.8.0"

/* The version of the linked library, which need not be that of the header. Never NULL; valid as
 * long as the program runs. */
const char *mrpb_version(void);

#endif
