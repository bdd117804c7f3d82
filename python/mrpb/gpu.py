# SPDX-License-Identifier: Apache-2.0
"""The whole GPU, cycle by cycle: libmrpb-gpu, with results as plain dicts."""

import ctypes as c
import os

from . import _structs as s
from ._library import Err, Error, fail, load, must

_gpu = load("libmrpb-gpu.so.2", "mrpb_gpu_")
RUNNING, DONE = s.mrpb_gpu_state_t["MRPB_GPU_RUNNING"], s.mrpb_gpu_state_t["MRPB_GPU_DONE"]
_KINDS = {name[len("MRPB_GPU_"):].lower(): kind for name, kind in s.mrpb_gpu_kind_t.items()}
_MEMBER = {s.mrpb_gpu_type_t["MRPB_GPU_" + name.upper()]: name for name in ("count", "real", "text")}
_EACH = s.FUNCTIONS["mrpb_gpu_values"][1][1]  # the type of the function that gets each value


class Instruction(s.mrpb_gpu_inst_t):
    """Of a stream: kind "alu", "sfu", "load", "store" or "barrier"; see libmrpb-gpu.h."""

    def __init__(self, kind, lanes=0xffffffff, dst=0, src=(), address=(), **rest):
        super().__init__(kind=_KINDS[kind], lanes=lanes, dst=dst, src=tuple(src), address=tuple(address), **rest)


def _plain(value):
    found = getattr(value, _MEMBER[value.type])
    return found.decode() if isinstance(found, bytes) else found


def _nest(flat):
    """Names with dots as dicts in dicts; what has the numbers from 0 for names is a list."""
    tree = {}
    for name, value in flat.items():
        *path, last = name.split(".")
        at = tree
        for part in path:
            at = at.setdefault(part, {})
        at[last] = value

    def settle(node):
        if not isinstance(node, dict):
            return node
        inside = {k: settle(v) for k, v in node.items()}
        return list(inside.values()) if inside and all(k.isdigit() for k in inside) else inside

    return settle(tree)


