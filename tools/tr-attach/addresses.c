/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses as text. */
#include "addresses.h"

#include <arpa/inet.h>

size_t addresses_write(unsigned char *to, const struct tr_kind *kind, const unsigned char *body)
{
	const unsigned char *from = body + kind->fixed_bytes;
	unsigned char *p = to + kind->fixed_bytes;

	memcpy(to, body, kind->fixed_bytes);
	for (size_t i = 0; i < kind->n_fields; i++) {
		const struct tr_field *f = &kind->fields[i];
		uint16_t len;

		if (f->type != TR_T_str)
			continue;
		memcpy(&len, body + f->offset, sizeof(len));
		if (len)
			inet_ntop(len == 4 ? AF_INET : AF_INET6, from, (char *)p, INET6_ADDRSTRLEN);
		from += len;
		len = len ? strlen((char *)p) : 0;
		p += len;
		memcpy(to + f->offset, &len, sizeof(len));
	}
	return p - to;
}
