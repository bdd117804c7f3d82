# SPDX-License-Identifier: Apache-2.0
"""The whole GPU: libmrpb-gpu, with results as plain dicts."""

import ctypes as c

from ._library import Err, Error, load, must

_gpu = load("libmrpb-gpu.so.2")
_void = c.c_void_p
RUNNING, DONE = 0, 1
_KINDS = {"alu": 0, "sfu": 1, "load": 2, "store": 3, "barrier": 4}


class _Program(c.Structure):
    _fields_ = [("cut", c.c_uint32), ("size", c.c_uint32), ("steps", c.c_uint32), ("model", c.c_char),
                ("acc_reload", c.c_bool)]


class _Launch(c.Structure):
    _fields_ = [("kernel", c.c_char_p), ("grid", c.c_uint32 * 3), ("block", c.c_uint32 * 3), ("regs", c.c_uint32),
                ("shared", c.c_uint32), ("args", c.POINTER(_void)), ("n_args", c.c_uint)]


class _Value(c.Structure):
    _fields_ = [("name", c.c_char_p), ("type", c.c_int), ("count", c.c_uint64), ("real", c.c_double),
                ("text", c.c_char_p)]


class _Request(c.Structure):
    _fields_ = [("id", c.c_uint64), ("address", c.c_uint64), ("bytes", c.c_uint32), ("sm", c.c_uint32),
                ("is_write", c.c_bool)]


class Instruction(c.Structure):
    """Of a stream: kind "alu", "sfu", "load", "store" or "barrier"; see libmrpb-gpu.h."""

    _fields_ = [("_kind", c.c_int), ("lanes", c.c_uint32), ("dst", c.c_uint16), ("src", c.c_uint16 * 4),
                ("latency", c.c_uint16), ("interval", c.c_uint16), ("bytes", c.c_uint8), ("bypass", c.c_bool),
                ("address", c.c_uint64 * 32)]

    def __init__(self, kind, lanes=0xffffffff, dst=0, src=(), address=(), **rest):
        super().__init__(_kind=_KINDS[kind], lanes=lanes, dst=dst, src=tuple(src), address=tuple(address), **rest)


class _Grid(c.Structure):
    _fields_ = [("kernel", c.c_char_p), ("blocks", c.c_uint32), ("threads", c.c_uint32), ("regs", c.c_uint32),
                ("shared", c.c_uint32)]


_DONE_AT = c.CFUNCTYPE(None, _void, c.c_uint64)
_EACH = c.CFUNCTYPE(None, _void, c.POINTER(_Value))


class _Dram(c.Structure):
    _fields_ = [("ctx", _void), ("set_callbacks", c.CFUNCTYPE(None, _void, _DONE_AT, _DONE_AT, _void)),
                ("tck", c.CFUNCTYPE(c.c_double, _void)), ("transaction_bytes", c.CFUNCTYPE(c.c_uint, _void)),
                ("will_accept", c.CFUNCTYPE(c.c_bool, _void, c.c_uint64, c.c_bool)),
                ("add", c.CFUNCTYPE(c.c_bool, _void, c.c_uint64, c.c_bool)), ("tick", c.CFUNCTYPE(None, _void))]


class _Memory(c.Structure):
    _fields_ = [("ctx", _void), ("accept", c.CFUNCTYPE(c.c_bool, _void, c.POINTER(_Request))),
                ("tick", c.CFUNCTYPE(None, _void, c.c_uint64))]


class _Cores(c.Structure):
    _fields_ = [("ctx", _void), ("reply", c.CFUNCTYPE(None, _void, c.c_uint32, c.c_uint64)),
                ("tick", c.CFUNCTYPE(None, _void, c.c_uint64))]


class _Stream(c.Structure):
    _fields_ = [("ctx", _void), ("launch", c.CFUNCTYPE(c.c_bool, _void, c.POINTER(_Grid))),
                ("next", c.CFUNCTYPE(c.c_bool, _void, c.c_uint32, c.c_uint32, c.POINTER(Instruction)))]


def _declare():
    err, text, u64, p = c.POINTER(Err), c.c_char_p, c.c_uint64, _void
    for name, arguments in {"create": [c.POINTER(_void), text], "set": [p, text], "checked": [p],
                            "wave": [p, text, c.c_uint32, u64, u64],
                            "program": [p, text, c.POINTER(_Program)], "trace": [p, text],
                            "launch_file": [p, text, c.POINTER(text), c.c_uint],
                            "ptx": [p, text, c.c_size_t, text], "alloc": [p, u64, c.POINTER(u64)],
                            "write": [p, u64, text, u64], "read": [p, u64, _void, u64], "texture": [p, text, u64],
                            "launch": [p, c.POINTER(_Launch)], "stream": [p, c.POINTER(_Stream)],
                            "step": [p, u64], "step_launch": [p], "run": [p], "verify": [p],
                            "connect_dram": [p, c.POINTER(_Dram)], "connect_memory": [p, c.POINTER(_Memory)],
                            "connect_cores": [p, c.POINTER(_Cores)], "request": [p, c.POINTER(_Request)],
                            "reply": [p, u64], "values": [p, _EACH, p]}.items():
        getattr(_gpu, "mrpb_gpu_" + name).argtypes = arguments + [err]
    _gpu.mrpb_gpu_keys.argtypes, _gpu.mrpb_gpu_keys.restype = [p, _EACH, p], None
    _gpu.mrpb_gpu_cycles.argtypes, _gpu.mrpb_gpu_cycles.restype = [p], u64
    _gpu.mrpb_gpu_destroy.argtypes = _gpu.mrpb_gpu_pause.argtypes = [p]


