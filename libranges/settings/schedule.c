/* SPDX-License-Identifier: MIT */
/* Decides when a capture is on: parses schedules and names of ranges. */
#include "libranges/settings/schedule.h"

#include <string.h>

#include "libranges/base/log.h"

/* Upper limit of numbers of steps. No program makes more, and sums of such numbers are far below
 * 2^64. */
#define MAX_STEPS UINT64_C(1000000000000)

/* Parses `length` bytes as a number of steps. All of them must be digits. */
static bool read_steps(const char *text, size_t length, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9') {
			return false;
		}
		*out = *out * 10 + (uint64_t) (text[i] - '0');
		if (*out > MAX_STEPS) {
			return false;
		}
	}
	return length > 0;
}

/* True if a star is anywhere but at the end of a name. There it means that any text may follow. */
static bool has_stray_star(const char *text, size_t name, size_t length)
{
	const char *const star = memchr(text, '*', length);

	return star && (star == text || star != text + name - 1);
}

bool rcap_schedule_read_name(const char *text, size_t length, struct rcap_schedule_name *out,
                             char *why, size_t size)
{
	const char *const at = memrchr(text, '@', length);
	const bool has_domain = at && at != text;
	const size_t name = has_domain ? (size_t) (at - text) : length;
	const size_t domain = has_domain ? length - name - 1 : 0;

	memset(out, 0, sizeof(*out));
	if (name == 0 || name >= sizeof(out->text) || domain >= sizeof(out->domain)) {
		rcap_log_format(why, size, "a name has 1 to %d bytes", RCAP_SCHEDULE_NAME - 1);
		return false;
	}
	if (has_domain && domain == 0) {
		rcap_log_format(why, size, "expected a domain after the @ at its end");
		return false;
	}
	if (has_stray_star(text, name, length)) {
		rcap_log_format(why, size, "expected a * only at the end of the name");
		return false;
	}
	memcpy(out->text, text, name);
	out->length = name;
	out->has_domain = has_domain;
	if (has_domain) {
		memcpy(out->domain, at + 1, domain);
	}
	if (name > 2 && strcmp(out->text + name - 2, "#N") == 0) {
		out->is_numbered =
			true; /* the number comes after a #, as in PyTorch's ProfilerStep#7 */
		out->length--;
	} else if (name > 1 && out->text[name - 1] == '#') {
		out->is_numbered = true; /* the number comes after a blank, as in the analyzer's
		                          * "step 7" */
		out->length--;
	} else if (name > 1 && out->text[name - 1] == '*') {
		out->is_begin = true;
		out->length--;
	}
	return true;
}

/* Notes that a word was found. Return: false if it was found before. */
static bool take_once(unsigned *seen, size_t number, const char *word, char *why, size_t size)
{
	if ((*seen & 1u << number) != 0) {
		rcap_log_format(why, size, "%s= is given twice", word);
		return false;
	}
	*seen |= 1u << number;
	return true;
}

/* The words of a schedule. torch.profiler's skip_first is the same as skip. */
static const char *const words[] = { "skip",   "wait", "warmup",    "active",
	                             "repeat", "on",   "skip_first" };

#define WORDS (sizeof(words) / sizeof(words[0]))
#define ON    5 /* indexes of words[] */
#define FIRST 6

/* True if a word and its = begin here. */
static bool begins_word(const char *text)
{
	for (size_t i = 0; i < WORDS; i++) {
		const size_t length = strlen(words[i]);

		if (strncmp(text, words[i], length) == 0 && text[length] == '=') {
			return true;
		}
	}
	return false;
}

/* Returns the number of bytes before the comma after a word's value. A name may contain commas, so
 * it ends at a comma that another word follows. */
static size_t measure_word(const char *text)
{
	size_t length = strcspn(text, ",");

	while (strncmp(text, "on=", 3) == 0 && text[length] == ',' &&
	       !begins_word(text + length + 1)) {
		length += 1 + strcspn(text + length + 1, ",");
	}
	return length;
}

/* Parses one word=value. @seen: a bit for each word that was found. */
static bool read_word(const char *text, size_t length, struct rcap_schedule *out, unsigned *seen,
                      char *why, size_t size)
{
	/* In the order of words[]. */
	uint64_t *const values[WORDS] = { &out->skip,   &out->wait, &out->warmup, &out->active,
		                          &out->repeat, NULL,       &out->skip };
	const char *const equals = memchr(text, '=', length);
	const size_t word = equals ? (size_t) (equals - text) : length;
	const size_t value = equals ? length - word - 1 : 0;
	size_t used;

	if (equals && word == 2 && memcmp(text, "on", 2) == 0) {
		return take_once(seen, ON, "on", why, size) &&
		       rcap_schedule_read_name(equals + 1, value, &out->on, why, size);
	}
	for (size_t i = 0; equals && i < WORDS; i++) {
		if (values[i] != NULL && strlen(words[i]) == word &&
		    memcmp(words[i], text, word) == 0) {
			if (read_steps(equals + 1, value, values[i])) {
				return take_once(seen, i == FIRST ? 0 : i, words[i], why, size);
			}
			rcap_log_format(why, size, "%s=%.*s: expected a number of steps", words[i],
			                (int) (value < 20 ? value : 20), equals + 1);
			return false;
		}
	}
	used = rcap_log_format(why, size, "\"%.*s\": expected ", (int) (length < 20 ? length : 20),
	                       text);
	used += rcap_log_list(why + used, size - used, words, sizeof(words[0]), WORDS);
	rcap_log_format(why + used, size - used, ", each with = and a value");
	return false;
}

