#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes libmrpb(3): the public header as a page of the manual. usage: cmodel/header/manual.sh libmrpb.h
set -eu
cat <<'HEAD'
.\" Made by cmodel/header/manual.sh.
.TH LIBMRPB 3 "" "mrpb" "Library Functions"
.SH NAME
libmrpb \- cycle-accurate models of MRPB, MSHR and PRT, and an event kernel
.SH SYNOPSIS
.B #include <libmrpb.h>
.PP
cc $(pkg\-config \-\-cflags mrpb) simulator.c $(pkg\-config \-\-libs mrpb)
.SH DESCRIPTION
The header says everything of each function; this page is the header.
.PP
.nf
HEAD
sed -e '/clang-format off/d' -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^[.']/\\\\\&&/" "$1"
cat <<'TAIL'
.fi
.SH SEE ALSO
mrpb(1), pkg-config(1)
TAIL
