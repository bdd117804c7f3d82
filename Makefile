# SPDX-License-Identifier: Apache-2.0
# MRPB, MSHR and PRT in C and in Verilog. `make help` is the manual.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
ifneq ($(words $(CURDIR)),1)
$(error the path of this folder contains a space, which make cannot handle: $(CURDIR))
endif

# The version of clang and LLVM, for the prover, the fuzzer and the second compilation of all C.
LLVM   := $(or $(LLVM),$(shell configs/packages.sh --llvm))
CLANG  := clang-$(LLVM)
CC     := $(if $(FUZZ),$(CLANG),gcc)
comma  := ,
BUILD  := build$(if $(DEV),/dev)$(if $(SAN),/san)$(if $(COV),/cov)$(if $(FUZZ),/fuzz)$(if $(TSAN),/tsan)
# As many processes as -j says; without it, as many as there are processors. The number is in
# MAKEFLAGS only while a recipe runs.
NPROC  := $(shell nproc 2>/dev/null || echo 1)
JOBS    = $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(NPROC))
SUB     = +$(Q)$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(NPROC))
WARN   := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wstrict-prototypes \
          -Wmissing-prototypes -Wcast-qual -Wundef -Wswitch-enum -Wformat=2 -Wvla
SANFLAGS := $(if $(SAN)$(FUZZ),-fsanitize=address$(comma)undefined -fno-sanitize-recover=all -fno-omit-frame-pointer) \
            $(if $(FUZZ),-fsanitize=fuzzer-no-link) $(if $(TSAN),-fsanitize=thread)
# gcc optimises the simulator as a whole when it is linked; every other program that links the
# libraries gets plain code. Functions are aligned: a change in one file then moves the code of the
# others less. The user's OPT replaces all of it. With COV=1 lines are counted; _exit would lose a
# child process's counters.
PLAIN  := $(or $(DEV),$(SAN),$(COV),$(FUZZ),$(TSAN),$(filter command override,$(origin OPT)))
NOTLTO := $(or $(PLAIN),$(findstring clang,$(CC)))
OPT    := $(if $(COV),-O1 --coverage -D_exit=exit,$(if $(SAN)$(TSAN),-O1,-O2) $(if $(NOTLTO),,-falign-functions=64))
LTO    := $(if $(NOTLTO),,-flto=auto -ffat-lto-objects)
CFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L $(OPT) $(if $(SAN)$(TSAN),-g1,-g) $(WARN) $(SANFLAGS) -Icmodel -Itb -Itests
# For the loops over a warp's lanes. gcc 12 with -fipa-ra forgets vzeroupper before a tail call; on
# some processors the code that follows then takes a hundred times as long for each change between
# old and new vector instructions (tests/compilers.sh).
LANES  := -fno-lto $(if $(findstring clang,$(CC)),,-fno-ipa-ra) -ffp-contract=off -fno-math-errno -fno-trapping-math
# A cross compiler's linker and objcopy have its prefix: CC=aarch64-linux-gnu-gcc.
CROSS  := $(shell echo '$(CC)' | sed -nE 's/^(.*-)gcc(-[0-9]+)?$$/\1/p')
LD     := $(CROSS)ld
OBJCOPY := $(CROSS)objcopy
LDLIBS  = -linih -ljansson -lexpat -llzma -lz -lzstd -lsqlite3 -ldl -lm -pthread
Q      := $(if $(V),,@)

CMODEL_SRC := $(wildcard cmodel/*.c cmodel/sim/*.c)
TB_SRC     := $(filter-out $(wildcard tb/verify/prove/*/*.c),$(wildcard tb/*/*.c tb/*/*/*.c tb/*/*/*/*.c))
PTX_SRC    := $(wildcard tb/workload/programs/*/*.ptx)
# Templates of the micro-benchmarks' kernels (tb/workload/ptx/template.h).
KERNEL_SRC := $(wildcard tb/studies/micro/*/*.ptx)
PROVE_SRC  := $(wildcard tb/verify/prove/llvm/*.c tb/verify/prove/parts/*.c)
TEST_SRC   := $(wildcard tests/*/test_*.c tests/*/*/test_*.c)
READERS    := $(shell sed -n 's/^READER.\([a-z]*\),.*/\1/p' tests/fuzz/readers.def)
READER_OBJ := $(READERS:%=$(BUILD)/tests/fuzz/%.o)
MAIN_OBJ   := $(BUILD)/tb/cli/main.o $(BUILD)/tb/cli/main_prove.o
CMODEL_OBJ := $(CMODEL_SRC:%.c=$(BUILD)/%.o)
TB_OBJ     := $(filter-out $(MAIN_OBJ),$(TB_SRC:%.c=$(BUILD)/%.o))
PTX_OBJ    := $(PTX_SRC:%.ptx=$(BUILD)/%.ptx.o) $(KERNEL_SRC:%.ptx=$(BUILD)/%.ptx.o)
PROVE_OBJ  := $(PROVE_SRC:%.c=$(BUILD)/%.o)
TEST_OBJ   := $(TEST_SRC:%.c=$(BUILD)/%.o) $(BUILD)/tests/run.o $(BUILD)/tests/marks.o
BENCH      := $(patsubst tests/bench/bench_%.c,$(BUILD)/bench/%,$(wildcard tests/bench/bench_*.c))

.PHONY: help
help:
	@sed -n 's/^## \?//p' $(firstword $(MAKEFILE_LIST))

