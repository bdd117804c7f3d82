#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The package mrpb of the installation (make stage): runs and sweeps, its structs against C, and every
# block of docs/python.md. tests/adapters.sh has its modules, its GPU and lockstep.
set -u
cd "$(dirname "$0")/.."
source=$PWD stage=$PWD/build/stage/usr/local
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
. tests/edit.sh
packages=$stage/lib/python$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')/dist-packages
export PATH=$stage/bin:$PATH LD_LIBRARY_PATH=$stage/lib MRPB_DATA=$stage/share/mrpb PYTHONPATH=$packages PYTHONDONTWRITEBYTECODE=1
export HOME=$work/home TMPDIR=$work/tmp MPLCONFIGDIR=$work/home
mkdir "$work/home" "$work/tmp" "$work/here"
python=/usr/bin/python3 # that of Debian, which has pandas

case_ "runs and sweeps" 0 '^[0-9]+ cases$' env -C "$work/here" "$python" "$source/tests/python_cases.py" "$source"
! grep '^skipped: ' "$work/out"

# The structs, by ctypes and by C; a struct with a member of another size is noticed.
as_c() {
  "$python" tests/python_structs.py c > "$work/structs.c" &&
    cc -o "$work/structs" "$work/structs.c" -I"$stage/include" -L"$stage/lib" -lmrpb-gpu -lmrpb &&
    "$work/structs" > "$work/structs.c.txt"
}
by_ctypes() { "$python" tests/python_structs.py python > "$work/structs.py.txt" && diff "$work/structs.c.txt" "$work/structs.py.txt" > "$work/out"; }
true_ "the structs compile" as_c
true_ "structs, enums and functions are those of C" by_ctypes
true_ "there are some" test "$(wc -l < "$work/structs.c.txt")" -ge 120
cp -r "$packages" "$work/wrong"
replace_once "$work/wrong/mrpb/_structs.py" '("sm", c.c_uint32)' '("sm", c.c_uint64)'
wrong() { ! PYTHONPATH=$work/wrong by_ctypes && grep -q 'mrpb_gpu_request_t.is_write' "$work/out"; }
true_ "a wrong struct is noticed" wrong

# What makes them: a header that changes changes them, and C that the reader does not know is refused.
read_() { # read_ TEXT: of a header with this text
  mkdir -p "$work/header" && printf '%s\n' '#include <stdint.h>' "$1" > "$work/header/h.h"
  cc -E "$work/header/h.h" | python3 python/structs.py "$work/header"
}
ends='int mrpb_gpu_x(void);'
case_ "a member more" 0 '"b", c.c_uint64 \* 3' read_ "enum { N = 3 }; typedef struct { int a; uint64_t b[N]; } mrpb_gpu_x_t; $ends"
case_ "a type that ctypes cannot have" 2 '^structs.py: long double a: not known' read_ "typedef struct { long double a; } mrpb_gpu_x_t; $ends"
case_ "a bit field" 2 '^structs.py: int a : 3: not known' read_ "typedef struct { int a : 3; } mrpb_gpu_x_t; $ends"
case_ "a struct in a struct" 2 '^structs.py: .*: not known' read_ "typedef struct { struct { int b; } a; } mrpb_gpu_x_t; $ends"
case_ "a union" 2 '^structs.py: typedef union .*: not known' read_ "typedef union { int a; } mrpb_gpu_x_t; $ends"
case_ "a constant that is an expression" 2 '^structs.py: N = 1 << 3: not known' read_ "enum { N = 1 << 3 }; $ends"
case_ "a function with a body before it" 2 '^structs.py: .*: not known' read_ "static inline int f(int a) { return a; } $ends"
case_ "nothing of the libraries" 2 'no function of the libraries' read_ 'int f(void);'

# The page.
if "$python" -c 'import pandas, matplotlib' 2> "$work/err"; then
  case_ "docs/python.md" 0 '^docs/python.md: [0-9]+ blocks, 3 pictures$' "$python" docs/page.py
  mkdir "$work/docs" && cp -r docs/page.py docs/python.md docs/pictures "$work/docs" && mkdir "$work/docs/examples" && cp -r docs/examples/ptx "$work/docs/examples"
  sed -i 's/^    142 [0-9]* scheduler cycles/    142 7 scheduler cycles/' "$work/docs/python.md"
  case_ "a wrong number on the page is noticed" 1 "^docs/python.md:[0-9]+: '    142 7 scheduler cycles'; printed: '    142 [0-9]+ scheduler cycles'" \
    "$python" "$work/docs/page.py"
  sed -i 's/mrpb.run("atax", "base-s", cut=32/mrpb.run("atax", "base-s", cutt=32/' "$work/docs/python.md"
  case_ "a block that fails is noticed" 1 'docs/python.md: a block of it fails' "$python" "$work/docs/page.py"
else
  echo "skipped: python: docs/python.md: no python3-pandas or python3-matplotlib"
fi
echo "python: $passed passed, $failed failed"
[ "$failed" = 0 ]
