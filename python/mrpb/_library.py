# SPDX-License-Identifier: Apache-2.0
"""The shared libraries and the program: where they are, and errors as exceptions."""

import ctypes
import os

_prefix = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))


class Error(Exception):
    """The one line that the library, or the program, says."""


class Err(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 512)]

    def raise_(self):
        raise Error(self.text.decode(errors="replace") or "failed")


def load(name):
    """The library of the installation that this folder belongs to; else where the loader looks."""
    beside = os.path.join(_prefix, "lib", name)
    return ctypes.CDLL(beside if os.path.exists(beside) else name)


def program():
    """The program `mrpb` of the same installation, else that of PATH."""
    beside = os.path.join(_prefix, "bin", "mrpb")
    return beside if os.path.exists(beside) else "mrpb"


def must(function, *arguments):
    """Calls a function whose last argument is the error and whose result is 0 or -1."""
    err = Err()
    if function(*arguments, ctypes.byref(err)) != 0:
        err.raise_()


models = load("libmrpb.so.2")
models.mrpb_version.restype = ctypes.c_char_p


def version():
    return models.mrpb_version().decode()
