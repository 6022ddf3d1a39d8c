/* SPDX-License-Identifier: GPL-2.0-only */
/* The same programs for kernels before 5.12: see task.h. */
#define TR_OLD_KERNEL
#include "syscalls.bpf.c"
