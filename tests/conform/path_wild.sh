#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Caches in C++ that crash, hang or end the program: mrpb conform says in which function, and
# what crashes is a case that is shrunk and can be played again.
set -u
cd "$(dirname "$0")/../.."
mrpb=${MRPB:-build/mrpb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

check() { # check WHAT COMMAND...
  if "${@:2}"; then passed=$((passed + 1)); else
    echo "path wild: $1"
    sed 's/^/  | /' "$work/said" | tail -n 5
    failed=$((failed + 1))
  fi
}
play() { # play RC ARGS...
  timeout 60 "$mrpb" conform --path --so "$work/wild.so" --set LINE=32 --cycles 20000 --cases "$work/cases" "${@:2}" > "$work/said" 2>&1
  [ $? = "$1" ]
}
wild() { # wild RC PATTERN WHERE DO [ARGS...]: exit code and a line, if the cache does it
  g++ -std=c++14 -O1 -shared -fPIC "-D$3=$4" -I tb/verify/path tests/conform/path/wild.cpp -o "$work/wild.so" > "$work/said" 2>&1 &&
    play "$1" "${@:5}" && grep -q -- "$2" "$work/said"
}
line() { # line PATTERN WHERE DO [ARGS...]: one line, exit 2
  wild 2 "$@" && [ "$(wc -l < "$work/said")" = 1 ]
}
few() { [ "$(sed -n 's/^  shrunk to   \([0-9]*\) transactions.*/\1/p' "$work/said")" -le 2 ]; }
again() { play 1 --replay "$(sed -n 's/^  kept  *//p' "$work/said")" && grep -q 'request() crashes' "$work/said"; }

check "the cache as it is" wild 0 '^conforms for 20000 cycles' CREATE ''
check "a null pointer" wild 1 'clause 15 (checks): request() crashes (signal 11' REQUEST '*nowhere=1'
check "in few transactions" few
check "the case again" again
check "an exception" wild 1 'clause 15 (checks): request() crashes (signal 6' REQUEST 'throw 1'
check "a recursion without end" wild 1 'clause 15 (checks): cycle() crashes (signal 11' CYCLE 'recurse()' --no-shrink
check "a clause that is off" wild 1 'clause 15 (checks): reply() crashes' REPLY '*nowhere=1' --off checks
check "a crash in destroy()" line 'destroy() crashes (signal 6' DESTROY 'std::abort()'
check "a crash in the second destroy()" wild 1 'clause 15 (checks): destroy() crashes (signal 6' DESTROY 'static int n; if (n++) std::abort()' --no-shrink
check "a crash in create()" line 'create() crashes (signal 11' CREATE '*nowhere=1'
check "a crash as it is loaded" line 'loading it crashes (signal 6' LOADED 'std::abort()'
check "exit()" line 'cycle [1-9][0-9]*: request() has ended the program (exit status 0)' REQUEST 'std::exit(0)'
check "_exit()" line 'cycle [1-9][0-9]*: flush() has ended the program (exit status 3)' FLUSH '_exit(3)'
check "exit() as it is loaded" line 'loading it has ended the program' LOADED 'std::exit(0)'
check "a loop without end" wild 4 'cycle [1-9][0-9]*: request() did not return within 1 s' REQUEST 'for(;;){}' --hang 1
check "in one line" test "$(wc -l < "$work/said")" = 1
echo "path wild: $passed passed, $failed failed"
[ "$failed" = 0 ]
