/* SPDX-License-Identifier: GPL-2.0-only */
/* JSON strings, decoded and compared, and small pieces for writing. */
#include <string.h>

#include "json.h"
#include "number.h"
#include "text.h"

bool tr_string_is(struct tr_string string, const char *text)
{
	return strlen(text) == string.len && !memcmp(string.bytes, text, string.len);
}

const char *tr_json_skip_plain(const char *p, const char *end)
{
	while (p < end) {
		size_t n = end - p >= 16 ? tr_text_plain(p) : 0;

		p += n;
		if (n == 16)
			continue;
		if (*p == '"' || *p == '\\' || (unsigned char)*p < 0x20)
			break;
		n = tr_utf8_length(p, end - p);
		if (!n)
			break;
		p += n;
	}
	return p;
}

/* The four digits of a \u escape, -1 when they are none. */
static int take_hex4(const char *p, const char *end)
{
	int value = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = p[i] | 0x20;

		if (p[i] >= '0' && p[i] <= '9')
			value = value * 16 + p[i] - '0';
		else if (c >= 'a' && c <= 'f')
			value = value * 16 + c - 'a' + 10;
		else
			return -1;
	}
	return value;
}

static size_t put_utf8(char *out, uint32_t c)
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = 0x80 | (c & 0x3f);
	out[0] = n == 1 ? c : (0xf00 >> n & 0xff) | c;
	return n;
}

/* An escape, P being after its backslash: the bytes (at most 4) that it stands for. Returns its
 * end, NULL when it is none. */
static const char *take_escape(const char *p, const char *end, char *out, size_t *n)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	const char *letter = p < end && *p ? strchr(letters, *p) : NULL;
	int c;

	if (letter) {
		out[0] = bytes[letter - letters];
		*n = 1;
		return p + 1;
	}
	if (p == end || *p != 'u')
		return NULL;
	c = take_hex4(p + 1, end);
	p += 5;
	if (c < 0 || (c >= 0xdc00 && c < 0xe000 && (c < 0xdc80 || c > 0xdcff)))
		return NULL;
	if (c >= 0xdc80 && c <= 0xdcff) {
		out[0] = c & 0xff;
		*n = 1;
		return p;
	}
	if (c >= 0xd800 && c < 0xdc00) {
		int low = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? take_hex4(p + 2, end) : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return NULL;
		c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
		p += 6;
	}
	*n = put_utf8(out, c);
	return p;
}

const char *tr_json_take_string(const char *p, const char *end, char *out, size_t max, size_t *len)
{
	size_t used = 0;

	for (;;) {
		const char *plain = p;
		char bytes[4];
		size_t n;

		p = tr_json_skip_plain(p, end);
		n = p - plain;
		if (n > max - used)
			return NULL;
		memcpy(out + used, plain, n);
		used += n;
		if (p == end || (*p != '"' && *p != '\\'))
			return NULL;
		if (*p++ == '"')
			break;
		p = take_escape(p, end, bytes, &n);
		if (!p || n > max - used)
			return NULL;
		memcpy(out + used, bytes, n);
		used += n;
	}
	*len = used;
	return p;
}

char *tr_json_put_hex(char *p, uint64_t value)
{
	memcpy(p, "\"0x", 3);
	p = tr_hex_put(p + 3, value);
	*p++ = '"';
	return p;
}

char *tr_json_put_string(char *p, struct tr_string text)
{
	*p++ = '"';
	p = tr_text_json(p, text.bytes, text.len);
	*p++ = '"';
	return p;
}
