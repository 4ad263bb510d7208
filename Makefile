# Damabase: endgame tables for draughts variants. `make help` lists what can be made.
# Settings that users change come first; the rest follows the folder map (docs/design.md).

ifeq ($(origin CC),default)
CC        := gcc
endif
MPICC     ?= mpicc
MPIRUN    ?= mpirun
PREFIX    ?= /usr/local
DESTDIR   ?=
BUILD     ?= build
OPTIMISE  ?= -O3
WARNINGS  ?= -Wall -Wextra -Wconversion -Werror
SANITISE  ?=
# What `make test` and the like build is built by so many at once.
JOBS      ?= $(shell nproc)
# x86-64-v2 (2009) has the population count; no BMI2 is needed.
ARCH      ?= $(if $(filter x86_64,$(shell uname -m)),-march=x86-64-v2)

# -- What Open MPI needs in tests: as root, more ranks than cores, no ssh, no ptrace (docs/testing.md) --
export OMPI_ALLOW_RUN_AS_ROOT := 1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM := 1
export OMPI_MCA_rmaps_base_oversubscribe := 1
export OMPI_MCA_hwloc_base_binding_policy := none
export OMPI_MCA_mpi_yield_when_idle := 1
export OMPI_MCA_btl_vader_single_copy_mechanism := none
export OMPI_MCA_plm_rsh_agent := /bin/false
export OMPI_CC := $(CC)

VERSION   := $(shell sed -n 's/^.define DAMA_VERSION "\(.*\)"/\1/p' probe/damaprobe.h)
SOVERSION := 0
VARIANTS  := $(shell sed -n 's/^ *ROW(\([a-z_]*\)).*/\1/p' index/variants.h)

FLAGS := -std=c17 -D_GNU_SOURCE $(OPTIMISE) -g $(ARCH) -fPIC -fvisibility=hidden $(WARNINGS) $(SANITISE) \
         -Iindex -Iprobe -Igen -Itests \
         -DDAMABASE_SHARE='"$(PREFIX)/share/damabase"' $(CPPFLAGS) $(CFLAGS)
LINK  := $(SANITISE) $(LDFLAGS)
LIBRARIES := -lzstd -lxxhash -lpthread -lm

