/* SPDX-License-Identifier: GPL-2.0-only */
/* A call as where.bpf.c gets it from where.c. The includer has defined __u8 .. __u64. */
#ifndef WHERE_RECORD_H
#define WHERE_RECORD_H

#include "../../bpf/where_config.h"

enum { WHERE_RECORDS = 64 };

struct where_record {
	__u64 v[TR_WHERE_RESULTS]; /* enum tr_where_operand */
	__u8 no_result;            /* ns and ret are null */
	__u8 cut[2];
	char paths[2][TR_WHERE_TEXT_BYTES];
};

#endif
