/* SPDX-License-Identifier: GPL-2.0-only */
/* Programs of perf's software events: each time that one happens, on whichever CPU. */
#ifndef SOFTWARE_H
#define SOFTWARE_H

#include "kernel.h"

/* EVENT is perf_event_open(2)'s number of it. Returns 0, or a status after saying why not. */
int software_attach(struct links *links, struct bpf_program *program, unsigned event,
		    unsigned cpus);

#endif