bool rcap_schedule_parse(const char *text, struct rcap_schedule *out, char *why, size_t size)
{
	unsigned seen = 0;

	memset(out, 0, sizeof(*out));
	while (*text != '\0') {
		const size_t length = measure_word(text);

		if (!read_word(text, length, out, &seen, why, size)) {
			return false;
		}
		text += length + (text[length] == ',');
	}
	if (out->active == 0) {
		rcap_log_format(why, size,
		                "active=N is missing or 0: at least one step of each "
		                "cycle must be recorded");
		return false;
	}
	return true;
}

/* Parses how many ranges are recorded, from the word after the last colon. Return: false if the
 * word is not valid. */
static bool read_count(const char *word, uint64_t *out, char *why, size_t size)
{
	if (strcmp(word, "first") == 0) {
		*out = 1;
		return true;
	}
	if (strcmp(word, "each") == 0) {
		*out = 0;
		return true;
	}
	if (!read_steps(word, strlen(word), out)) {
		rcap_log_format(why, size,
		                "\":%.*s\": expected :first, :each or a number; a name that "
		                "contains a colon needs one of these after it",
		                (int) strnlen(word, 20), word);
		return false;
	}
	if (*out == 0) {
		rcap_log_format(why, size, ":0: at least one range must be recorded");
		return false;
	}
	return true;
}

bool rcap_schedule_parse_range(const char *text, struct rcap_schedule_range *out, char *why,
                               size_t size)
{
	const char *const colon = strrchr(text, ':');
	size_t length = strlen(text);

	memset(out, 0, sizeof(*out));
	out->count = 1;
	/* Names in C++ contain "::", which does not separate the word. */
	if (colon && (colon == text || colon[-1] != ':')) {
		if (!read_count(colon + 1, &out->count, why, size)) {
			return false;
		}
		length = (size_t) (colon - text);
	}
	return rcap_schedule_read_name(text, length, &out->name, why, size);
}

bool rcap_schedule_has_cycles(const char *schedule, const char *range, bool is_standby)
{
	struct rcap_schedule steps;
	struct rcap_schedule_range ranges;
	char why[1];

	if (schedule[0] != '\0' && rcap_schedule_parse(schedule, &steps, why, sizeof(why))) {
		return steps.repeat != 1;
	}
	if (range[0] != '\0' && rcap_schedule_parse_range(range, &ranges, why, sizeof(why))) {
		return ranges.count != 1;
	}
	return is_standby;
}

enum rcap_phase rcap_schedule_phase(const struct rcap_schedule *schedule, uint64_t step)
{
	const uint64_t cycle = schedule->wait + schedule->warmup + schedule->active;
	uint64_t at;

	if (step < schedule->skip) {
		return RCAP_PHASE_OFF;
	}
	at = step - schedule->skip;
	if (schedule->repeat != 0 && at / cycle >= schedule->repeat) {
		return RCAP_PHASE_OFF;
	}
	at %= cycle;
	if (at < schedule->wait) {
		return RCAP_PHASE_OFF;
	}
	return at < schedule->wait + schedule->warmup ? RCAP_PHASE_WARMUP : RCAP_PHASE_ON;
}

bool rcap_schedule_is_turn(const struct rcap_schedule *schedule, uint64_t step)
{
	return schedule->wait + schedule->warmup == 0 && step > schedule->skip &&
	       (step - schedule->skip) % schedule->active == 0 &&
	       rcap_schedule_phase(schedule, step) == RCAP_PHASE_ON;
}

uint64_t rcap_schedule_first(const struct rcap_schedule *schedule)
{
	return schedule->skip + schedule->wait + schedule->warmup + 1;
}

uint64_t rcap_schedule_last(const struct rcap_schedule *schedule)
{
	const uint64_t cycle = schedule->wait + schedule->warmup + schedule->active;

	if (schedule->repeat == 0 || schedule->repeat > (UINT64_MAX - schedule->skip) / cycle) {
		return UINT64_MAX;
	}
	return schedule->skip + schedule->repeat * cycle;
}

bool rcap_schedule_is_profiler(const struct rcap_schedule_name *name)
{
	return strcmp(name->text, "cudaProfilerApi") == 0 && !name->has_domain;
}

bool rcap_schedule_is_name(const struct rcap_schedule_name *name, const char *text, size_t length)
{
	if (name->length == 0) {
		return false;
	}
	if (name->is_begin) {
		return length >= name->length && memcmp(text, name->text, name->length) == 0;
	}
	if (!name->is_numbered) {
		return length == name->length && memcmp(text, name->text, length) == 0;
	}
	if (length <= name->length || memcmp(text, name->text, name->length) != 0) {
		return false;
	}
	for (size_t i = name->length; i < length; i++) {
		if (text[i] < '0' || text[i] > '9') {
			return false;
		}
	}
	return true;
}
