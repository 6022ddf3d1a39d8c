/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses of the network: the kernel's programs send them as they are, and they become text here.
 */
#ifndef ADDRESSES_H
#define ADDRESSES_H

#include "record.h"

/* Bytes that a record with addresses may have as text. */
enum { ADDRESSES_MAX = TR_MAX_FIXED + 4 * 64 };

/* Writes BODY, of KIND, whose strings are 4 or 16 bytes of an address or none, to TO, where they
 * are text. Returns its size. */
size_t addresses_write(unsigned char *to, const struct tr_kind *kind, const unsigned char *body);

#endif
