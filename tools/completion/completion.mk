# SPDX-License-Identifier: GPL-2.0-only
# What there is to say on a command line, for tracery and for the completion of shells.
bash_completion := bash-completion/completions
zsh_completion := zsh/site-functions
fish_completion := fish/vendor_completions.d
completions := $(addprefix $(share)/,$(bash_completion)/tracery $(zsh_completion)/_tracery \
	$(fish_completion)/tracery.fish)

filling := $(BUILD)/completion
$(filling)/options: $(runnable) tracery tools/tracery/options.awk
	$(Q)mkdir -p $(@D)
	$(Q)for program in $(runnable) ./tracery; do $$program --help; done | \
		awk -v programs=$(words $(runnable) tracery) -f tools/tracery/options.awk > $@

$(options): $(filling)/options tools/tracery/sh.awk
	$(Q)mkdir -p $(@D)
	$(Q)echo "version='$(VERSION)'" > $@
	$(Q)awk -f tools/tracery/sh.awk $< >> $@

$(filling)/options.fish: $(filling)/options tools/completion/fish.awk
	$(Q)awk -f tools/completion/fish.awk $< > $@

$(filling)/calls: $(calls)
	$(Q)mkdir -p $(@D)
	$(Q)awk -F '\t' '$$2 !~ /:/ { print $$2 }' $< > $@

$(share)/$(bash_completion)/tracery: tools/completion/tracery.bash
$(share)/$(zsh_completion)/_tracery: tools/completion/_tracery
$(share)/$(fish_completion)/tracery.fish: tools/completion/tracery.fish
$(completions): tools/completion/fill.awk $(addprefix $(filling)/,options options.fish calls)
	$(Q)mkdir -p $(@D)
	$(Q)awk -v folder=$(filling) -f $< $(filter-out %.awk,$(filter tools/%,$^)) > $@
