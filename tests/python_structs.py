# SPDX-License-Identifier: Apache-2.0
"""The structs, enums and functions of python/mrpb/_structs.py against C.
    python3 tests/python_structs.py c         a program that prints sizes and offsets, from the names of _structs.py
    python3 tests/python_structs.py python    the same by ctypes"""

import ctypes
import sys

from mrpb import _structs

ENUMS = {name: value for name, value in vars(_structs).items() if isinstance(value, dict) and name.endswith("_t")}
STRUCTS = [value for value in vars(_structs).values()
           if isinstance(value, type) and issubclass(value, ctypes.Structure)]


def c_program():
    """One line for each struct, member and constant, and each function, which must be declared."""
    print('#include <libmrpb-gpu.h>\n#include <stdio.h>\nint main(void) {')
    for struct in STRUCTS:
        name = struct.__name__
        print(f'  printf("{name} %zu\\n", sizeof({name}));')
        for field, _ in struct._fields_:
            print(f'  printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));')
    for enum, constants in ENUMS.items():
        for constant in constants:
            print(f'  printf("{enum} {constant} %d\\n", (int){constant});')
    for function in _structs.FUNCTIONS:
        print(f'  printf("{function} %d\\n", (void (*)(void)){function} != 0);')
    print("  return 0;\n}")


def by_ctypes():
    for struct in STRUCTS:
        name = struct.__name__
        print(name, ctypes.sizeof(struct))
        for field, _ in struct._fields_:
            print(f"{name}.{field}", getattr(struct, field).offset, getattr(struct, field).size)
    for enum, constants in ENUMS.items():
        for constant, value in constants.items():
            print(enum, constant, value)
    for function in _structs.FUNCTIONS:
        print(function, 1)


c_program() if sys.argv[1] == "c" else by_ctypes()
