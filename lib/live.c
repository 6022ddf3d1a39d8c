/* SPDX-License-Identifier: GPL-2.0-only */
/* Drawing again and again. */
#include "live.h"

#include <sys/ioctl.h>
#include <time.h>

enum { REDRAW_MS = 1000, LINES = 24, COLUMNS = 80 };

uint64_t tr_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void tr_live_init(struct tr_live *live, bool on)
{
	*live = (struct tr_live){.on = on, .drawn_ms = tr_now_ms(), .pause_ms = REDRAW_MS};
}

struct tr_screen tr_screen_of(int fd)
{
	struct winsize size = {0};

	ioctl(fd, TIOCGWINSZ, &size);
	return (struct tr_screen){.lines = size.ws_row ? size.ws_row : LINES,
				  .columns = size.ws_col ? size.ws_col : COLUMNS};
}

static void erase(struct tr_live *live, struct tr_out *out, const struct tr_screen *screen)
{
	size_t up = live->lines;

	/* What has scrolled off cannot be reached; and on a terminal that became narrower the lines
	 * may have been broken, so that nobody knows how many they are now: they stay. */
	if (up > screen->lines - 1)
		up = screen->lines - 1;
	if (up && screen->columns >= live->columns)
		tr_out_printf(out, "\r\033[%zuA\033[J", up);
	live->lines = 0;
}

void tr_live_erase(struct tr_live *live, struct tr_out *out)
{
	struct tr_screen screen;

	if (!live->lines)
		return;
	screen = tr_screen_of(out->fd);
	erase(live, out, &screen);
}

void tr_live_draw(struct tr_live *live, struct tr_out *out, tr_live_draw_fn *draw, void *context)
{
	uint64_t begin = tr_now_ms();
	struct tr_screen screen;

	if (!live->on || begin - live->drawn_ms < live->pause_ms)
		return;
	screen = tr_screen_of(out->fd);
	erase(live, out, &screen);
	live->columns = screen.columns;
	/* the line below it is the cursor's */
	screen.lines--;
	live->lines = draw(context, out, &screen);
	tr_out_flush(out);
	live->drawn_ms = tr_now_ms();
	/* What is made of a million keys takes its time, most of which belongs to the reading. */
	live->pause_ms = 10 * (live->drawn_ms - begin);
	if (live->pause_ms < REDRAW_MS)
		live->pause_ms = REDRAW_MS;
}

int tr_live_timeout_ms(const struct tr_live *live)
{
	uint64_t since = tr_now_ms() - live->drawn_ms;

	if (!live->on)
		return -1;
	return since < live->pause_ms ? (int)(live->pause_ms - since) : 0;
}