## make run          atax on Base-S, cut to 128 iterations, with and without MRPB, one SM in lockstep with the Verilog
## make test         every check; ends with the test runner's own closing line
## make test-long    the same with every one of the similar cases
## make              this text
##
## make dev          build/dev/mrpb without link-time optimisation: a changed line runs in seconds
## make check        the quick part of the tests, with build/dev: layout and format, suites, 20 rows in lockstep (a minute)
##                   one suite: CK_RUN_SUITE=mshr build/dev/check_all; CONTRIBUTING.md says how to run one case or one script
## make build        build/mrpb and the library build/libmrpb.a
## make install [prefix=/usr/local] [DESTDIR=folder]
##                   programs, libmrpb, its header and pages: docs/library.md; make uninstall removes them
## make cosim MODULE=mshr [SET="ENTRIES=5 MERGES=3"] [SEED=1] [CYCLES=1000000] [RTL=dir] [VCD=file]
##                   C model against Verilog, every output and register in every cycle
## make bugs [BUG="mshr-fill-twice mrpb-drain-lost"]
##                   seeded bugs: each single wrong line is found, shrunk and replayed (minutes)
## make odd [BUG=NAME]  bugs that depend on place and time, at odd sizes, found by lockstep (a quarter of an hour)
## make simulators   VERILATOR=PATH: the modules, and tables from elsewhere, with another Verilator
## make conform      the contract of tables of misses: bugs planted in four tables, proofs, 10^9 cycles without a
##                   false alarm (half an hour)
## make conform-path the contract of a path: bugs planted in two caches, 10^9 cycles without a false alarm (CPU hours)
## make conform-l1   the same contract on l1_top: 10^9 cycles at eight sizes without a violation, twelve sizes, and its
##                   planted bugs (an hour of CPU time)
## make conform-public SOURCES=DIR [VERILATOR=PATH]
##                   the same on four public caches in DIR, 10^7 cycles at four sizes each (CPU hours)
## make conform-ventus SOURCES=DIR [VERILATOR=PATH]
##                   five programs of Ventus on its whole GPU, with its L1 and with l1_top: the same memory (minutes)
## make jitter       Verilog that answers alone in an SM, under random stalls: planted errors are found, 10^7 cycles without a violation (minutes)
## make cosim-all    the whole cross of sizes (hours)
## make cosim-l1     l1_top, 10^8 cycles at eight sizes (half an hour of CPU time)
## make prove [LIST=tests/verify/prove/all.txt] [RTL=dir]
##                   C model equal to Verilog for all states and inputs, module by module (minutes)
## make netlists [PDKS=folder]
##                   netlists proved equal to the C model: broken ones, and modules x sizes x libraries (25 CPU minutes): docs/verify/netlist.md
## make cov          line coverage of C and Verilog in one report, functional crosses: docs/verify/coverage.md
## make properties   what the Verilog promises, proved; every state of tiny sizes, C against Verilog (half an hour)
## make fuzz [SECONDS=600] [READER=vcd]
##                   hostile input for every reader of files, under sanitizers
## make bench-threads one run on several threads of this host: docs/threads.md
## make bench [AGAINST=revision] [ROWS='^gpu'] [MARGIN=3]
##                   speed: lockstep, kernel against SystemC, whole GPU; every row of docs/accuracy.md measured anew. Compared with
##                   the build of the last bench, or of a revision, in the same minutes; a loss is marked: docs/bench.md
## make accuracy     cycles beside the reference's in four settings: tests/data/accuracy.csv and docs/accuracy.md (minutes)
## make figures [QUICK=1] [FIG="fig09 fig14"] [SLURM=1 [SBATCH="--partition=long --time=60"]]
##                   the MRPB paper's figures and numbers, measured: docs/figures.md (hours; QUICK=1: cut programs,
##                   minutes, into build/figures-quick; SLURM=1: on a cluster); after an interruption it continues
## make reproduce [QUICK=1] [FIG="fig13 fig15"] [PROGRAM="bfs hs"] [SLURM=1 ...]
##                   pages and figures made again below build/reproduce, and compared byte for byte with those in git: docs/experiments.md
##                   (hours; QUICK=1: the rows of four short programs, minutes); after an interruption it continues
## make sweep-long   1,000 short points: the CPU time that a sweep adds, and ten times kill -9 (two minutes)
## make silicon-opcodes
##                   every opcode, type and word of docs/ptx.md on GPU 0 of this machine, then pairs and triples that pass
##                   results to each other, compared with the executor (ten minutes): docs/silicon.md
## make carry        build/carry: programs and libraries for a machine with a GPU and without packages
## make deb          Debian packages of programs, libraries and the Python package, in build/deb, and tests of these
## make slurm        `mrpb sweep --slurm` on a private Slurm on this machine: dead nodes, killed tasks, full disks (minutes)
## make report [SWEEP="file ..."] [ESTIMATE="file ..."]
##                   build/report.html: one page with all measurements, without network: docs/report.md
## make micro [GPU="m2070 h200"] [DIR=build/micro] [RECORD=1]
##                   four studies' micro-benchmarks on models of six GPUs: deduced, configured, published; a page of
##                   tables and plots for each (two minutes); RECORD=1: also the pages in docs/micro/results
## make micro-blind [CONFIGS=1000] [FIRST=1] [DIR=build/micro-blind]
##                   CONFIGS hidden GPUs, measured by studies that do not see their configuration: docs/micro/blind.md
##                   (1,000 take half an hour)
## make estimate [CONFIG=configs/base-s-mrpb.conf] [VARY="MRPB_DEPTH=4,8,16"] [CACTI=binary] [DIR=folder]
##                   [LIBERTY="file ..."] [CLOCK=GHz] [KERNEL=atax] [CUT=128] [STUDY=1]
##                   the cost of the hardware: one report and the files behind it, docs/estimate/; STUDY=1: drain
##                   policies, depths, queues and tables side by side (most of an hour, once: results are kept)
## make estimate-place [MODULE=mshr] [SET="ENTRIES=32 MERGES=8"]
##                   a module placed and routed (qflow, OSU018): area, wires, period, docs/estimate/place.md; make estimate-fpga:
##                   in an iCE40; make estimate-place-record: the page's table anew (hours); make estimate-place-check: their tests
## make estimate-check
##                   area and periods of the modules against tests/estimate/baseline.json and, with Yosys' own script for
##                   ABC, stock.json beside it, 5 % either way
## make export-lef   the test of `mrpb export`, with the outline read by magic and klayout
## make mutate       wrong versions of every module, in Verilog and in C: how many does the co-simulation notice?
## make waves        opens the wave of `make run` in GTKWave
## make waves MODULE=mshr [SET="ENTRIES=5 MERGES=3"] [SEED=1] [CYCLES=2000] [RTL=dir]
##                   a wave of a short run of that module, C model beside Verilog, opened in GTKWave
## make distro [DIST=trixie] [ARCH=arm64]
##                   a fresh Debian in build/distro: `make run` and `make test` there as root and as a user (needs root and
##                   debootstrap; hours); of another ARCH under qemu-user: `make run` and `make check`
## make lint         the RTL through all three tools, every illegal size refused; text that tools read differently is refused
## make docs         regenerates docs/config.md, port tables, pictures and tables from measurements
## make site         the pages as a site in build/site, without network; every link is checked (seconds)
## make site-serve [PORT=8000]
##                   the same, served to this machine's browser with its search: http://127.0.0.1:8000/
## make clean        removes build/
##
## SAN=1 builds with address and undefined-behaviour sanitizers under build/san; V=1 shows the commands. -jN runs N processes at
## a time; the default is one per processor. CC=clang-14 and OPT=-O0 build as well; LLVM=19 selects that version. A warning fails
## a build with WERROR=1 and in `make test` (where WERROR= lets it pass).
## Needed Debian packages: configs/packages.txt; `make run` and `make test` install what is missing.

# ---- packages -----------------------------------------------------------------------------------------
PACKAGES := configs/packages.txt
slurm: PACKAGES += configs/packages-slurm.txt
deb: PACKAGES += configs/packages-deb.txt
export-lef: PACKAGES += configs/packages-export.txt
site site-serve: PACKAGES := configs/packages-site.txt
estimate-place estimate-place-record estimate-place-check: PACKAGES += configs/packages-place.txt
estimate-fpga estimate-place-record estimate-place-check: PACKAGES += configs/packages-fpga.txt

.PHONY: packages
packages:
	@missing=$$(LLVM=$(LLVM) configs/packages.sh $(PACKAGES)); \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" != 0 ]; then \
	  echo "packages are missing; type: sudo apt-get update && sudo apt-get install --no-install-recommends -y $$missing" >&2; exit 2; fi; \
	echo "installing: $$missing"; mkdir -p build; \
	{ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --no-install-recommends -y $$missing; } \
	  > build/packages.log 2>&1 || { tail -5 build/packages.log >&2; \
	  echo "apt-get failed; see build/packages.log" >&2; exit 2; }