INDEX   := $(filter-out index/moves.c,$(wildcard index/*.c))
LIBRARY := $(INDEX) $(wildcard probe/*.c)
COMMAND := $(wildcard probe/commands/*.c)
# What needs ranks, and with them MPI, is linked into damagen alone.
GEN_MPI := gen/main.c gen/ranks.c gen/generate.c gen/level.c gen/team_rounds.c gen/team_results.c gen/tables.c gen/shared_tables.c gen/report.c \
           gen/verify.c gen/ranks_network.c gen/trial.c gen/calibrate.c gen/selftest.c
GEN     := $(filter-out $(GEN_MPI) gen/word_piece.c gen/word_captures.c,$(wildcard gen/*.c))
# Programs that tests run; they have mains of their own.
TOOLS   := forge playout
SUPPORT := $(filter-out tests/test_%.c tests/bench_%.c tests/fuzz_%.c $(TOOLS:%=tests/%.c),$(wildcard tests/*.c))
TESTS   := $(patsubst tests/%.c,%,$(wildcard tests/test_*.c))

objects = $(patsubst %.c,$(BUILD)/%.o,$(1))
MOVES_OBJECTS   := $(VARIANTS:%=$(BUILD)/index/moves_%.o)
LIBRARY_OBJECTS := $(call objects,$(LIBRARY)) $(MOVES_OBJECTS)
# The word solver, a board and a set of machine instructions each; which set is used is settled at run time.
WORD_SETS       := plain $(if $(filter x86_64,$(shell uname -m)),wide)
WORD_PARTS      := $(foreach set,$(WORD_SETS),32_$(set).o 50_$(set).o)
PIECE_OBJECTS   := $(WORD_PARTS:%=$(BUILD)/gen/word_piece_%)
CAPTURE_OBJECTS := $(WORD_PARTS:%=$(BUILD)/gen/word_captures_%)
GEN_OBJECTS     := $(call objects,$(GEN)) $(PIECE_OBJECTS) $(CAPTURE_OBJECTS)
SUPPORT_OBJECTS := $(call objects,$(SUPPORT))
TEST_PROGRAMS   := $(TESTS:%=$(BUILD)/tests/%) $(TOOLS:%=$(BUILD)/tests/%)

STATIC := $(BUILD)/libdamaprobe.a
SHARED := $(BUILD)/libdamaprobe.so.$(SOVERSION)

.PHONY: all help demo test check-long soak bench install clean dependencies programs unit-tests format lint
.DELETE_ON_ERROR:
.SECONDARY:
# No built-in rules: they would try to make the dependency files.
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:

all: check-dependencies programs
programs: $(BUILD)/damagen $(BUILD)/damaprobe $(STATIC) $(SHARED)

help:
	@echo 'make              both programs and the libraries, in $(BUILD)/'
	@echo 'make demo         makes tables of four games with 2 ranks and asks them a position each'
	@echo 'make test         all tests that fit into minutes (installs what is missing)'
	@echo 'make check-long   longer proofs, about an hour'
	@echo 'make bench        speeds, as ratios and CPU time a position'
	@echo 'make install      to $$PREFIX (/usr/local), under $$DESTDIR'
	@echo 'make dependencies installs the Debian packages needed (root or sudo)'
	@echo 'make format lint  clang-format and clang-tidy over the sources'
	@echo 'make clean        removes $(BUILD)/'

dependencies:
	@jobs/dependencies install
.PHONY: check-dependencies
check-dependencies:
	@jobs/dependencies check

# -- Building --------------------------------------------------------------------------------------------

$(MOVES_OBJECTS): $(BUILD)/index/moves_%.o: index/moves.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -MMD -MP -DVARIANT=$* -c $< -o $@

# The stem is the board's squares and the instructions: 32_wide.
WORD_FLAGS = $(if $(findstring wide,$*),-march=x86-64-v3) -DSQUARES=$(firstword $(subst _, ,$*)) \
             -DINSTRUCTIONS=$(lastword $(subst _, ,$*))
$(PIECE_OBJECTS): $(BUILD)/gen/word_piece_%.o: gen/word_piece.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(WORD_FLAGS) -MMD -MP -c $< -o $@
$(CAPTURE_OBJECTS): $(BUILD)/gen/word_captures_%.o: gen/word_captures.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) $(WORD_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/gen/ranks.o $(BUILD)/gen/ranks_network.o: $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(MPICC) $(FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -MMD -MP -c $< -o $@

# One object whose hidden symbols are local, so that the static library shows only dama_ names.
$(STATIC): $(LIBRARY_OBJECTS)
	$(LD) -r -o $(BUILD)/libdamaprobe.o $^
	objcopy --localize-hidden $(BUILD)/libdamaprobe.o
	@rm -f $@
	$(AR) rcs $@ $(BUILD)/libdamaprobe.o

$(SHARED): $(LIBRARY_OBJECTS)
	$(CC) -shared -Wl,-soname,libdamaprobe.so.$(SOVERSION) -Wl,--no-undefined $(LINK) -o $@ $^ $(LIBRARIES)
	ln -sf $(@F) $(BUILD)/libdamaprobe.so

$(BUILD)/damaprobe: $(call objects,$(COMMAND)) $(LIBRARY_OBJECTS)
	$(CC) $(LINK) -o $@ $^ $(LIBRARIES) -ljansson

$(BUILD)/damagen: $(call objects,$(GEN_MPI)) $(GEN_OBJECTS) $(LIBRARY_OBJECTS)
	$(MPICC) $(LINK) -o $@ $^ $(LIBRARIES)

# Unit tests link everything except MPI and the mains.
$(TEST_PROGRAMS): $(BUILD)/tests/%: $(BUILD)/tests/%.o $(SUPPORT_OBJECTS) $(GEN_OBJECTS) $(LIBRARY_OBJECTS)
	$(CC) $(LINK) -o $@ $^ $(LIBRARIES) -lcmocka

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# -- Using -----------------------------------------------------------------------------------------------

demo: dependencies
	@$(MAKE) --no-print-directory -j$(JOBS) programs
	@BUILD=$(BUILD) MPIRUN=$(MPIRUN) jobs/demo

# -- Testing ---------------------------------------------------------------------------------------------

unit-tests: $(TEST_PROGRAMS)

test: dependencies
	@$(MAKE) --no-print-directory -j$(JOBS) programs unit-tests
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/sanitised OPTIMISE=-O1 \
	    SANITISE='-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer' unit-tests
	@BUILD=$(BUILD) MPIRUN=$(MPIRUN) tests/run short

check-long: dependencies
	@$(MAKE) --no-print-directory -j$(JOBS) programs unit-tests
	@BUILD=$(BUILD) MPIRUN=$(MPIRUN) tests/run long

soak: dependencies
	@$(MAKE) --no-print-directory -j$(JOBS) programs unit-tests
	@BUILD=$(BUILD) MPIRUN=$(MPIRUN) tests/run soak

bench: dependencies
	@$(MAKE) --no-print-directory -j$(JOBS) programs
	@BUILD=$(BUILD) MPIRUN=$(MPIRUN) tests/bench

format:
	clang-format -i $(wildcard index/*.[ch] probe/*.[ch] probe/commands/*.[ch] gen/*.[ch] tests/*.[ch])

lint:
	@BUILD=$(BUILD) tests/lint

# -- Installing ------------------------------------------------------------------------------------------

install: programs
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include \
	    $(DESTDIR)$(PREFIX)/share/damabase
	install -m 755 $(BUILD)/damagen $(BUILD)/damaprobe $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(STATIC) $(DESTDIR)$(PREFIX)/lib
	install -m 755 $(SHARED) $(DESTDIR)$(PREFIX)/lib
	ln -sf libdamaprobe.so.$(SOVERSION) $(DESTDIR)$(PREFIX)/lib/libdamaprobe.so
	install -m 644 probe/damaprobe.h $(DESTDIR)$(PREFIX)/include

clean:
	rm -rf $(BUILD)
