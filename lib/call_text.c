/* SPDX-License-Identifier: GPL-2.0-only */
/* Arguments as text. */
#include "call_text.h"

#include <linux/fcntl.h>
#include <string.h>

#include "number.h"
#include "result.h"
#include "text.h"

static char *put_hex(char *p, uint64_t value)
{
	return p + tr_hex_format(p, value);
}

static char *put_pointer(char *p, uint64_t value)
{
	return value ? put_hex(p, value) : stpcpy(p, "NULL");
}

/* In quotes, so that a space or a quote in it misleads nobody. */
static char *put_quoted(char *p, const char *text, size_t len)
{
	const char *end = text + len;

	*p++ = '"';
	while (text < end) {
		const char *quote = memchr(text, '"', end - text);

		p = tr_text_terminal(p, text, (quote ? quote : end) - text, 0);
		if (!quote)
			break;
		p = stpcpy(p, "\\\"");
		text = quote + 1;
	}
	*p++ = '"';
	return p;
}

static char *put_path(char *p, const struct tr_call_path *path, uint64_t pointer)
{
	if (!pointer)
		return stpcpy(p, "NULL");
	if (!path->bytes)
		return put_hex(p, pointer);
	if (path->cut && !path->len)
		return stpcpy(put_hex(p, pointer), "(unreadable)");
	p = put_quoted(p, path->bytes, path->len);
	return path->cut ? stpcpy(p, TR_CUT_MARK) : p;
}

/* VALUE, of BITS bits, is no path. OURS: its constants have our values. */
static char *put_number(char *p, const struct tr_call_arg *arg, uint64_t value, unsigned bits,
			bool ours)
{
	switch ((enum tr_arg_kind)arg->kind) {
	case TR_ARG_FD:
	case TR_ARG_INT: return tr_i64_put(p, (int32_t)value);
	case TR_ARG_DIR_FD:
		return (int32_t)value == AT_FDCWD ? stpcpy(p, "AT_FDCWD")
						  : tr_i64_put(p, (int32_t)value);
	case TR_ARG_UINT: return tr_u64_put(p, (uint32_t)value);
	case TR_ARG_LONG: return tr_i64_put(p, bits == 32 ? (int32_t)value : (int64_t)value);
	case TR_ARG_MODE: return tr_octal_put(p, (uint16_t)value);
	case TR_ARG_FLAGS:
		return ours && arg->set ? tr_flags_write(p, arg->set, value) : put_hex(p, value);
	case TR_ARG_HEX:
	case TR_ARG_ADDRESS: return put_hex(p, value);
	case TR_ARG_POINTER:
	case TR_ARG_PATH: break;
	}
	return put_pointer(p, value);
}

char *tr_call_args_write(char *p, const struct tr_syscalls *calls, const struct tr_call *call,
			 const struct tr_call_values *values)
{
	bool ours = tr_syscalls_are_ours(calls);
	unsigned bits = values->code >> 24 == TR_ABI_32 ? 32 : 64;

	for (int i = 0; i < call->n_args; i++) {
		const struct tr_call_arg *arg = &call->args[i];
		uint64_t value = bits == 32 ? (uint32_t)values->args[i] : values->args[i];

		*p++ = ' ';
		memcpy(p, arg->name, arg->len);
		p += arg->len;
		*p++ = '=';
		p = arg->kind == TR_ARG_PATH
			    ? put_path(p, &values->paths[i != call->path[0]], value)
			    : put_number(p, arg, value, bits, ours);
	}
	return p;
}

char *tr_call_ret_write(char *p, const struct tr_call *call, int64_t ret)
{
	bool is_value = !tr_result_is_error(ret) && !tr_result_is_restart(ret);

	if (is_value && call->ret == TR_ARG_ADDRESS)
		return put_hex(p, ret);
	if (is_value && call->ret == TR_ARG_MODE)
		return tr_octal_put(p, ret);
	return tr_i64_put(p, ret);
}