# ---- C ------------------------------------------------------------------------------------------------
.PHONY: build programs FORCE
programs: $(BUILD)/mrpb $(BUILD)/libmrpb.a
# As a user types it, on all processors. Beside other goals they would be built twice at a time.
ifeq ($(filter-out packages build,$(MAKECMDGOALS))$(MAKELEVEL),0)
build:
	$(SUB) programs
else
build: programs
endif

# A change of flags recompiles everything; a change in the set of files remakes the libraries and
# the files that list them. An object is the same with -Werror and without. The tests' own files are
# in build/tmp.
FLAGS_TEXT := $(CC) $(CFLAGS) $(LTO) $(LANES)
$(BUILD)/flags: TEXT = $(FLAGS_TEXT)
$(BUILD)/files: TEXT = $(CMODEL_SRC) $(TB_SRC) $(PROVE_SRC) $(TEST_SRC) $(PTX_SRC) $(KERNEL_SRC)
$(BUILD)/flags $(BUILD)/files: FORCE
	@mkdir -p $(@D) build/tmp; echo '$(TEXT)' | cmp -s - $@ || echo '$(TEXT)' > $@

# The source tree, where a copied program still finds its files (tb/base/home.h).
$(BUILD)/tb/base/home.o: CFLAGS += -DMRPB_HOME='"$(CURDIR)"'

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC   $<")
	$(Q)$(CC) $(CFLAGS) $(if $(WERROR),-Werror) -MMD -MP -I$(BUILD) -c $< -o $@

$(BUILD)/cmodel/%.o $(BUILD)/tb/%.o: CFLAGS += $(LTO)

# Queries of tests/compilers.sh.
.PHONY: show-flags show-jobs show-llvm
show-flags:
	@echo '$(CFLAGS) $(LTO)'
show-jobs:
	@echo $(JOBS)
show-llvm:
	@echo $(LLVM)

# Code that runs in every cycle.
HOT := cmodel tb/parts tb/gpu tb/gpu/dram tb/gpu/icnt tb/gpu/l2 tb/gpu/pipeline tb/gpu/cores tb/gpu/flits tb/gpu/windows tb/gpu/inorder tb/gpu/ports tb/workload/simt
$(addsuffix /%.o,$(addprefix $(BUILD)/,$(HOT))): CFLAGS += $(if $(PLAIN),,-O3)

# The prover's memory is bytes, whatever their type (docs/verify/prove.md); so is gcc's.
$(CMODEL_OBJ): CFLAGS += -fno-strict-aliasing

# The loops over a warp's lanes: vectorised, with exactly the results of IEEE 754.
$(BUILD)/tb/workload/simt/exec_%.o: CFLAGS += $(if $(PLAIN),,-O3) $(LANES)
$(BUILD)/tb/workload/simt/exec_round.o: CFLAGS += -frounding-math

# The modules: each file of cmodel/ports is one. The lists of their classes, stimuli and crosses.
MODULES := $(shell cmodel/modules.sh)
owners   = $(foreach m,$(MODULES),$(if $(wildcard $1/$2$m.c),$m))
$(BUILD)/modules.def: TEXT = $(MODULES)
$(BUILD)/stimuli.def: TEXT = $(call owners,tb/cosim/stim)
$(BUILD)/crosses.def: TEXT = $(call owners,tb/cosim/cross)
$(BUILD)/cells.def:   TEXT = $(call owners,tb/cosim/cross,cells_)
$(addprefix $(BUILD)/,modules.def stimuli.def crosses.def cells.def): FORCE
	@mkdir -p $(@D); printf 'MODULE_STEM(%s)\n' $(TEXT) | cmp -s - $@ || printf 'MODULE_STEM(%s)\n' $(TEXT) > $@

$(BUILD)/cmodel/module_list.o $(BUILD)/pic/cmodel/module_list.o: $(BUILD)/modules.def
$(BUILD)/tb/cosim/stim/stim_list.o: $(BUILD)/stimuli.def
$(BUILD)/tb/cosim/cross/cross.o: $(BUILD)/crosses.def
$(BUILD)/tb/cosim/cross/cells.o: $(BUILD)/cells.def

$(BUILD)/libmrpb.a: $(CMODEL_OBJ) $(BUILD)/files
	@rm -f $@; echo "  AR   $@"
	$(Q)ar rcs $@ $(filter %.o,$^)

# PTX texts are embedded: generated lists find the symbols of ld.
EMBED = mkdir -p $(@D) && cd $(1) && $(LD) -r -b binary -z noexecstack -o $(abspath $@) $(patsubst $(1)/%,%,$<)
LIST  = for f in $(patsubst $(1)/%,%,$(2)); do echo "PTX_TEXT(\"$$f\", $${f//[^a-zA-Z0-9]/_})"; done > $@
$(BUILD)/tb/workload/programs/%.ptx.o: tb/workload/programs/%.ptx
	$(Q)$(call EMBED,tb/workload/programs)

$(BUILD)/tb/studies/micro/%.ptx.o: tb/studies/micro/%.ptx
	$(Q)$(call EMBED,tb/studies/micro)

$(BUILD)/ptx.def: $(BUILD)/files
	@$(call LIST,tb/workload/programs,$(PTX_SRC))

$(BUILD)/kernels.def: $(BUILD)/files
	@$(call LIST,tb/studies/micro,$(KERNEL_SRC))

$(BUILD)/tb/workload/programs/program.o: $(BUILD)/ptx.def
$(BUILD)/tb/studies/micro/kernels/text.o: $(BUILD)/kernels.def

$(BUILD)/libtb.a: $(TB_OBJ) $(PTX_OBJ) $(BUILD)/files
	@rm -f $@; echo "  AR   $@"
	$(Q)ar rcs $@ $(filter %.o,$^)

$(BUILD)/mrpb: $(BUILD)/tb/cli/main.o $(BUILD)/libtb.a $(BUILD)/libmrpb.a
	@echo "  LD   $@"
	$(Q)$(CC) $(OPT) $(LTO) $(SANFLAGS) -o $@ $^ $(LDLIBS)

# Only the prover needs LLVM; everything else is built without it.
LLVM_DIR := /usr/lib/llvm-$(LLVM)
LLVM_LIB := -L$(LLVM_DIR)/lib -lLLVM-$(LLVM)
$(BUILD)/tb/verify/prove/llvm/%.o: CFLAGS += -isystem $(LLVM_DIR)/include -DPROVE_CLANG='"$(CLANG)"'
# How a model of the simulator is compiled, for the program that the prover runs beside its graph.
MODEL_CC := $(CC) $(filter-out -I% -g --coverage -D_exit=exit $(WARN),$(CFLAGS)) $(if $(PLAIN),,-O3) -fno-strict-aliasing
$(BUILD)/tb/verify/prove/llvm/object.o: CFLAGS += -DPROVE_COMPILER='"$(MODEL_CC)"'

