/* SPDX-License-Identifier: GPL-2.0-only */
/* Notes, each told once. */
#include "notes.h"

#include <inttypes.h>
#include <linux/types.h>
#include <stdio.h>
#include <string.h>

#include "../../bpf/config.h"
#include "message.h"
#include "text.h"

void notes_tell(const void *body)
{
	static uint32_t told[TR_MAX_NOTED];
	static size_t n;
	char comm[sizeof(struct tr_comm) + 1] = "", shown[4 * sizeof(comm) + 1];
	struct tr_note note;

	memcpy(&note, body, sizeof(note));
	for (size_t i = 0; i < n; i++)
		if (told[i] == note.pid)
			return;
	if (n == TR_MAX_NOTED)
		return;
	told[n++] = note.pid;
	memcpy(comm, &note.comm, sizeof(note.comm));
	*tr_text_terminal(shown, comm, strlen(comm), 1) = 0;
	tr_note("process %" PRIu32 " (%s) uses io_uring: what it does by that is not seen",
		note.pid, shown);
}
