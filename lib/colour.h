/* SPDX-License-Identifier: GPL-2.0-only */
/* Colours on a terminal that has them, unless the user wants none (NO_COLOR, TERM=dumb). */
#ifndef TR_COLOUR_H
#define TR_COLOUR_H

enum tr_colour { TR_PLAIN, TR_FAINT, TR_STRONG, TR_N_COLOURS };

enum { TR_COLOUR_MAX = 8 }; /* bytes that one takes */

/* From here on text that is written is coloured, if it is for FD and that is such a terminal. */
void tr_colour_for(int fd);

/* Writes what turns the colour on, nothing where there are none, and returns the end; no zero
 * byte. TR_PLAIN turns all off. */
char *tr_colour_put(char *p, enum tr_colour colour);

#endif
