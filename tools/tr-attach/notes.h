/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel's programs have to tell whoever runs tr-attach. */
#ifndef NOTES_H
#define NOTES_H

/* A process uses io_uring: BODY, a struct tr_note, says which. A message, once for each. */
void notes_tell(const void *body);

#endif