$(BUILD)/mrpb-prove: $(BUILD)/tb/cli/main_prove.o $(PROVE_OBJ) $(BUILD)/libtb.a $(BUILD)/libmrpb.a
	@echo "  LD   $@"
	$(Q)$(CC) $(OPT) $(SANFLAGS) -o $@ $^ $(LLVM_LIB) $(LDLIBS)

# The test runners; tests/marks.c says what is wrapped.
LIBCHECK := -Wl,--wrap=_mark_point $$(pkg-config --libs check)

# The prover's own tests: code that goes through clang goes through gcc as well.
$(BUILD)/check_prove: $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/verify/prove/*.c)) \
    $(BUILD)/tests/marks.o $(PROVE_OBJ) $(BUILD)/libtb.a $(BUILD)/libmrpb.a
	@echo "  LD   $@"
	$(Q)$(CC) $(SANFLAGS) -o $@ $^ $(LLVM_LIB) $(LDLIBS) $(LIBCHECK)

$(BUILD)/suites.def: $(BUILD)/files
	@for f in $(TEST_SRC); do s=$${f##*/test_}; echo "SUITE($${s%.c}, \"$${f%/*}\")"; done > $@

$(BUILD)/tests/run.o: $(BUILD)/suites.def

$(BUILD)/check_all: $(TEST_OBJ) $(READER_OBJ) $(BUILD)/libtb.a $(BUILD)/libmrpb.a
	@echo "  LD   $@"
	$(Q)$(CC) $(SANFLAGS)$(if $(COV), --coverage) -o $@ $^ $(LDLIBS) $(LIBCHECK)

# A GPU for tests: the driver's library, backed by the model.
$(BUILD)/fake/libcuda.so.1: $(wildcard tests/silicon/fake_*.[ch]) tb/workload/silicon/driver.h $(BUILD)/libtb.a $(BUILD)/libmrpb.a
	@mkdir -p $(@D); echo "  LD   $@"
	$(Q)$(CC) $(filter-out -Wmissing-prototypes,$(CFLAGS)) -fPIC -shared -Wl,-Bsymbolic -o $@ \
	  $(filter %.c %.a,$^) $(LDLIBS)

$(BUILD)/opcodes: $(wildcard tests/silicon/opcode*.c) tests/silicon/opcodes.h $(BUILD)/libtb.a $(BUILD)/libmrpb.a
	@echo "  LD   $@"
	$(Q)$(CC) $(CFLAGS) -o $@ $(filter %.c %.a,$^) $(LDLIBS)

# What a machine with a GPU and its driver, but without packages, needs to run the programs.
.PHONY: carry
carry: $(BUILD)/mrpb $(BUILD)/opcodes
	$(Q)rm -rf $(BUILD)/carry; mkdir -p $(BUILD)/carry/lib $(BUILD)/carry/configs; cp configs/h100.conf configs/h200.conf $(BUILD)/carry/configs
	$(Q)$(OBJCOPY) --strip-all $(BUILD)/mrpb $(BUILD)/carry/mrpb && $(OBJCOPY) --strip-all $(BUILD)/opcodes $(BUILD)/carry/opcodes
	$(Q)ldd $(BUILD)/mrpb | awk '/lib(inih|jansson|expat|lzma|z|zstd|sqlite3)\./ {print $$3}' | xargs cp -L -t $(BUILD)/carry/lib
	@du -sh $(BUILD)/carry

$(BUILD)/bench/systemc: tests/bench/bench_systemc.cpp tests/bench/bench_kernel.h
	@mkdir -p $(@D); echo "  CXX  $<"
	$(Q)g++ -std=c++17 -O2 -o $@ $< -lsystemc

$(BUILD)/bench/%: tests/bench/bench_%.c $(BUILD)/libtb.a $(BUILD)/libmrpb.a
	@mkdir -p $(@D); echo "  CC   $<"
	$(Q)$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

-include $(shell find $(BUILD) -type f -name '*.d' -not -path '$(BUILD)/rtl/*' -not -path '$(BUILD)/distro/*' 2>/dev/null)

# ---- the library for others: docs/library.md ----------------------------------------------------------
# libmrpb.h is made from tables and headers (docs/generate.sh keeps the copy in cmodel/). Both
# libraries are compiled again, position independent and without link-time optimisation, so that a
# shared object, too, can take in libmrpb.a. Names that libmrpb.h does not declare are symbols of
# neither.
VERSION   := $(shell sed -n 's/^.define MRPB_VERSION "\(.*\)"/\1/p' cmodel/version.h)
SOVERSION := 2
PIC_OBJ   := $(CMODEL_SRC:%.c=$(BUILD)/pic/%.o)
SOLIB     := libmrpb.so.$(SOVERSION).$(VERSION)

.PHONY: library
library: $(BUILD)/lib/libmrpb.a $(BUILD)/lib/$(SOLIB) $(BUILD)/lib/libmrpb.h

$(BUILD)/header-structs: $(BUILD)/cmodel/header/structs.o $(BUILD)/libmrpb.a
	$(Q)$(CC) $(OPT) $(SANFLAGS) -o $@ $^

$(BUILD)/lib/libmrpb.h: cmodel/header/header.sh cmodel/header/libmrpb.h.in $(BUILD)/header-structs $(wildcard cmodel/*.h cmodel/ports/*.h cmodel/ports/*.def cmodel/sim/*.h)
	@mkdir -p $(@D); echo "  GEN  $@"
	$(Q)cmodel/header/header.sh $(BUILD)/header-structs > $@

# Every function that libmrpb.h declares and does not define.
$(BUILD)/lib/public.txt: $(BUILD)/lib/libmrpb.h cmodel/header/public.awk
	$(Q)awk -f cmodel/header/public.awk $< | LC_ALL=C sort > $@

$(BUILD)/lib/libmrpb.map: $(BUILD)/lib/public.txt
	$(Q){ echo 'LIBMRPB_$(SOVERSION) {'; echo ' global:'; sed 's/.*/  &;/' $<; echo ' local: *;'; echo '};'; } > $@

$(BUILD)/pic/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(if $(V),,@echo "  PIC  $<")
	$(Q)$(CC) $(CFLAGS) $(if $(TSAN),-O1,-O3) -fno-strict-aliasing -fPIC -ffile-prefix-map=$(CURDIR)=. \
	  -I$(BUILD) -MMD -MP -c $< -o $@

$(BUILD)/lib/$(SOLIB): $(PIC_OBJ) $(BUILD)/lib/libmrpb.map
	@echo "  LD   $@"
	$(Q)$(CC) $(SANFLAGS) -shared -Wl,-soname,libmrpb.so.$(SOVERSION) -Wl,--version-script=$(BUILD)/lib/libmrpb.map \
	  -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,noexecstack -o $@ $(PIC_OBJ)
	$(Q)ln -sf $(SOLIB) $(@D)/libmrpb.so.$(SOVERSION) && ln -sf libmrpb.so.$(SOVERSION) $(@D)/libmrpb.so

$(BUILD)/lib/libmrpb.a: $(PIC_OBJ) $(BUILD)/lib/public.txt
	@rm -f $@; echo "  AR   $@"
	$(Q)$(LD) -r -o $(@D)/libmrpb.o $(PIC_OBJ) && $(OBJCOPY) --keep-global-symbols=$(BUILD)/lib/public.txt $(@D)/libmrpb.o
	$(Q)ar rcs $@ $(@D)/libmrpb.o

