# SPDX-License-Identifier: GPL-2.0-only
# A release is what make install makes of a build without libraries: of the same commit and packages
# the same bytes, wherever and whenever.
ARCHES ?= amd64 arm64
WITH ?=
SYSROOT ?=
triple_amd64 := x86_64-linux-gnu
triple_arm64 := aarch64-linux-gnu
release := tracery_$(VERSION)_linux_$(arch)
SOURCE_DATE_EPOCH ?= $(shell git -c safe.directory='*' log -1 --format=%ct 2>/dev/null || echo 0)
of_release = BUILD=$(BUILD)/dist/$* NATIVE=$(BUILD)/dist/$(arch) STATIC=1 \
	CFLAGS='$(filter-out -g,$(CFLAGS))'

dist: $(ARCHES:%=dist-%) ## build archives for ARCHES (amd64 arm64) that run anywhere, in build/dist

dist-$(arch): dist-%:
	$(Q)$(SETUP) build
	$(Q)$(MAKE) $(jobs) archive $(WITH) $(of_release)

# Crosswise, with the libraries in SYSROOT; when that is empty, tools/sysroot fetches them.
$(addprefix dist-,$(filter-out $(arch),amd64 arm64)): dist-%: dist-$(arch)
	$(Q)$(SETUP) build dist
	$(Q)root='$(SYSROOT)'; root=$${root:-$$(tools/sysroot $*)} && \
		PKG_CONFIG_SYSROOT_DIR="$$root" \
		PKG_CONFIG_LIBDIR="$$root/usr/lib/$(triple_$*)/pkgconfig:$$root/usr/share/pkgconfig" \
		$(MAKE) $(jobs) archive $(WITH) $(of_release) \
			CC="$(triple_$*)-gcc '--sysroot=$$root'" AR=$(triple_$*)-ar

archive: all
	$(call say,PACK,$(dir $(BUILD))$(release).tar.gz)
	$(Q)rm -rf $(BUILD)/$(release)
	$(Q)$(MAKE) -s --no-print-directory install DESTDIR=$(BUILD)/$(release) PREFIX=
	$(Q)cp LICENSE README.md $(BUILD)/$(release)
	$(Q)ln -s bin/tracery $(BUILD)/$(release)/tracery
	$(Q)tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
		--mtime=@$(SOURCE_DATE_EPOCH) -I 'gzip -9n' -C $(BUILD) -cf $(BUILD)/archive $(release)
	$(Q)mv $(BUILD)/archive $(dir $(BUILD))$(release).tar.gz

# What tests in another kernel take, linked as the archives are.
guest: $(workloads) $(BUILD)/tests/kernels/init
$(BUILD)/tests/kernels/init: $(BUILD)/tests/kernels/init.o
	$(Q)$(CC) $(CFLAGS) -static $(LDFLAGS) $^ -o $@