class Gpu:
    """A GPU of a configuration, a file or a shipped one by its name; `keys` as in Gpu("base-s", SMS=4)."""

    def __init__(self, config=None, **keys):
        self._self = c.c_void_p()
        self._kept = []  # what C points to
        self._raised = None
        must(_gpu.mrpb_gpu_create, c.byref(self._self), config and os.fsencode(config))
        for name, value in keys.items():
            self._call("set", f"{name}={value}".encode())

    def __del__(self):
        if self._self:
            _gpu.mrpb_gpu_destroy(self._self)

    def _call(self, name, *arguments):
        must(getattr(_gpu, "mrpb_gpu_" + name), self._self, *arguments)

    # ---- what runs ----

    def program(self, name, cut=0, size=0, steps=0, model="A", acc_reload=False):
        options = s.mrpb_gpu_program_t(cut=cut, size=size, steps=steps, model=model.encode(), acc_reload=acc_reload)
        self._call("program", name.encode(), c.byref(options))

    def trace(self, path):
        self._call("trace", os.fsencode(path))

    def launch_file(self, path, **lets):
        """A launch file; `lets` for what its `let` says: launch_file("saxpy.launch", n=4096)."""
        texts = [f"{name}={value}".encode() for name, value in lets.items()]
        self._call("launch_file", os.fsencode(path), (c.c_char_p * max(1, len(texts)))(*texts), len(texts))

    def ptx(self, text, name="ptx"):
        self._call("ptx", text.encode(), len(text.encode()), name.encode())

    def alloc(self, data):
        """Room for so many bytes, or for a bytes-like object, which is written there; its address."""
        address, size = c.c_uint64(), data if isinstance(data, int) else memoryview(data).nbytes
        self._call("alloc", size, c.byref(address))
        if not isinstance(data, int):
            self.write(address.value, data)
        return address.value

    def write(self, address, data):
        data = bytes(data)
        self._call("write", address, data, len(data))

    def read(self, address, size):
        data = c.create_string_buffer(size)
        self._call("read", address, data, size)
        return data.raw

    def texture(self, name, address):
        self._call("texture", name.encode(), address)

    def launch(self, kernel, grid, block, *args, regs=0, shared=0):
        """Arguments: integers and addresses as int, others as ctypes (c_float(2)) or bytes."""
        values = [c.c_uint64(a & (1 << 64) - 1) if isinstance(a, int) else
                  c.create_string_buffer(a, len(a)) if isinstance(a, bytes) else a for a in args]
        if any(isinstance(a, float) for a in args):
            raise Error(f"{kernel}: a float is 4 or 8 bytes; legal: ctypes.c_float, ctypes.c_double")
        list_ = (c.c_void_p * max(1, len(values)))(*[c.addressof(v) for v in values])
        shape = [tuple(d) if isinstance(d, (tuple, list)) else (d,) for d in (grid, block)]  # C: 0 means 1
        launch = s.mrpb_gpu_launch_t(kernel=kernel and kernel.encode(), grid=shape[0], block=shape[1], regs=regs,
                                     shared=shared, args=list_, n_args=len(values))
        self._call("launch", c.byref(launch))

    def stream(self, launches):
        """`launches` gives (blocks, threads, warp), where warp(block, number) gives the instructions of a warp."""
        launches, warps, now = iter(launches), {}, []

        def launch(_, grid):
            found = next(launches, None)
            if found is None:
                return False
            warps.clear()
            now[:] = [found[2]]
            grid.contents.blocks, grid.contents.threads = found[:2]
            return True

        def step(_, block, warp, inst):
            if (block, warp) not in warps:
                warps[block, warp] = iter(now[0](block, warp))
            found = next(warps[block, warp], None)
            if found is None:
                return False
            c.memmove(inst, c.byref(found), c.sizeof(Instruction))
            return True

        self._keep("stream", s.mrpb_gpu_stream_t, launch=launch, next=step)

    # ---- memories ----

    def connect_dram(self, dram):
        """`dram` has the methods tck(), transaction_bytes(), will_accept(address, is_write), add(address, is_write)
        and tick(); it calls its read_done(address) and write_done(address), which are set here."""
        def callbacks(_, read_done, write_done, argument):
            dram.read_done = lambda address: read_done(argument, address)
            dram.write_done = lambda address: write_done(argument, address)

        self._keep("connect_dram", s.mrpb_gpu_dram_t, set_callbacks=callbacks,
                   tck=lambda _: dram.tck(), transaction_bytes=lambda _: dram.transaction_bytes(),
                   will_accept=lambda _, a, w: dram.will_accept(a, w), add=lambda _, a, w: dram.add(a, w),
                   tick=lambda _: dram.tick())

    def connect_memory(self, memory):
        """`memory` has the methods accept(id, address, bytes, sm, is_write) and tick(cycle); Gpu.reply(id) answers."""
        def accept(_, r):
            r = r.contents
            return memory.accept(r.id, r.address, r.bytes, r.sm, r.is_write)

        self._keep("connect_memory", s.mrpb_gpu_memory_t, accept=accept, tick=lambda _, n: memory.tick(n))

    def reply(self, id_):
        self._call("reply", id_)

    def connect_cores(self, cores):
        """`cores` has the methods reply(core, id) and tick(cycle), and stands in the place of the SMs."""
        self._keep("connect_cores", s.mrpb_gpu_cores_t, reply=lambda _, core, id_: cores.reply(core, id_),
                   tick=lambda _, n: cores.tick(n))

    def request(self, core, address, size=128, is_write=False, id_=0):
        """Of one of these cores: True, or False if there is no room in this cycle."""
        err, r = Err(), s.mrpb_gpu_request_t(id=id_, address=address, bytes=size, sm=core, is_write=is_write)
        done = _gpu.mrpb_gpu_request(self._self, c.byref(r), c.byref(err))
        if done < 0:
            fail(err)
        return done == 1

    def _keep(self, call, type_, **functions):
        """Gives C a struct of functions, which stays until the GPU ends."""
        types = dict(type_._fields_)
        struct = type_(**{name: self._guarded(function, types[name]) for name, function in functions.items()})
        self._call(call, c.byref(struct))
        self._kept.append(struct)

    def _guarded(self, function, type_):
        """As a C function. What it raises ends the step, which raises it again."""
        def called(*arguments):
            if self._raised is None:
                try:
                    return function(*arguments)
                except BaseException as e:  # pylint: disable=broad-except
                    self._raised = e
                    _gpu.mrpb_gpu_pause(self._self)
            return type_._restype_(0).value if type_._restype_ else None
        return type_(called)

    # ---- running ----

    def step(self, cycles):
        """So many SM cycles; True while there is more."""
        return self._running(_gpu.mrpb_gpu_step, cycles)

    def step_launch(self):
        return self._running(_gpu.mrpb_gpu_step_launch)

    def run(self):
        """To the end, the memory compared with what the program's host computes; the results."""
        while self._running(_gpu.mrpb_gpu_run):
            pass
        self._call("verify")
        return self.results()

    def _running(self, function, *arguments):
        err = Err()
        state = function(self._self, *arguments, c.byref(err))
        if self._raised is not None:
            raise self._raised
        if state not in (RUNNING, DONE):
            fail(err)
        return state == RUNNING

    def pause(self):
        _gpu.mrpb_gpu_pause(self._self)

    def checked(self):
        self._call("checked")

    def wave(self, path, sm=0, first=0, last=(1 << 64) - 1):
        """A VCD of an SM and of what the memory holds, from SM cycle `first` to `last`."""
        self._call("wave", os.fsencode(path), sm, first, last)

    cycles = property(lambda self: _gpu.mrpb_gpu_cycles(self._self))

    # ---- results ----

    def results(self):
        """Everything that has been counted, as `mrpb run --json` has it, and the configuration."""
        flat = {}
        self._call("values", _EACH(lambda _, v: flat.update({v.contents.name.decode(): _plain(v.contents)})), None)
        return {**_nest(flat), "configuration": self.configuration()}

    def configuration(self):
        keys = {}
        _gpu.mrpb_gpu_keys(self._self, _EACH(lambda _, v: keys.update({v.contents.name.decode(): _plain(v.contents)})),
                           None)
        return keys

