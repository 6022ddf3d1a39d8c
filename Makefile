# SPDX-License-Identifier: GPL-2.0-only
# Everything lands under $(BUILD). A new tool is one word in TOOLS and a folder tools/NAME/; a new
# BPF object is a file bpf/NAME.bpf.c.

VERSION := 0.1.0
TOOLS := tr-attach tr-table tr-cat

BUILD ?= build
PREFIX ?= /usr/local
DESTDIR ?=
CC ?= cc
CLANG ?= clang
BPFTOOL ?= $(firstword $(wildcard /usr/lib/linux-tools/*/bpftool) \
	$(shell PATH="$$PATH:/usr/sbin:/sbin" command -v bpftool))
PKG_CONFIG ?= pkg-config
BATS ?= bats
FUZZ_SECONDS ?= 600

CFLAGS ?= -O2 -g
SANITIZE ?=
WARNINGS := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
	-Wpointer-arith -Wwrite-strings -Wundef -Wformat=2
TR_CFLAGS = -std=gnu11 $(WARNINGS) -D_GNU_SOURCE -DTR_VERSION='"$(VERSION)"' -Ilib -I$(BUILD)/bpf \
	-MMD -MP $(addprefix -fsanitize=,$(SANITIZE)) $(if $(SANITIZE),-fno-omit-frame-pointer)
BPF_CFLAGS := -target bpf -mcpu=v3 -O2 -g -std=gnu11 -Wall -Wextra -Werror -Ibpf -Ilib -MMD -MP
BPF_ARCH := $(subst aarch64,arm64,$(subst x86_64,x86,$(shell uname -m)))
LIBS_lib := -lseccomp
LIBS_tr-attach = $(shell $(PKG_CONFIG) --libs libbpf 2>/dev/null || echo -lbpf) -lelf -lz

lib_objects := $(patsubst %.c,$(BUILD)/%.o,$(wildcard lib/*.c))
skeletons := $(patsubst bpf/%.bpf.c,$(BUILD)/bpf/%.skel.h,$(wildcard bpf/*.bpf.c))
programs := $(addprefix $(BUILD)/bin/,$(TOOLS))
workloads := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/workloads/*.c))
units := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/unit/*.c))
fuzzers := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz/*.c))
benches := $(patsubst %.c,$(BUILD)/%,$(filter-out %.bpf.c,$(wildcard bench/*.c)))
bench_skeletons := $(patsubst bench/%.bpf.c,$(BUILD)/bpf/%.skel.h,$(wildcard bench/*.bpf.c))

ifeq ($(V),)
Q := @
say = @printf '  %-6s %s\n' $(1) $(2)
endif

.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
.PHONY: all demo check bench lint fuzz install uninstall clean help tests

all: $(programs) ## build the tools into build/bin
$(BUILD)/%.o: %.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(TR_CFLAGS) $(CPPFLAGS) $(CFLAGS) -c $< -o $@

$(BUILD)/libtracery.a: $(lib_objects)
	$(call say,AR,$@)
	$(Q)rm -f $@
	$(Q)$(AR) rcs $@ $^

$(BUILD)/bpf/%.bpf.o: bpf/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -D__TARGET_ARCH_$(BPF_ARCH) -c $< -o $@

$(BUILD)/bpf/%.bpf.o: bench/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -D__TARGET_ARCH_$(BPF_ARCH) -c $< -o $@

$(BUILD)/bpf/%.skel.h: $(BUILD)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $(subst -,_,$*)_bpf > $@

$(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/tr-attach/*.c)): $(skeletons)
$(patsubst %.c,$(BUILD)/%.o,$(filter-out %.bpf.c,$(wildcard bench/*.c))): $(bench_skeletons)

tool_objects = $(patsubst %.c,$(BUILD)/%.o,$(wildcard tools/$(1)/*.c))
$(programs): $(BUILD)/bin/%: $$(call tool_objects,$$*) $(BUILD)/libtracery.a
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(addprefix -fsanitize=,$(SANITIZE)) $(CFLAGS) $(LDFLAGS) $^ $(LIBS_$*) $(LIBS_lib) -o $@

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(BUILD)/libtracery.a
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LIBS_tr-attach) $(LIBS_lib) -o $@

$(BUILD)/tests/workloads/%: $(BUILD)/tests/workloads/%.o
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -pthread -o $@

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/libtracery.a
	$(Q)$(CC) $(addprefix -fsanitize=,$(SANITIZE)) $(CFLAGS) $(LDFLAGS) $^ $(LIBS_lib) -ljansson -o $@

# A fuzzer is built apart, with clang: its library objects count coverage.
$(BUILD)/tests/fuzz/%: tests/fuzz/%.c $(wildcard lib/*.c lib/*.h lib/*.def)
	$(call say,FUZZ,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) -std=gnu11 -D_GNU_SOURCE -DTR_VERSION='"$(VERSION)"' -Ilib -O1 -g \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		$< $(wildcard lib/*.c) $(LIBS_lib) -ljansson -o $@

clean: ## remove build/
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
