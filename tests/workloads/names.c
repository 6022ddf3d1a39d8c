/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names [INDEX]: takes odd names, one after the other, and calls getppid 3 times under each, or
 * only that with INDEX. Prints each name's bytes in hexadecimal, a line each.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CALLS = 3 };

static const char *const names[] = {
	"a\"b\\c\n\x01",
	"\xff\xc3;d",
	"cut utf-8 here\xe2",       /* 15 bytes, the last one begins a character */
	"\xe5\x90\x8d\xe5\x89\x8d", /* two wide characters */
	"e\xcc\x81 combining",
	"\x1b[31mred\x1b[0m",
	"\xc2\x9b"
	"31m C1",
	"\xed\xb2\x80 lone", /* an encoded surrogate, which is no UTF-8 */
	"\xe2\x80\xae"
	"rtl", /* turns the direction of writing */
	" , ; \t'`$(x)",
	"",
	"[ET_NET 0]",
	"\x7f\x80\xfe\xf8",
};

int main(int argc, char **argv)
{
	for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++) {
		if (argc > 1 && atoi(argv[1]) != i)
			continue;
		prctl(PR_SET_NAME, names[i]);
		for (int j = 0; j < CALLS; j++)
			syscall(SYS_getppid);
		for (const char *p = names[i]; *p; p++)
			printf("%02x", (unsigned char)*p);
		putchar('\n');
	}
	return 0;
}
