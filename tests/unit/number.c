/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers, sizes and times: what is taken, what is refused, what is shown. */
#include "number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "check.h"

static void check_parse(void)
{
	static const struct {
		const char *text;
		int64_t min, max, value;
		int err;
	} rows[] = {
		{"0", 0, 10, 0, 0},
		{"10", 0, 10, 10, 0},
		{"11", 0, 10, 0, -ERANGE},
		{"-1", 0, 10, 0, -ERANGE},
		{"-1", -1, 10, -1, 0},
		{"0x1F", 0, 100, 31, 0},
		{"010", 0, 100, 10, 0},
		{"9223372036854775807", INT64_MIN, INT64_MAX, INT64_MAX, 0},
		{"-9223372036854775808", INT64_MIN, INT64_MAX, INT64_MIN, 0},
		{"9223372036854775808", INT64_MIN, INT64_MAX, 0, -ERANGE},
		{"99999999999999999999999", INT64_MIN, INT64_MAX, 0, -ERANGE},
		{"", 0, 10, 0, -EINVAL},
		{"-", -9, 10, 0, -EINVAL},
		{"+1", 0, 10, 0, -EINVAL},
		{" 1", 0, 10, 0, -EINVAL},
		{"1 ", 0, 10, 0, -EINVAL},
		{"1x", 0, 10, 0, -EINVAL},
		{"0x", 0, 10, 0, -EINVAL},
		{"1.0", 0, 10, 0, -EINVAL},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int64_t v = rows[i].value;

		CHECK_INT(tr_number_parse(rows[i].text, rows[i].min, rows[i].max, &v), rows[i].err);
		CHECK_INT(v, rows[i].value);
	}
}

static void check_size_and_time(void)
{
	static const struct {
		const char *text;
		uint64_t value; /* 0: see err */
		int err;
	} sizes[] =
		{
			{"1", 1, 0},           {"8M", 8 << 20, 0},        {"3k", 3 << 10, 0},
			{"2G", 2ULL << 30, 0}, {"1T", 1ULL << 40, 0},     {"", 0, -EINVAL},
			{"M", 0, -EINVAL},     {"8MB", 0, -EINVAL},       {"8 M", 0, -EINVAL},
			{"-1", 0, -EINVAL},    {"16777216T", 0, -ERANGE}, {"1x", 0, -EINVAL},
		},
	  times[] = {
		  {"1", 1000000000, 0},
		  {"1.5s", 1500000000, 0},
		  {"0.1ms", 100000, 0},
		  {".5us", 500, 0},
		  {"250ns", 250, 0},
		  {"2m", 120000000000, 0},
		  {"1h", 3600000000000, 0},
		  {"0.000000001", 1, 0},
		  {"9223372036", 9223372036000000000, 0},
		  {"9223372037", 0, -ERANGE},
		  {"99999999999999999999h", 0, -ERANGE},
		  {"0", 0, -ERANGE},
		  {"0.5ns", 0, -ERANGE},
		  {"", 0, -EINVAL},
		  {".", 0, -EINVAL},
		  {"s", 0, -EINVAL},
		  {"1 s", 0, -EINVAL},
		  {"-1s", 0, -EINVAL},
		  {"1e3", 0, -EINVAL},
		  {"1d", 0, -EINVAL},
	  };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t v = sizes[i].value;

		CHECK_INT(tr_size_parse(sizes[i].text, &v), sizes[i].err);
		CHECK_INT(v, sizes[i].value);
	}
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		uint64_t v = times[i].value;

		CHECK_INT(tr_time_parse(times[i].text, &v), times[i].err);
		CHECK_INT(v, times[i].value);
	}
}

static void check_digits(uint64_t value)
{
	char wanted[64], got[TR_NUMBER_MAX];

	snprintf(wanted, sizeof(wanted), "%" PRIu64, value);
	CHECK_INT(tr_u64_format(got, value), strlen(wanted));
	CHECK_TEXT(got, wanted);
	snprintf(wanted, sizeof(wanted), "%" PRId64, (int64_t)value);
	CHECK_INT(tr_i64_format(got, (int64_t)value), strlen(wanted));
	CHECK_TEXT(got, wanted);
	snprintf(wanted, sizeof(wanted), "0x%" PRIx64, value);
	CHECK_INT(tr_hex_format(got, value), strlen(wanted));
	CHECK_TEXT(got, wanted);
}

