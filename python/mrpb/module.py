# SPDX-License-Identifier: Apache-2.0
"""The modules of libmrpb by their table: parameters, ports and registers by name."""

import ctypes as c

from ._library import Error, models, must
from ._structs import module_port_t, module_reg_t


def modules():
    """The names of all modules."""
    names = []
    while models.module_class_at(len(names)):
        names.append(models.module_class_at(len(names)).contents.stem.decode())
    return names


# Parameters that a module gained later, with their defaults: the hash of a configuration leaves
# them out.
_LATER = {"mrpb": [("ANSWER", 0), ("PARITY", 0)],
          "mshr": [("STORES", 0), ("READ_REG", 0), ("PARITY", 0)],
          "prt": [("ORDER", 0), ("CHECK", 0), ("PARITY", 0)],
          "fifo_bank": [("PARITY", 0)],
          "drain_selector": [("PARITY", 0)]}


class Module:
    """An instance after reset. `sizes` are parameters of the Verilog; the others have their defaults.

    comb(**inputs) gives the outputs of this cycle, edge(**inputs) ends it, cycle(**inputs) does both; inputs that are
    not named are 0, srst_ni is 1. What was driven can be saved as a vector file, for mrpb.replay."""

    def __init__(self, stem, **sizes):
        self._class = None
        found = models.module_class(stem.encode())
        if not found:
            raise Error(f"no module {stem}; legal: {', '.join(modules())}")
        k = found.contents
        names = [k.params[i].name.decode() for i in range(k.n_params)]
        for name in sizes:
            if name not in names:
                raise Error(f"{stem} has no parameter {name}; legal: {', '.join(names)}")
        self.stem = stem
        self.sizes = {n: sizes.get(n, k.params[i].deflt) for i, n in enumerate(names)}
        cfg = (c.c_uint32 * len(names))(*self.sizes.values())
        self._self = c.c_void_p()
        must(k.create, c.byref(self._self), cfg)
        self._class = k
        ports_in, ports_out = (module_port_t * k.n_in)(), (module_port_t * k.n_out)()
        k.ports(cfg, ports_in, ports_out)
        self._in = {p.name.decode(): (p.word, p.width) for p in ports_in}
        self._out = {p.name.decode(): (p.word, p.width) for p in ports_out}
        self._driven = []

    def __del__(self):
        if self._class:
            self._class.destroy(self._self)

    inputs = property(lambda self: {n: w for n, (_, w) in self._in.items()}, doc="widths in bits")
    outputs = property(lambda self: {n: w for n, (_, w) in self._out.items()}, doc="widths in bits")

    def _words(self, inputs):
        words = (c.c_uint64 * max(1, self._class.in_words))()
        if "srst_ni" in self._in:
            inputs = {"srst_ni": 1, **inputs}
        for name, value in inputs.items():
            if name not in self._in:
                raise Error(f"{self.stem} has no input {name}; legal: {', '.join(self._in)}")
            word, width = self._in[name]
            if not 0 <= value < 1 << width:
                raise Error(f"{self.stem}: {name} = {value:#x}: the port has {width} bits; legal: 0 to "
                            f"{(1 << width) - 1:#x}")
            for i in range((width + 63) // 64):
                words[word + i] = value >> 64 * i & (1 << 64) - 1
        must(self._class.legal, self._self, words)
        return words

    def comb(self, **inputs):
        return self._comb(self._words(inputs))

    def _comb(self, words):
        out = (c.c_uint64 * max(1, self._class.out_words))()
        self._class.comb(self._self, words, out)
        return {name: sum(out[word + i] << 64 * i for i in range((width + 63) // 64))
                for name, (word, width) in self._out.items()}

    def edge(self, **inputs):
        self._edge(self._words(inputs))

    def _edge(self, words):
        self._class.edge(self._self, words)
        self._driven.append(bytes(words))

    def cycle(self, **inputs):
        words = self._words(inputs)
        out = self._comb(words)
        self._edge(words)
        return out

    def registers(self):
        """The registers by name; those that are arrays are lists."""
        regs = (module_reg_t * self._class.n_regs)()
        self._class.regs(self._self, regs)
        values = {}
        for r in regs:
            all_ = [models.module_reg_value(c.byref(r), i) for i in range(r.words)]
            values[r.name.decode()] = all_ if r.array else all_[0]
        return values

    def save(self, path):
        """Everything that was driven so far as a vector file, with a reset in front."""
        told = list(self.sizes.items())
        while told[-1] in _LATER.get(self.stem, ()):
            told.pop()
        text = self.stem + "".join(f" {n}={v}" for n, v in told)
        config = 0xcbf29ce484222325
        for byte in text.encode():
            config = (config ^ byte) * 0x100000001b3 & (1 << 64) - 1
        reset = bytes(8 * max(1, self._class.in_words))
        lines = ["mrpb-vec 1", f"module {self.stem}"] + [f"set {n} {v}" for n, v in self.sizes.items()]
        lines += [f"config {config:016x}", "seed 1", "tools Python",
                  "inputs " + " ".join(f"{n}:{w}" for n, (_, w) in self._in.items()),
                  f"cycles {len(self._driven) + 1}"]
        for driven in [reset] + self._driven:
            lines.append(" ".join(self._hex(driven, *place) for place in self._in.values()))
        with open(path, "w", encoding="ascii") as f:
            f.write("\n".join(lines) + "\n")

    @staticmethod
    def _hex(driven, word, width):
        bytes_ = driven[8 * word:8 * (word + (width + 63) // 64)]
        return f"{int.from_bytes(bytes_, 'little'):0{(width + 3) // 4}x}"
