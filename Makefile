# SPDX-License-Identifier: GPL-2.0-only
# Everything lands under $(BUILD). A new tool is one word in TOOLS and a folder tools/NAME/; a new
# BPF object is a file bpf/NAME.bpf.c.

.DEFAULT_GOAL := all
VERSION := 0.1.0
TOOLS := tr-attach tr-table tr-hist tr-cat tr-symbols

BUILD ?= build
# A build for this machine, to be run in the course of this one.
NATIVE ?= $(BUILD)
PREFIX ?= /usr/local
DESTDIR ?=
CC ?= cc
CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/lib/linux-tools/*/bpftool) \
	$(shell PATH="$$PATH:/usr/sbin:/sbin" command -v bpftool))
PKG_CONFIG ?= pkg-config
SETUP ?= ./setup.sh
FUZZ_SECONDS ?= 600

CFLAGS ?= -O2 -g
SANITIZE ?=
# Not empty: programs that need no library to run.
STATIC ?=
# make check sets -Werror; whoever builds with a compiler that we have not met is spared.
WERROR ?=
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wpointer-arith -Wwrite-strings -Wundef -Wformat=2 \
	-Wno-format-nonliteral -Wno-missing-field-initializers $(WERROR)
sanitize := $(SANITIZE:%=-fsanitize=%)
TR_CFLAGS := -std=gnu11 $(WARNINGS) -D_GNU_SOURCE -DTR_VERSION='"$(VERSION)"' -Ilib -I$(BUILD)/bpf \
	-MMD -MP $(sanitize) $(if $(SANITIZE),-fno-omit-frame-pointer) $(if $(STATIC),-fPIE -DTR_STATIC)
TR_LDFLAGS := $(sanitize) $(if $(STATIC),-static-pie -s)
# Its debug information stays in the programs: no word there of where they were built.
BPF_CFLAGS := -target bpf -mcpu=v3 -O2 -g '-ffile-prefix-map=$(CURDIR)=.' -std=gnu11 -Wall -Wextra \
	$(WERROR) -Ibpf -Ilib -MMD -MP
# What it is built for, as uname -m says it, BPF's headers, and Debian.
machine := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null || uname -m)))
BPF_ARCH := $(subst aarch64,arm64,$(subst x86_64,x86,$(machine)))
arch := $(subst aarch64,arm64,$(subst x86_64,amd64,$(machine)))
libraries = $(shell $(PKG_CONFIG) $(if $(STATIC),--static) --libs $(1) 2>/dev/null)
LIBS_lib := -lseccomp
LIBS_elf = $(call libraries,libelf) -lelf -lz
LIBS_tr-attach = $(or $(call libraries,libbpf),-lbpf) $(LIBS_elf)
LIBS_tr-symbols = $(LIBS_elf)

objects_of = $(patsubst %.c,$(BUILD)/%.o,$(filter-out %.bpf.c,$(wildcard $(1)/*.c)))
# Objects that are compiled once more for old kernels; see bpf/task.h.
twice := file mem net proc sched
skeletons_of = $(patsubst $(1)/%.bpf.c,$(BUILD)/bpf/%.skel.h,$(wildcard $(1)/*.bpf.c)) \
	$(if $(filter bpf,$(1)),$(twice:%=$(BUILD)/bpf/%-old.skel.h))
programs := $(addprefix $(BUILD)/bin/,$(TOOLS))
runnable := $(addprefix $(NATIVE)/bin/,$(TOOLS))
share := $(BUILD)/share
options := $(share)/tracery/options
calls := $(share)/tracery/syscalls
# What tracery reads when a subcommand wants it.
parts := $(patsubst tools/tracery/%,$(share)/tracery/%,$(wildcard tools/tracery/*.sh))
include tools/completion/completion.mk
flags := $(BUILD)/flags/kernel.c $(BUILD)/flags/libc.c
workloads := $(basename $(call objects_of,tests/workloads))
units := $(basename $(call objects_of,tests/unit))
fuzzers := $(basename $(call objects_of,tests/fuzz))
benches := $(basename $(call objects_of,bench))
shell := setup.sh tracery tools/packages tools/sysroot tools/completion/tracery.bash .ci/run \
	$(addprefix tests/kernels/,boot fetch guest run vmlinux) \
	$(wildcard tests/run tests/fresh-debian bench/run bench/*.sh examples/*.sh tests/*.bash tests/*.bats tools/tracery/*.sh)
man_pages := $(wildcard docs/man/*.[17])
# The tests that also run on the build with sanitizers: those of what reads what strangers write.
sanitized := $(filter-out $(addprefix tests/,attach.bats completion.bats dist.bats docs.bats \
	follow.bats house.bats targets.bats tracery% where-kernel.bats), $(wildcard tests/*.bats))

ifeq ($(V),)
Q := @
say = @printf '  %-6s %s\n' $(1) $(2)
endif

.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
.PHONY: all tests demo check check-kernels bench lint fuzz install uninstall dist archive guest clean \
	help ready
jobs = $(if $(findstring --jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
# $(call show,COMMAND): as if someone had typed it.
show = @printf '\n$$ %s\n' '$(1)'; $(1)

all: $(programs) $(options) $(calls) $(parts) $(completions) ## build the tools into build/bin (the default)

# One line instead of a page of compiler errors where something is missing; SETUP=true: never mind.
ready:
	$(Q)$(SETUP) --check build

$(BUILD)/%.o: %.c Makefile | ready
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(TR_CFLAGS) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

# Names and values of constants, from the headers of this system.
$(flags): $(BUILD)/flags/%.c: lib/flags.awk lib/flags.def | ready
	$(call say,FLAGS,$*)
	$(Q)mkdir -p $(@D)
	$(Q)awk -v group=$* -f $^ > $(@:.c=.h)
	$(Q)$(CC) -E -dD -D_GNU_SOURCE $(CPPFLAGS) -x c $(@:.c=.h) | \
		awk -v group=$* -f $^ - > $@

$(flags:.c=.o): %.o: %.c Makefile
	$(Q)$(CC) $(TR_CFLAGS) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/libtracery.a: $(call objects_of,lib) $(flags:.c=.o)
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

vpath %.bpf.c bpf bench tests/unit
$(BUILD)/bpf/%.bpf.o: %.bpf.c Makefile | ready
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -D__TARGET_ARCH_$(BPF_ARCH) -c $< -o $@

$(twice:%=$(BUILD)/bpf/%-old.bpf.o): $(BUILD)/bpf/%-old.bpf.o: bpf/%.bpf.c Makefile | ready
	$(call say,BPF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -DTR_OLD_KERNEL -D__TARGET_ARCH_$(BPF_ARCH) -c $< -o $@

# Linked alone, an object loses what only a debugger would read, half of it; BTF stays.
$(BUILD)/bpf/%.skel.h: $(BUILD)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen object $(@:.skel.h=.o) $<
	$(Q)$(BPFTOOL) gen skeleton $(@:.skel.h=.o) name $(subst -,_,$*)_bpf > $@

$(call objects_of,tools/tr-attach): $(call skeletons_of,bpf)
$(call objects_of,bench): $(call skeletons_of,bench)

$(programs): $(BUILD)/bin/%: $$(call objects_of,tools/$$*) $(BUILD)/libtracery.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(TR_LDFLAGS) $(CFLAGS) $(LDFLAGS) $^ $(LIBS_$*) $(LIBS_lib) -o $@

$(parts): $(share)/tracery/%: tools/tracery/%
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $@

# What tracery list shows of a machine's system calls.
$(BUILD)/list-calls: $(BUILD)/tools/list-calls.o $(BUILD)/libtracery.a
	$(Q)$(CC) $(TR_LDFLAGS) $(CFLAGS) $(LDFLAGS) $^ $(LIBS_lib) -o $@

$(calls): $(NATIVE)/list-calls
	$(Q)mkdir -p $(@D)
	$(Q)$< $(machine) > $@

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(BUILD)/libtracery.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS_tr-attach) $(LIBS_lib) -o $@

$(BUILD)/tests/workloads/%: $(BUILD)/tests/workloads/%.o
	$(Q)$(CC) $(CFLAGS) $(if $(STATIC),-static) $(LDFLAGS) $^ -pthread -o $@

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/libtracery.a
	$(Q)$(CC) $(sanitize) $(CFLAGS) $(LDFLAGS) $^ $(LIBS_$(@F)) $(LIBS_lib) -ljansson -o $@

# The one that has to do with the kernel.
LIBS_where = $(LIBS_tr-attach)
$(BUILD)/tests/unit/where: $(addprefix $(BUILD)/tools/tr-attach/,where.o where_lower.o)
$(BUILD)/tests/unit/where.o: $(call skeletons_of,tests/unit)

# A fuzzer is built apart, with clang: its library objects count coverage.
$(BUILD)/tests/fuzz/%: tests/fuzz/%.c $(wildcard lib/*.c lib/*.h lib/*.def) $(flags)
	$(call say,FUZZ,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) -std=gnu11 -D_GNU_SOURCE -DTR_VERSION='"$(VERSION)"' -Ilib -O1 -g \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		$< $(wildcard lib/*.c) $(flags) $(LIBS_elf) $(LIBS_lib) -ljansson -o $@

tests: $(workloads) $(units) $(fuzzers)

demo: ## install what is missing, build, and show two tables of a small workload
	$(Q)$(SETUP) build
	$(Q)$(MAKE) $(jobs) all
	$(call show,./tracery count -- examples/workload.sh)
	$(call show,./tracery record -o $(BUILD)/demo.trc -- examples/workload.sh)
	$(call show,./tracery replay --sort max --top 10 $(BUILD)/demo.trc)

# The kernel with kprobes whose tests take the least time.
quickest := 6.1$(if $(filter arm64,$(arch)),-arm64)
strict = WERROR=$(or $(WERROR),-Werror)
check: ## install what is missing, build in every way, run every test
	$(Q)$(SETUP) build test dist
	$(Q)$(MAKE) $(jobs) $(strict) all tests
	$(Q)$(MAKE) $(strict) dist-$(arch) WITH=guest
	$(Q)$(MAKE) $(jobs) $(strict) all BUILD=$(BUILD)/clang CC=$(CLANG)
	$(Q)$(MAKE) $(jobs) all tests workloads= fuzzers= BUILD=$(BUILD)/asan SANITIZE=address,undefined
	$(Q)$(MAKE) lint
	$(Q)tests/run TR_BIN=$(BUILD)/bin TR_TESTS=$(BUILD)/tests $(units) $(fuzzers) tests/*.bats \
		kernel:$(quickest) TR_BIN=$(BUILD)/asan/bin $(units:$(BUILD)/%=$(BUILD)/asan/%) $(sanitized)

check-kernels: ## run tests in the kernels of tests/kernels/table, show which passed
	$(Q)$(SETUP) build test dist
	$(Q)$(MAKE) dist WITH=guest
	$(Q)TABLE=docs/kernels.md tests/run kernels; status=$$?; cat docs/kernels.md; exit $$status

bench: ## install what is missing, build, and measure (bench/README.md)
	$(Q)$(SETUP) build test bench
	$(Q)$(MAKE) $(jobs) all tests $(benches)
	$(Q)bench/run

lint: ## look for faults in shell and C without running them
	$(Q)shellcheck $(shell)
	$(Q)cppcheck -q --error-exitcode=1 --inline-suppr --std=c11 --enable=warning,portability \
		'-DLIBBPF_OPTS(type, name, ...)=struct type name = {__VA_ARGS__}' \
		'-Dbpf_object__for_each_program(p, object)=while ((p = next(object)))' -Ilib lib tools

fuzz: $(fuzzers) ## run each fuzzer for FUZZ_SECONDS (600)
	$(Q)for fuzzer in $(fuzzers); do \
		name=$${fuzzer##*/}; mkdir -p $(BUILD)/corpus/$$name; \
		$$fuzzer -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(BUILD)/corpus/$$name- \
			$(BUILD)/corpus/$$name tests/fuzz/seeds/$$name || exit; \
	done