_declare()


def _plain(value):
    return (value.count, value.real, value.text and value.text.decode())[value.type]


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
        self._self = _void()
        self._kept = []  # what C points to
        self._raised = None
        must(_gpu.mrpb_gpu_create, c.byref(self._self), config and config.encode())
        for name, value in keys.items():
            self._call("set", f"{name}={value}".encode())

    def __del__(self):
        if self._self:
            _gpu.mrpb_gpu_destroy(self._self)

    def _call(self, name, *arguments):
        must(getattr(_gpu, "mrpb_gpu_" + name), self._self, *arguments)

    # ---- what runs ----

    def program(self, name, cut=0, size=0, steps=0, model="A", acc_reload=False):
        self._call("program", name.encode(), c.byref(_Program(cut, size, steps, model.encode(), acc_reload)))

    def trace(self, path):
        self._call("trace", path.encode())

    def launch_file(self, path, **lets):
        """A launch file; `lets` for what its `let` says: launch_file("saxpy.launch", n=4096)."""
        texts = [f"{name}={value}".encode() for name, value in lets.items()]
        self._call("launch_file", path.encode(), (c.c_char_p * max(1, len(texts)))(*texts), len(texts))

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
        list_ = (_void * max(1, len(values)))(*[c.addressof(v) for v in values])
        shape = [tuple(d) if isinstance(d, (tuple, list)) else (d,) for d in (grid, block)]
        launch = _Launch(kernel and kernel.encode(), *[d + (1,) * (3 - len(d)) for d in shape], regs, shared, list_,
                         len(values))
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

        self._keep("stream", _Stream(None, *self._guarded(_Stream, launch, step)))

    # ---- memories ----

    def connect_dram(self, dram):
        """`dram` has the methods tck(), transaction_bytes(), will_accept(address, is_write), add(address, is_write)
        and tick(); it calls its read_done(address) and write_done(address), which are set here."""
        def callbacks(_, read_done, write_done, argument):
            dram.read_done = lambda address: read_done(argument, address)
            dram.write_done = lambda address: write_done(argument, address)

        self._keep("connect_dram", _Dram(None, *self._guarded(
            _Dram, callbacks, lambda _: dram.tck(), lambda _: dram.transaction_bytes(),
            lambda _, a, w: dram.will_accept(a, w), lambda _, a, w: dram.add(a, w), lambda _: dram.tick())))

    def connect_memory(self, memory):
        """`memory` has the methods accept(id, address, bytes, sm, is_write) and tick(cycle); Gpu.reply(id) answers."""
        def accept(_, r):
            r = r.contents
            return memory.accept(r.id, r.address, r.bytes, r.sm, r.is_write)

        self._keep("connect_memory", _Memory(None, *self._guarded(_Memory, accept, lambda _, n: memory.tick(n))))

    def reply(self, id_):
        self._call("reply", id_)

    def connect_cores(self, cores):
        """`cores` has the methods reply(core, id) and tick(cycle), and stands in the place of the SMs."""
        self._keep("connect_cores", _Cores(None, *self._guarded(
            _Cores, lambda _, core, id_: cores.reply(core, id_), lambda _, n: cores.tick(n))))

    def request(self, core, address, size=128, is_write=False, id_=0):
        """Of one of these cores: True, or False if there is no room in this cycle."""
        err, r = Err(), _Request(id_, address, size, core, is_write)
        done = _gpu.mrpb_gpu_request(self._self, c.byref(r), c.byref(err))
        if done < 0:
            err.raise_()
        return done == 1

    def _keep(self, call, struct):
        self._call(call, c.byref(struct))
        self._kept.append(struct)

    def _guarded(self, struct, *functions):
        """As C functions. What one of them raises ends the step, which raises it again."""
        def guard(function, type_):
            def called(*arguments):
                if self._raised is None:
                    try:
                        return function(*arguments)
                    except BaseException as e:  # pylint: disable=broad-except
                        self._raised = e
                        _gpu.mrpb_gpu_pause(self._self)
                return type_._restype_(0).value if type_._restype_ else None
            return type_(called)
        return [guard(f, t) for f, (_, t) in zip(functions, struct._fields_[1:])]

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
            err.raise_()
        return state == RUNNING

    def pause(self):
        _gpu.mrpb_gpu_pause(self._self)

    def checked(self):
        self._call("checked")

    def wave(self, path, sm=0, first=0, last=(1 << 64) - 1):
        """A VCD of an SM and of what the memory holds, from SM cycle `first` to `last`."""
        self._call("wave", path.encode(), sm, first, last)

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


def run(program, config=None, keys=None, checked=False, **options):
    """One of the 28 programs on a configuration, to its end: the results. `options` as Gpu.program has them."""
    gpu = Gpu(config, **(keys or {}))
    gpu.program(program, **options)
    if checked:
        gpu.checked()
    return gpu.run()