# The whole GPU as a second library: the parts of tb/ that it uses are linked into it, together with
# the models, and stay internal. The linker finds which other libraries it needs.
GPU_PARTS := tb/base tb/base/waves tb/parts tb/config tb/workload tb/workload/ptx tb/workload/simt tb/workload/launch tb/workload/trace tb/workload/programs \
  $(patsubst %/,%,$(wildcard tb/workload/programs/*/)) tb/gpu tb/gpu/check tb/gpu/timeline tb/gpu/icnt tb/gpu/dram tb/gpu/l2 tb/gpu/pipeline tb/gpu/cores tb/gpu/flits tb/gpu/windows tb/gpu/inorder tb/gpu/ports
GPU_PIC   := $(patsubst %.c,$(BUILD)/pic/%.o,$(foreach d,$(GPU_PARTS),$(wildcard $(d)/*.c)))
GPU_API   := $(patsubst %.c,$(BUILD)/pic/%.o,$(wildcard tb/gpu/library/*.c))
GPU_SOLIB := libmrpb-gpu.so.$(SOVERSION).$(VERSION)

library: $(BUILD)/lib/libmrpb-gpu.a $(BUILD)/lib/$(GPU_SOLIB)

$(BUILD)/pic/tb/workload/simt/exec_%.o: CFLAGS += $(LANES)
$(BUILD)/pic/tb/workload/simt/exec_round.o: CFLAGS += -frounding-math
$(BUILD)/pic/tb/workload/programs/program.o: $(BUILD)/ptx.def

$(BUILD)/lib/libmrpb-gpu.h: cmodel/header/header.sh tb/gpu/library/libmrpb-gpu.h.in tb/gpu/library/mrpb_gpu.h tb/gpu/memories/connect.h
	@mkdir -p $(@D); echo "  GEN  $@"
	$(Q)cmodel/header/header.sh /dev/null tb/gpu/library/libmrpb-gpu.h.in > $@

# The same structs, enums and functions for ctypes.
library: $(BUILD)/lib/_structs.py
$(BUILD)/lib/_structs.py: python/structs.py $(BUILD)/lib/libmrpb.h $(BUILD)/lib/libmrpb-gpu.h
	@echo "  GEN  $@"
	$(Q)$(CC) -E -I$(@D) $(@D)/libmrpb-gpu.h > $(BUILD)/lib/structs.i && python3 python/structs.py $(@D) < $(BUILD)/lib/structs.i > $@

$(BUILD)/lib/gpu-public.txt: $(BUILD)/lib/libmrpb-gpu.h cmodel/header/public.awk
	$(Q)awk -f cmodel/header/public.awk $< | LC_ALL=C sort > $@

$(BUILD)/lib/libmrpb-gpu.map: $(BUILD)/lib/gpu-public.txt
	$(Q){ echo 'LIBMRPB_GPU_$(SOVERSION) {'; echo ' global:'; sed 's/.*/  &;/' $<; echo ' local: *;'; echo '};'; } > $@

$(BUILD)/pic/libgpu.a: $(GPU_PIC) $(PIC_OBJ) $(PTX_OBJ) $(BUILD)/files
	@rm -f $@; echo "  AR   $@"
	$(Q)ar rcs $@ $(filter %.o,$^)

$(BUILD)/lib/libmrpb-gpu.o: $(GPU_API) $(BUILD)/pic/libgpu.a $(BUILD)/lib/gpu-public.txt
	$(Q)$(LD) -r -z noexecstack -o $@ $(filter %.o %.a,$^) && $(OBJCOPY) --keep-global-symbols=$(BUILD)/lib/gpu-public.txt $@

$(BUILD)/lib/libmrpb-gpu.a: $(BUILD)/lib/libmrpb-gpu.o
	@rm -f $@; echo "  AR   $@"
	$(Q)ar rcs $@ $<

$(BUILD)/lib/$(GPU_SOLIB): $(BUILD)/lib/libmrpb-gpu.o $(BUILD)/lib/libmrpb-gpu.map
	@echo "  LD   $@"
	$(Q)$(CC) $(SANFLAGS) -shared -Wl,-soname,libmrpb-gpu.so.$(SOVERSION) -Wl,--version-script=$(BUILD)/lib/libmrpb-gpu.map \
	  -Wl,-Bsymbolic -Wl,-z,defs -Wl,-z,noexecstack -Wl,--as-needed -o $@ $< $(LDLIBS)
	$(Q)ln -sf $(GPU_SOLIB) $(@D)/libmrpb-gpu.so.$(SOVERSION) && ln -sf libmrpb-gpu.so.$(SOVERSION) $(@D)/libmrpb-gpu.so

# GPUs in threads, and a GPU on threads, under the thread sanitizer: make TSAN=1 build/tsan/threads
# build/tsan/apart (tests/gpu/threads.sh).
$(BUILD)/apart: tests/gpu/apart.c $(BUILD)/pic/libgpu.a
	@echo "  LD   $@"
	$(Q)$(CC) $(CFLAGS) -O1 -o $@ $^ $(LDLIBS)

$(BUILD)/threads: tests/gpu/threads.c $(GPU_API) $(BUILD)/pic/libgpu.a
	@echo "  LD   $@"
	$(Q)$(CC) $(CFLAGS) -O1 -o $@ $^ $(LDLIBS) -pthread

# ---- install ------------------------------------------------------------------------------------------
prefix      := /usr/local
exec_prefix  = $(prefix)
bindir       = $(exec_prefix)/bin
libdir       = $(exec_prefix)/lib
includedir   = $(prefix)/include
datarootdir  = $(prefix)/share
mandir       = $(datarootdir)/man
docdir       = $(datarootdir)/doc/mrpb
bashdir      = $(datarootdir)/bash-completion/completions
pkgdatadir   = $(datarootdir)/mrpb
# Where Debian's python3 looks below /usr/local; elsewhere PYTHONPATH must name it.
pythondir    = $(prefix)/lib/python$(shell python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')/dist-packages
INSTALL     := install

# What the programs read while they run, in the layout of the source tree (tb/base/home.h).
DATA := $(wildcard rtl/*.v rtl/formal/* configs/*.conf configs/figures/* cmodel/*.[ch] cmodel/new/* tb/cosim/stim/stim.[ch] tb/cosim/stim/bins.h cmodel/ports/*.h cmodel/ports/*.def cmodel/sim/*.[ch] \
          tb/verilog/shim/* tb/verilog/canary/* tb/studies/report/page/* tb/verify/conform/iface*.h tb/verify/path/iface*.h tb/verify/twice/iface*.h tb/verify/prove/inv/* tb/verify/prove/parts/* $(filter-out waves/run.gtkw,$(wildcard waves/*.gtkw)) \
          tests/verify/prove/*.list tests/verify/prove/*.txt tests/verify/mutate/*.txt tests/cosim/*.txt)
PYTHON := $(wildcard python/mrpb/*.py)
PAGES := $(wildcard docs/library.md docs/kernel.md docs/modules/*.md docs/adapters.md docs/python.md docs/pictures/python/*.svg docs/examples/library/* docs/examples/adapters/* LICENSE NOTICE CHANGELOG.md)

# A program knows where its data are installed: that path is written over the source tree's path in
# it.
define install_program
	$(Q)$(INSTALL) -d '$(DESTDIR)$(bindir)'
	$(Q)head -c 1024 < <(printf '%s' '$(pkgdatadir)'; cat /dev/zero) > $(BUILD)/lib/home
	$(Q)$(OBJCOPY) --strip-all --update-section .mrpb.home=$(BUILD)/lib/home $(BUILD)/$1 $(BUILD)/lib/$1
	$(Q)$(INSTALL) -m 755 $(BUILD)/lib/$1 '$(DESTDIR)$(bindir)/$1'
endef
install_file = $(INSTALL) -D -m $(if $(filter %.sh,$1),755,644) $1 '$(DESTDIR)$2'

MRPB_IS := cycle-accurate models of MRPB, MSHR and PRT, and an event kernel
GPU_IS  := a GPU from its SMs to its DRAM, cycle by cycle
$(BUILD)/lib/libmrpb.3: cmodel/header/manual.sh $(BUILD)/lib/libmrpb.h
	$(Q)$^ mrpb '$(MRPB_IS)' > $@
$(BUILD)/lib/libmrpb-gpu.3: cmodel/header/manual.sh $(BUILD)/lib/libmrpb-gpu.h
	$(Q)$^ mrpb-gpu '$(GPU_IS)' > $@

# A library: header, page, both forms, the .pc. $1 is its name, $2 the file of the shared one, $3
# that of the static one, $4 its description, $5 more lines of the .pc. A static program also needs
# the libraries that the shared one lists as needed.
define install_library
	$(Q)$(INSTALL) -m 644 $(BUILD)/lib/lib$1.h '$(DESTDIR)$(includedir)/lib$1.h'
	$(Q)$(INSTALL) -m 644 $(BUILD)/lib/lib$1.3 '$(DESTDIR)$(mandir)/man3/lib$1.3'
	$(Q)strip --strip-debug -o '$(DESTDIR)$(libdir)/lib$1.a' $3
	$(Q)strip --strip-unneeded -o '$(DESTDIR)$(libdir)/lib$1.so.$(SOVERSION).$(VERSION)' $2
	$(Q)ln -sf lib$1.so.$(SOVERSION).$(VERSION) '$(DESTDIR)$(libdir)/lib$1.so.$(SOVERSION)'
	$(Q)ln -sf lib$1.so.$(SOVERSION) '$(DESTDIR)$(libdir)/lib$1.so'
	$(Q)printf '%s\n' 'prefix=$(prefix)' 'exec_prefix=$(exec_prefix:$(prefix)%=$${prefix}%)' 'libdir=$(libdir:$(prefix)%=$${prefix}%)' \
	  'includedir=$(includedir:$(prefix)%=$${prefix}%)' $5 '' 'Name: $1' 'Description: $4' 'Version: $(VERSION)' \
	  'Libs: -L$${libdir} -l$1' "Libs.private:$$(objdump -p $2 | awk '$$1 == "NEEDED" && $$2 !~ /^lib(c|mrpb)\./ {sub(/\.so.*/, "", $$2); sub(/^lib/, " -l", $$2); printf $$2}')" \
	  'Cflags: -I$${includedir}' > '$(DESTDIR)$(libdir)/pkgconfig/$1.pc'
endef

.PHONY: install uninstall
install: $(BUILD)/mrpb $(BUILD)/mrpb-prove library $(BUILD)/lib/libmrpb.3 $(BUILD)/lib/libmrpb-gpu.3
	$(call install_program,mrpb)
	$(call install_program,mrpb-prove)
	$(Q)$(INSTALL) -d '$(DESTDIR)$(libdir)/pkgconfig' '$(DESTDIR)$(includedir)' '$(DESTDIR)$(mandir)/man1' '$(DESTDIR)$(mandir)/man3' \
	  '$(DESTDIR)$(bashdir)'
	$(call install_library,mrpb,$(BUILD)/lib/$(SOLIB),$(BUILD)/lib/libmrpb.a,$(MRPB_IS),'kit=$(pkgdatadir:$(prefix)%=$${prefix}%)')
	$(Q)$(OBJCOPY) --update-section .mrpb.home=$(BUILD)/lib/home $(BUILD)/lib/$(GPU_SOLIB) $(BUILD)/lib/gpu-installed.so
	$(Q)$(OBJCOPY) --update-section .mrpb.home=$(BUILD)/lib/home $(BUILD)/lib/libmrpb-gpu.a $(BUILD)/lib/gpu-installed.a
	$(call install_library,mrpb-gpu,$(BUILD)/lib/gpu-installed.so,$(BUILD)/lib/gpu-installed.a,$(GPU_IS),'python=$(pythondir:$(prefix)%=$${prefix}%)')
	$(Q)$(INSTALL) -m 644 tb/verify/path/mrpb_path.h '$(DESTDIR)$(includedir)/mrpb_path.h'
	$(Q)$(BUILD)/mrpb help --man > '$(DESTDIR)$(mandir)/man1/mrpb.1'
	$(Q)$(BUILD)/mrpb help --bash > '$(DESTDIR)$(bashdir)/mrpb'
	$(Q)$(foreach f,$(PYTHON),$(call install_file,$f,$(pythondir)/$(f:python/%=%)) &&) true
	$(Q)$(call install_file,$(BUILD)/lib/_structs.py,$(pythondir)/mrpb/_structs.py)
	$(Q)$(foreach f,$(DATA),$(call install_file,$f,$(pkgdatadir)/$f) &&) true
	$(Q)$(foreach f,$(PAGES),$(call install_file,$f,$(docdir)/$(f:docs/%=%)) &&) true
	@echo "installed in $(DESTDIR)$(prefix); if it is a new place for libraries: ldconfig"

uninstall:
	$(if $(filter-out /,$(patsubst %/,%,$(prefix))),,$(error prefix=$(prefix): legal: a folder))
	$(if $(and $(filter mrpb,$(notdir $(pkgdatadir))),$(filter mrpb,$(notdir $(docdir)))),,$(error \
	  $(pkgdatadir), $(docdir): removed as a whole; legal: folders called mrpb))
	rm -f '$(DESTDIR)$(bindir)/mrpb' '$(DESTDIR)$(bindir)/mrpb-prove' '$(DESTDIR)$(mandir)/man1/mrpb.1' '$(DESTDIR)$(bashdir)/mrpb' \
	  '$(DESTDIR)$(includedir)/mrpb_path.h'
	rm -f $(foreach l,mrpb mrpb-gpu,'$(DESTDIR)$(includedir)/lib$l.h' '$(DESTDIR)$(libdir)/lib$l.a' '$(DESTDIR)$(libdir)/lib$l.so' \
	  '$(DESTDIR)$(libdir)'/lib$l.so.$(SOVERSION)* '$(DESTDIR)$(libdir)/pkgconfig/$l.pc' '$(DESTDIR)$(mandir)/man3/lib$l.3')
	rm -rf '$(DESTDIR)$(pythondir)/mrpb' '$(DESTDIR)$(pkgdatadir)' '$(DESTDIR)$(docdir)'

# The installation that the tests use: tests/install.sh, tests/examples.sh; Python finds it by STAGED.
STAGED = PATH=$(CURDIR)/build/stage/usr/local/bin:$$PATH LD_LIBRARY_PATH=$(CURDIR)/build/stage/usr/local/lib \
         PYTHONPATH=$(patsubst $(prefix)/%,$(CURDIR)/build/stage/usr/local/%,$(pythondir))
.PHONY: stage
stage: $(BUILD)/mrpb $(BUILD)/mrpb-prove library $(BUILD)/lib/libmrpb.3 $(BUILD)/lib/libmrpb-gpu.3
	$(Q)rm -rf $(BUILD)/stage
	$(Q)$(MAKE) --no-print-directory install DESTDIR=$(CURDIR)/$(BUILD)/stage prefix=/usr/local > /dev/null

# Debian packages of the files known to git, built in a copy of the tree: docs/library.md.
.PHONY: deb
deb: packages
	$(Q)rm -rf build/deb && mkdir -p build/deb/mrpb-$(VERSION)
	$(Q)git ls-files -z | xargs -0 cp --parents -t build/deb/mrpb-$(VERSION)
	$(Q)cd build/deb/mrpb-$(VERSION) && env -u MAKEFLAGS -u MFLAGS DEB_BUILD_OPTIONS=parallel=$(JOBS) \
	  dpkg-buildpackage -us -uc -b > ../build.log 2>&1 || { tail -n 20 ../build.log; exit 1; }
	$(Q)lintian --fail-on error build/deb/*.changes
	$(Q)tests/deb.sh build/deb
	@ls build/deb/*.deb

# The shape of the library as the last release left it; recorded anew with each release: make abi
.PHONY: abi
abi: library
	$(Q)tests/cmodel/abi.sh --record

# ---- what a user calls --------------------------------------------------------------------------------
.PHONY: run
run: packages
	$(SUB) build
	$(Q)tb/cli/run.sh

.PHONY: cosim cosim-all cosim-l1 waves
cosim: packages
	$(SUB) build
	$(Q)build/mrpb cosim $(MODULE) $(foreach s,$(SET),--set $(s)) $(if $(SEED),--seed $(SEED)) \
	  $(if $(CYCLES),--cycles $(CYCLES)) $(if $(RTL),--rtl $(RTL)) $(if $(VCD),--vcd $(VCD))

cosim-all: packages
	$(SUB) build
	$(Q)tests/cosim/all.sh > build/cosim-all.txt
	$(Q)build/mrpb cosim --matrix build/cosim-all.txt --jobs $(JOBS)

cosim-l1: packages
	$(SUB) build
	$(Q)build/mrpb cosim --matrix tests/cosim/l1_top.txt --cycles 12500000 --jobs $(JOBS)

.PHONY: properties
properties: packages
	$(SUB) build
	$(Q)build/mrpb properties --jobs $(JOBS)
	$(Q)build/mrpb explore

$(BUILD)/fuzz-%: tests/fuzz/target.c tests/fuzz/readers.def $(READER_OBJ) $(BUILD)/libtb.a $(BUILD)/libmrpb.a
	@echo "  LD   $@"
	$(Q)$(CC) $(CFLAGS) -fsanitize=fuzzer -DREADER_NAME=$* \
	  -DREADER_FILE='$(shell sed -n 's/^READER.$*, *\(".*"\)./\1/p' tests/fuzz/readers.def)' \
	  -o $@ $(filter %.c %.o %.a,$^) $(LDLIBS)

.PHONY: fuzz
fuzz: packages
	$(SUB) FUZZ=1 $(patsubst %,build/fuzz/fuzz-%,$(or $(READER),$(READERS)))
	$(Q)tests/fuzz/fuzz.sh $(or $(SECONDS),600) $(or $(READER),$(READERS))

.PHONY: mutate
mutate: packages
	$(SUB) build
	$(Q)build/mrpb mutate --list tests/verify/mutate/modules.txt
	$(Q)build/mrpb mutate --list tests/verify/mutate/c.txt --c

.PHONY: prove prover
prove: packages
	$(SUB) build prover
	$(Q)build/mrpb prove --list $(or $(LIST),tests/verify/prove/all.txt) --jobs $(JOBS) $(if $(RTL),--rtl $(RTL))

prover: $(BUILD)/mrpb-prove

.PHONY: netlists
netlists: packages
	$(SUB) build prover
	$(Q)tests/verify/prove/netlists/all.sh $(PDKS)

.PHONY: estimate
estimate: packages
	$(SUB) build
	$(Q)build/mrpb estimate -c $(or $(CONFIG),configs/base-s-mrpb.conf) --jobs $(JOBS) \
	  $(foreach l,$(LIBERTY),--liberty $(l)) $(if $(CLOCK),--clock $(CLOCK)) $(if $(STUDY),--study) \
	  $(foreach v,$(VARY),--vary $(v)) $(if $(CACTI),--cacti $(CACTI)) $(if $(DIR),-o $(DIR)) \
	  --kernel $(or $(KERNEL),atax) --cut $(or $(CUT),128)

.PHONY: export-lef
export-lef: packages build
	$(Q)tests/export/export.sh --lef

.PHONY: estimate-check
estimate-check: packages
	$(SUB) build
	$(Q)build/mrpb estimate --check tests/estimate/baseline.json --jobs $(JOBS)
	$(Q)build/mrpb estimate --check tests/estimate/stock.json --abc stock --jobs $(JOBS)

# Placed, routed, fitted into an FPGA: docs/estimate/place.md. The lists of packages are their own.
PLACED = build/mrpb estimate $(or $(MODULE),mshr) $(foreach s,$(SET),--set $(s))

.PHONY: estimate-place estimate-fpga estimate-place-record estimate-place-check
estimate-place: packages
	$(SUB) build
	$(Q)$(PLACED) --place
estimate-fpga: packages
	$(SUB) build
	$(Q)$(PLACED) --fpga ice40
estimate-place-record: packages
	$(SUB) build
	$(Q)tests/estimate/placed.sh $(if $(SECONDS),--place-seconds $(SECONDS))
estimate-place-check: packages
	$(SUB) build
	$(Q)tests/estimate/place.sh

# How runs of a campaign are made; SBATCH without SLURM is left for the program to refuse.
RUNS = --jobs $(JOBS) $(if $(SLURM),--slurm) $(foreach o,$(SBATCH),--sbatch $(o))

.PHONY: figures
figures: packages
	$(SUB) build
	$(Q)build/mrpb figures $(FIG) $(if $(QUICK),--quick,--out docs/figures --page docs/figures.md) $(RUNS)

# QUICK=1: programs that take a few minutes at full size, of both suites.
.PHONY: reproduce
reproduce: packages
	$(SUB) build library
	$(Q)tb/studies/reproduce.sh $(foreach p,$(PROGRAM) $(if $(QUICK),bfs hs hs-u syr2k),--program $(p)) $(FIG) -- $(RUNS)

.PHONY: report
report: packages
	$(SUB) build
	$(Q)build/mrpb report $(foreach s,$(SWEEP),--sweep $(s)) $(foreach e,$(ESTIMATE),--estimate $(e))

# One GPU after the other on each core; their tables become one page.
GPUS := m2070 k20 gtx560ti gtx780 gtx280 h200
.PHONY: micro
micro: packages
	$(SUB) build
	$(if $(and $(RECORD),$(GPU)),$(error RECORD=1 is of all GPUs: $(GPUS)))
	$(Q)tb/studies/micro/micro.sh $(if $(RECORD),--record docs/micro/results) $(JOBS) $(or $(DIR),build/micro) $(or $(GPU),$(GPUS))

.PHONY: micro-blind
micro-blind: packages
	$(SUB) build
	$(Q)tb/studies/micro/blind.sh $(JOBS) $(or $(DIR),build/micro-blind) $(or $(CONFIGS),1000) $(or $(FIRST),1)

# A run with a mismatch has the most wanted wave.
WAVE := build/waves/$(or $(MODULE),run)
waves: packages
	$(if $(MODULE)$(wildcard build/waves/run.vcd),,$(SUB) run)
	$(if $(MODULE),$(SUB) build)
	$(Q)$(if $(MODULE),mkdir -p build/waves)
	$(Q)$(if $(MODULE),build/mrpb cosim $(MODULE) $(foreach s,$(SET),--set $(s)) $(if $(SEED),--seed $(SEED)) \
	  --cycles $(or $(CYCLES),2000) $(if $(RTL),--rtl $(RTL)) --vcd $(WAVE).vcd || { s=$$?; [ $$s = 1 ] || exit $$s; })
	@[ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || { \
	  echo "no display to open GTKWave on; where there is one: gtkwave $(WAVE).vcd $(WAVE).gtkw" >&2; exit 2; }
	$(Q)gtkwave $(WAVE).vcd $(WAVE).gtkw

# ---- tests --------------------------------------------------------------------------------------------
build/fail_malloc.so: tests/fuzz/fail_malloc.c
	@echo "  CC   $<"
	$(Q)$(CC) -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -fno-builtin $(WARN) $(if $(WERROR),-Werror) -shared -fPIC -o $@ $<

.PHONY: dev check test bugs lint bench cov
dev:
	$(SUB) DEV=1 build

check: packages
	$(SUB) DEV=1 build build/dev/check_all
	$(Q)tests/check.sh build/dev $(JOBS)

WARNINGS = WERROR=$(if $(filter command environment,$(origin WERROR)),$(WERROR),1)
test: packages
	$(SUB) $(WARNINGS) build $(BUILD)/check_all prover $(BUILD)/check_prove build/fail_malloc.so build/fake/libcuda.so.1 build/opcodes stage
	$(SUB) $(WARNINGS) SAN=1 build/san/check_all
	$(SUB) $(WARNINGS) TSAN=1 build/tsan/threads build/tsan/apart
	$(Q)tests/all.sh $(JOBS)

.PHONY: test-long
test-long: export TEST_LONG := 1
test-long: test

bugs: packages
	$(SUB) build
	$(Q)tests/verify/bugs/run.sh --jobs $(JOBS) $(BUG)
	$(Q)$(if $(BUG),,build/mrpb mutate --bugs tests/verify/bugs/fast.txt)
	$(Q)$(if $(BUG),,tests/verify/bugs/holds.sh --jobs $(JOBS))

.PHONY: distro
distro:
	$(Q)tests/distro.sh $(or $(DIST),trixie) $(ARCH)

.PHONY: jitter
jitter: packages
	$(SUB) build
	$(Q)tests/gpu/jitter.sh --all

# Errors that depend on place and time, a million cycles of one or two seeds each.
.PHONY: odd
odd: packages
	$(SUB) build
	$(Q)tests/verify/bugs/odd.sh --jobs $(JOBS) $(BUG)

# Another Verilator: docs/verify/simulators.md.
.PHONY: simulators
simulators: packages
	$(SUB) build
	$(Q)VERILATOR='$(VERILATOR)' tests/verilog/simulators.sh

.PHONY: conform
conform: packages
	$(SUB) build
	$(Q)tests/conform/bugs.sh
	$(Q)tests/conform/proofs.sh
	$(Q)tests/conform/alarms.sh

.PHONY: conform-path
conform-path: packages
	$(SUB) build
	$(Q)tests/conform/path_bugs.sh
	$(Q)tests/conform/path_alarms.sh

.PHONY: conform-l1
conform-l1: packages
	$(SUB) build
	$(Q)tests/conform/l1_top.sh --jobs $(JOBS) --cycles 1000000000
	$(Q)tests/conform/l1_top.sh --jobs $(JOBS)

# Public caches, in the folder SOURCES: docs/conform/public_paths.md.
.PHONY: conform-public
conform-public: packages
	$(SUB) build
	$(Q)VERILATOR='$(VERILATOR)' tests/conform/public_campaign.sh '$(SOURCES)'

# Ventus' whole GPU, in the folder SOURCES: docs/conform/ventus.md.
.PHONY: conform-ventus
conform-ventus:
	$(Q)VERILATOR='$(VERILATOR)' tests/conform/ventus.sh '$(SOURCES)'
	$(Q)VERILATOR='$(VERILATOR)' tests/conform/ventus.sh '$(SOURCES)' --plant

.PHONY: silicon-opcodes
silicon-opcodes: packages
	$(SUB) $(BUILD)/opcodes
	$(Q)$(BUILD)/opcodes
	$(Q)$(BUILD)/opcodes --sequences

.PHONY: sweep-long
sweep-long: packages
	$(SUB) build
	$(Q)tests/studies/sweep.sh long

.PHONY: slurm
slurm: packages
	$(SUB) build
	$(Q)tests/studies/slurm.sh

lint: packages
	$(Q)tests/layout.sh
	$(Q)tests/verilog/lint.sh
	$(SUB) build prover
	$(Q)tests/verilog/reading.sh

cov: packages
	$(SUB) build
	$(SUB) COV=1 build/cov/mrpb build/cov/check_all
	$(Q)tests/cov.sh

.PHONY: accuracy
accuracy: build
	$(Q)tests/gpu/accuracy.sh

bench: packages
	$(SUB) build $(BENCH) $(BUILD)/bench/systemc
	$(Q)tests/bench/bench.sh

.PHONY: bench-threads
bench-threads: build
	$(Q)tests/bench/threads.sh

.PHONY: docs clean
docs: build library stage
	$(Q)docs/generate.sh
	$(Q)$(STAGED) docs/page.py --write

.PHONY: site site-serve
site: packages
	$(Q)docs/site/make.sh
	$(Q)tests/site.sh

site-serve: PORT := 8000
site-serve: site
	@echo "http://127.0.0.1:$(PORT)/  (Ctrl-C ends it)"
	$(Q)python3 -m http.server --bind 127.0.0.1 --directory build/site $(PORT) 2> build/site-serve.log || \
	  { tail -n 1 build/site-serve.log >&2; exit 2; }

clean:
	rm -rf build
