#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes a library's manual page from its public header. usage: cmodel/header/manual.sh HEADER
# PACKAGE WHAT
set -eu
name=$(basename -s .h "$1")
# A minus in a name stays a minus, so that searches find it.
dashed() { printf '%s' "${1//-/\\-}"; }
cat <<HEAD
.\" Made by cmodel/header/manual.sh.
.TH $(dashed "${name^^}") 3 "" "mrpb" "Library Functions"
.SH NAME
$(dashed "$name") \- $3
.SH SYNOPSIS
.B #include <$(dashed "$name").h>
.PP
cc \$(pkg\-config \-\-cflags $(dashed "$2")) simulator.c \$(pkg\-config \-\-libs $(dashed "$2"))
.SH DESCRIPTION
The header says everything of each function; this page is the header.
.PP
.nf
HEAD
sed -e '/clang-format off/d' -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\\&&/" "$1"
cat <<'TAIL'
.fi
.SH SEE ALSO
mrpb(1), pkg-config(1)
TAIL
