# SPDX-License-Identifier: Apache-2.0
"""The shared libraries and the program: where they are, and errors as exceptions."""

import ctypes
import os
import signal
import subprocess

from ._structs import FUNCTIONS, mrpb_err_t as Err

_prefix = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))


class Error(Exception):
    """The one line that the library, or the program, says."""


def load(name, *prefixes):
    """The library of the installation that this folder belongs to, else where the loader looks, with
    the types of its functions: those whose names begin in one of these ways."""
    beside = os.path.join(_prefix, "lib", name)
    library = ctypes.CDLL(beside if os.path.exists(beside) else name)
    for function, (result, arguments) in FUNCTIONS.items():
        if function.startswith(prefixes):
            getattr(library, function).restype = result
            getattr(library, function).argtypes = arguments
    return library


def program():
    """The program `mrpb` of the same installation, else that of PATH."""
    beside = os.path.join(_prefix, "bin", "mrpb")
    return beside if os.path.exists(beside) else "mrpb"


def call(command, *arguments, ends=(0,)):
    """Runs `mrpb COMMAND`: (exit, standard output, standard error). An exit that is not among `ends`
    is an Error with the program's own line."""
    try:
        process = subprocess.Popen(  # pylint: disable=consider-using-with
            [program(), command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    except OSError as e:
        raise Error(f"{program()}: {e.strerror}; legal: an installation with the program") from None
    try:
        out, err = process.communicate()
    except BaseException:  # Ctrl-C, say: the program ends what it has begun, and cleans up
        process.terminate()
        process.communicate()
        raise
    if process.returncode not in ends:
        raise Error(_line(command, process.returncode, err))
    return process.returncode, out, err


def _line(command, code, err):
    """Why the command ended: the last line that is its own, for lists of what hangs may follow."""
    own = [line for line in err.splitlines() if line.startswith(f"mrpb {command}: ")]
    if own:
        return own[-1].replace(f"mrpb {command}: ", "", 1)
    if code < 0:
        return f"mrpb {command}: ended by {signal.Signals(-code).name}"
    return err.strip() or f"mrpb {command}: exit {code}"


def must(function, *arguments):
    """Calls a function whose last argument is the error and whose result is 0 or -1."""
    err = Err()
    if function(*arguments, ctypes.byref(err)) != 0:
        fail(err)


def fail(err):
    raise Error(err.text.decode(errors="replace") or "failed")


models = load("libmrpb.so.2", "module_", "mrpb_version")


def version():
    return models.mrpb_version().decode()