static void check_format(void)
{
	for (uint64_t ten = 1;; ten *= 10) {
		check_digits(ten - 1);
		check_digits(ten);
		check_digits(-ten);
		if (ten > UINT64_MAX / 10)
			break;
	}
	for (int bit = 0; bit < 64; bit++)
		check_digits(1ULL << bit);
	for (int i = 0; i < 100000; i++)
		check_digits(check_random_sized());
}

/* Each byte in each place of a word, behind digits. */
static void check_words(void)
{
	for (int byte = 0; byte < 256; byte++)
		for (unsigned at = 0; at < 8; at++) {
			bool decimal = byte >= '0' && byte <= '9';
			bool hex = decimal || (byte >= 'a' && byte <= 'f');
			char text[9] = "9a0f1b2c";
			uint64_t word;

			text[at] = (char)byte;
			memcpy(&word, text, 8);
			CHECK_INT(tr_hex_count(word), hex ? 8 : at);
			if (hex)
				CHECK(tr_hex_join(word, 8) == strtoull(text, NULL, 16));
			memcpy(text, "90817263", 8);
			text[at] = (char)byte;
			memcpy(&word, text, 8);
			CHECK_INT(tr_digits_count(word), decimal ? 8 : at);
			text[at] = 0;
			if (at)
				CHECK(tr_digits_join(word, at) == strtoull(text, NULL, 10));
		}
}

static void check_i128(void)
{
	const __int128 e18 = 1000000000000000000;
	char got[TR_NUMBER_MAX], wanted[64];

	tr_i128_format(got, 0);
	CHECK_TEXT(got, "0");
	tr_i128_format(got, (__int128)1 << 126);
	CHECK_TEXT(got, "85070591730234615865843651857942052864");
	CHECK_INT(tr_i128_format(got, (__int128)((unsigned __int128)1 << 127)), 40);
	CHECK_TEXT(got, "-170141183460469231731687303715884105728");
	for (int i = 0; i < 10000; i++) {
		__int128 v = ((__int128)check_random_sized() << 60) + (__int128)check_random();
		__int128 m = v % (e18 * e18);

		tr_i128_format(got, i % 2 ? -m : m);
		if (m < e18)
			snprintf(wanted, sizeof(wanted), "%s%" PRIu64, i % 2 ? "-" : "",
				 (uint64_t)m);
		else
			snprintf(wanted, sizeof(wanted), "%s%" PRIu64 "%018" PRIu64,
				 i % 2 ? "-" : "", (uint64_t)(m / e18), (uint64_t)(m % e18));
		CHECK_TEXT(got, wanted);
	}
}

static void check_units(void)
{
	static const struct {
		uint64_t value;
		const char *time, *size;
	} rows[] = {
		{0, "0 ns", "0 B"},
		{12, "12 ns", "12 B"},
		{999, "999 ns", "999 B"},
		{1000, "1.000 us", "1000 B"},
		{1024, "1.024 us", "1 KiB"},
		{1536, "1.536 us", "1.5 KiB"},
		{12345, "12.35 us", "12.06 KiB"},
		{135168, "135.2 us", "132 KiB"},
		{999949, "999.9 us", "976.5 KiB"},
		{999950, "1.000 ms", "976.5 KiB"},
		{1048575, "1.049 ms", "1 MiB"},
		{8 << 20, "8.389 ms", "8 MiB"},
		{59999999999, "60.00 s", "55.88 GiB"},
		{999949999999, "999.9 s", "931.3 GiB"},
		{999950000000, "1000 s", "931.3 GiB"},
		{90000500000000, "90001 s", "81.85 TiB"},
		{UINT64_MAX, "18446744074 s", "16 EiB"},
	};
	char text[TR_NUMBER_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_INT(tr_time_format(text, rows[i].value), strlen(rows[i].time));
		CHECK_TEXT(text, rows[i].time);
		CHECK_INT(tr_size_format(text, rows[i].value), strlen(rows[i].size));
		CHECK_TEXT(text, rows[i].size);
	}
}

int main(void)
{
	check_parse();
	check_size_and_time();
	check_format();
	check_words();
	check_i128();
	check_units();
	return check_status();
}