prefix = $(DESTDIR)$(PREFIX)
install: all ## install into $(DESTDIR)$(PREFIX)
	$(Q)install -D -m 755 -t "$(prefix)/bin" $(programs) tracery
	$(Q)install -D -m 644 -t "$(prefix)/share/tracery" $(options) $(calls) $(parts)
	$(Q)install -D -m 644 -t "$(prefix)/share/man/man1" $(filter %.1,$(man_pages))
	$(Q)install -D -m 644 -t "$(prefix)/share/man/man7" $(filter %.7,$(man_pages))
	$(Q)for file in $(completions:$(share)/%=%); do \
		install -D -m 644 $(share)/$$file "$(prefix)/share/$$file"; \
	done
	$(Q)for tool in $(TOOLS); do \
		ln -sf tracery "$(prefix)/share/$(bash_completion)/$$tool"; \
		ln -sf tracery.fish "$(prefix)/share/$(fish_completion)/$$tool.fish"; \
	done

uninstall: ## remove what install put there
	$(Q)cd "$(prefix)" && rm -rf share/tracery $(addprefix bin/,$(TOOLS) tracery) \
		$(addprefix share/man/man1/,$(notdir $(filter %.1,$(man_pages)))) \
		$(addprefix share/man/man7/,$(notdir $(filter %.7,$(man_pages)))) \
		$(addprefix share/$(bash_completion)/,$(TOOLS)) \
		$(addprefix share/$(fish_completion)/,$(TOOLS:%=%.fish)) $(completions:$(share)/%=share/%)

include tools/release.mk

clean: ## remove build/
	rm -rf $(BUILD)

help: ## show this
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile tools/*.mk

-include $(shell find $(BUILD) -path $(BUILD)/asan -prune -o -path $(BUILD)/clang -prune -o \
	-path $(BUILD)/dist -prune -o -type f -name '*.d' -print 2>/dev/null)
