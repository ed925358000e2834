/* SPDX-License-Identifier: MIT */
/* The values of the RANGES_* environment variables for this process. */
#include "libranges/settings/config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "libranges/base/log.h"

#define PREFIX       "RANGES_"
#define PREFIX_BYTES (sizeof(PREFIX) - 1)

/* Variables with this prefix are for the tests of libranges, and are never reported as unknown. */
#define TEST_PREFIX "RANGES_TEST_"

#define NAME_MAX_BYTES 40 /* our longest name, with the edits that we accept */
#define NEAR_EDITS     3

#define KIB UINT64_C(1024)
#define MIB (KIB * 1024)
#define GIB (MIB * 1024)

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)

/* The drain writes so many times in the time of RANGES_KEEP, but not more often than
 * LEAST_FLUSH_NS. */
#define KEEP_FLUSHES   16u
#define LEAST_FLUSH_NS (10 * NS_PER_MS)

/* Where problems are reported while a configuration is loaded. */
struct problems {
	rcap_config_report_fn *report;
	void *context;
	int count;
};

/* Parses decimal digits (no sign, no blanks). *end: the place after the last digit. Return: false
 * if there are none, or the number is too large. */
static bool parse_digits(const char *text, uint64_t *value, const char **end)
{
	uint64_t sum = 0;

	*end = text;
	for (; *text >= '0' && *text <= '9'; text++) {
		const uint64_t digit = (uint64_t) (*text - '0');

		if (sum > (UINT64_MAX - digit) / 10) {
			return false;
		}
		sum = sum * 10 + digit;
	}
	if (text == *end) {
		return false;
	}
	*end = text;
	*value = sum;
	return true;
}

static bool parse_bytes(const char *text, uint64_t *value)
{
	uint64_t unit = 1;
	const char *end;

	if (!parse_digits(text, value, &end)) {
		return false;
	}
	switch (*end) {
	case 'k':
	case 'K':
		unit = KIB;
		break;
	case 'm':
	case 'M':
		unit = MIB;
		break;
	case 'g':
	case 'G':
		unit = GIB;
		break;
	case '\0':
		return true;
	default:
		return false;
	}
	if (end[1] != '\0' || *value > UINT64_MAX / unit) {
		return false;
	}
	*value *= unit;
	return true;
}

/* Parses the digits after a decimal point. Gets this fraction of a unit in ns, rounded down. Moves
 * *text behind the digits. Return: false if there are none. */
static bool parse_fraction(const char **text, uint64_t unit_ns, uint64_t *ns)
{
	const char *const start = *text;

	*ns = 0;
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		unit_ns /= 10;
		*ns += (uint64_t) (**text - '0') * unit_ns;
	}
	return *text > start;
}

bool rcap_config_parse_time(const char *text, uint64_t *value)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "", NS_PER_S },
		      { "s", NS_PER_S },
		      { "ms", NS_PER_MS },
		      { "m", 60 * NS_PER_S },
		      { "h", 3600 * NS_PER_S } };
	uint64_t whole;
	const char *end;

	if (!parse_digits(text, &whole, &end)) {
		return false;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		const char *unit = end + (*end == '.');
		uint64_t part_ns = 0;

		if ((*end == '.' && !parse_fraction(&unit, units[i].ns, &part_ns)) ||
		    strcmp(unit, units[i].name) != 0) {
			continue;
		}
		if (whole > (UINT64_MAX - part_ns) / units[i].ns) {
			return false;
		}
		*value = whole * units[i].ns + part_ns;
		return true;
	}
	return false;
}

static bool parse_choice(const struct rcap_variable *variable, const char *text, uint64_t *value)
{
	for (size_t i = 0; variable->choices[i] != NULL; i++) {
		if (strcmp(variable->choices[i], text) == 0) {
			*value = i;
			return true;
		}
	}
	return false;
}

/* Parses a number or a choice, and checks its limits. */
static bool parse_value(const struct rcap_variable *variable, const char *text, uint64_t *value)
{
	const char *end;

	switch (variable->kind) {
	case RCAP_KIND_BYTES:
		return parse_bytes(text, value) && *value >= variable->min &&
		       *value <= variable->max;
	case RCAP_KIND_TIME:
		return rcap_config_parse_time(text, value) && *value >= variable->min &&
		       *value <= variable->max;
	case RCAP_KIND_NUMBER:
		return parse_digits(text, value, &end) && *end == '\0' && *value >= variable->min &&
		       *value <= variable->max;
	case RCAP_KIND_CHOICE:
		return parse_choice(variable, text, value);
	case RCAP_KIND_TEXT:
	case RCAP_KIND_PATH:
	case RCAP_KIND_DOMAINS:
	case RCAP_KIND_CUDA:
	case RCAP_KIND_COUNT:
	case RCAP_KIND_METRICS:
	case RCAP_KIND_SCHEDULE:
	case RCAP_KIND_RANGE:
	case RCAP_KIND_KEEP:
	case RCAP_KIND_WHEN:
		break;
	}
	return false;
}

static bool is_text(const struct rcap_variable *variable)
{
	return variable->kind == RCAP_KIND_TEXT || variable->kind == RCAP_KIND_PATH ||
	       variable->kind == RCAP_KIND_DOMAINS || variable->kind == RCAP_KIND_CUDA ||
	       variable->kind == RCAP_KIND_COUNT || variable->kind == RCAP_KIND_METRICS ||
	       variable->kind == RCAP_KIND_SCHEDULE || variable->kind == RCAP_KIND_RANGE ||
	       variable->kind == RCAP_KIND_KEEP || variable->kind == RCAP_KIND_WHEN;
}

/* True if a text is valid. If not, `why` gets one line. */
static bool is_text_valid(const struct rcap_variable *variable, const char *text, char *why,
                          size_t size)
{
	const struct rcap_counts_kind *counts[RCAP_COUNTS_MAX];
	struct rcap_schedule schedule;
	struct rcap_schedule_range range;
	struct rcap_keep_text keep;

	if (variable->kind == RCAP_KIND_DOMAINS) {
		return rcap_filter_is_valid(text, why, size);
	}
	if (variable->kind == RCAP_KIND_SCHEDULE) {
		return text[0] == '\0' || rcap_schedule_parse(text, &schedule, why, size);
	}
	if (variable->kind == RCAP_KIND_RANGE) {
		return text[0] == '\0' || rcap_schedule_parse_range(text, &range, why, size);
	}
	if (variable->kind == RCAP_KIND_KEEP) {
		return text[0] == '\0' || rcap_keep_text_parse(text, &keep, why, size);
	}
	if (variable->kind == RCAP_KIND_COUNT) {
		return rcap_counts_parse(text, counts, why, size) >= 0;
	}
	if (variable->kind == RCAP_KIND_METRICS) {
		return rcap_gpu_metrics_parse(text, why, size) >= 0;
	}
	if (variable->kind == RCAP_KIND_WHEN) {
		return text[0] == '\0' || rcap_trigger_parse(text, NULL, why, size) > 0;
	}
	return variable->kind != RCAP_KIND_CUDA || rcap_cupti_kinds_parse(text, why, size) >= 0;
}

/* Returns the room for a text's value in bytes, with its NUL. */
static size_t text_limit(const struct rcap_variable *variable)
{
	return variable->size != 0 ? variable->size : RCAP_CONFIG_PATH_BYTES;
}

/* Stores a value in its member of config, if config is given. Return: false if the value is
 * refused. */
static bool store_value(const struct rcap_variable *variable, const char *text,
                        struct rcap_config *config)
{
	uint64_t value = 0;
	char *member = NULL;

	if (config != NULL && variable->size != 0) {
		member = (char *) config + variable->offset;
	}
	if (is_text(variable)) {
		const size_t length = strlen(text);
		char why[1];

		if (length >= text_limit(variable) ||
		    !is_text_valid(variable, text, why, sizeof(why))) {
			return false;
		}
		if (member != NULL) {
			memcpy(member, text, length + 1);
		}
		return true;
	}
	if (!parse_value(variable, text, &value)) {
		return false;
	}
	if (member != NULL && variable->size == sizeof(unsigned)) {
		const unsigned small = (unsigned) value;

		memcpy(member, &small, sizeof(small));
	} else if (member != NULL) {
		memcpy(member, &value, sizeof(value));
	}
	return true;
}

static size_t format_bytes(uint64_t bytes, char *out, size_t size)
{
	if (bytes >= GIB && bytes % GIB == 0) {
		return rcap_log_format(out, size, "%luG", (unsigned long) (bytes / GIB));
	}
	if (bytes >= MIB && bytes % MIB == 0) {
		return rcap_log_format(out, size, "%luM", (unsigned long) (bytes / MIB));
	}
	if (bytes >= KIB && bytes % KIB == 0) {
		return rcap_log_format(out, size, "%luK", (unsigned long) (bytes / KIB));
	}
	return rcap_log_format(out, size, "%lu", (unsigned long) bytes);
}

static size_t format_choices(const struct rcap_variable *variable, char *out, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; variable->choices[i] != NULL; i++) {
		length += rcap_log_format(out + length, size - length, "%s%s", i == 0 ? "" : "|",
		                          variable->choices[i]);
	}
	return length;
}

size_t rcap_config_format_limits(const struct rcap_variable *variable, char *out, size_t size)
{
	size_t length = 0;

	out[0] = '\0';
	switch (variable->kind) {
	case RCAP_KIND_CHOICE:
		return format_choices(variable, out, size);
	case RCAP_KIND_BYTES:
		length = format_bytes(variable->min, out, size);
		length += rcap_log_format(out + length, size - length, "..");
		length += format_bytes(variable->max, out + length, size - length);
		return length;
	case RCAP_KIND_TIME:
		return rcap_log_format(out, size, "a time, such as 10s, 500ms or 5m, up to %luh",
		                       (unsigned long) (variable->max / NS_PER_S / 3600));
	case RCAP_KIND_NUMBER:
		return rcap_log_format(out, size, "%lu..%lu", (unsigned long) variable->min,
		                       (unsigned long) variable->max);
	case RCAP_KIND_TEXT:
	case RCAP_KIND_PATH:
	case RCAP_KIND_DOMAINS:
	case RCAP_KIND_CUDA:
	case RCAP_KIND_COUNT:
	case RCAP_KIND_METRICS:
	case RCAP_KIND_SCHEDULE:
	case RCAP_KIND_RANGE:
	case RCAP_KIND_KEEP:
	case RCAP_KIND_WHEN:
		break;
	}
	return 0;
}

size_t rcap_config_format(const struct rcap_config *config, const struct rcap_variable *variable,
                          char *out, size_t size)
{
	const char *const member = (const char *) config + variable->offset;
	uint64_t value = 0;
	unsigned small = 0;

	out[0] = '\0';
	if (variable->size == 0) {
		return 0;
	}
	if (is_text(variable)) {
		return rcap_log_format(out, size, "%s=%s", variable->name, member);
	}
	if (variable->kind == RCAP_KIND_CHOICE) {
		memcpy(&small, member, sizeof(small));
		return rcap_log_format(out, size, "%s=%s", variable->name,
		                       variable->choices[small]);
	}
	memcpy(&value, member, sizeof(value));
	if (variable->kind == RCAP_KIND_TIME) {
		return rcap_log_format(out, size, "%s=%lums", variable->name,
		                       (unsigned long) (value / (NS_PER_S / 1000)));
	}
	return rcap_log_format(out, size, "%s=%lu", variable->name, (unsigned long) value);
}

/* Writes one line that says why a value is refused. */
static void explain_refusal(const struct rcap_variable *variable, const char *value, char *why,
                            size_t size)
{
	char limits[80];
	char fault[200];

	if (is_text(variable) && strlen(value) >= text_limit(variable)) {
		rcap_log_format(why, size, "%s is too long: the limit is %d bytes", variable->name,
		                (int) text_limit(variable) - 1);
		return;
	}
	if (is_text(variable)) {
		is_text_valid(variable, value, fault, sizeof(fault));
		rcap_log_format(why, size, "%s=%.*s is not valid: %s", variable->name, 60, value,
		                fault);
		return;
	}
	rcap_config_format_limits(variable, limits, sizeof(limits));
	rcap_log_format(why, size, "%s=%.*s is not valid: expected %s", variable->name, 60, value,
	                limits);
}

static const struct rcap_variable *find_variable(const char *name, size_t length)
{
	size_t count;
	const struct rcap_variable *table = rcap_config_borrow_table(&count);

	for (size_t i = 0; i < count; i++) {
		if (strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) {
			return &table[i];
		}
	}
	return NULL;
}

bool rcap_config_is_valid(const char *name, const char *value, char *why, size_t size)
{
	const struct rcap_variable *const variable = find_variable(name, strlen(name));

	if (variable == NULL) {
		rcap_log_format(why, size, "%s is not a libranges variable", name);
		return false;
	}
	if (!store_value(variable, value, NULL)) {
		explain_refusal(variable, value, why, size);
		return false;
	}
	return true;
}

/* Returns the edit distance (insert, delete, replace) of two short texts. Keeps only one row of the
 * usual table. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t row[NAME_MAX_BYTES + 1];

	for (size_t j = 0; j <= b_length; j++) {
		row[j] = j;
	}
	for (size_t i = 1; i <= a_length; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			const size_t above = row[j];
			size_t best = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);

			best = above + 1 < best ? above + 1 : best;
			best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
			row[j] = best;
			diagonal = above;
		}
	}
	return row[b_length];
}

static const struct rcap_variable *find_nearest(const char *name, size_t length)
{
	size_t count;
	const struct rcap_variable *table = rcap_config_borrow_table(&count);
	const struct rcap_variable *nearest = NULL;
	size_t best = NEAR_EDITS + 1;

	if (length > NAME_MAX_BYTES) {
		return NULL;
	}
	for (size_t i = 0; i < count; i++) {
		size_t distance;

		if (table[i].internal) {
			continue;
		}
		distance = edit_distance(table[i].name, strlen(table[i].name), name, length);
		if (distance < best) {
			best = distance;
			nearest = &table[i];
		}
	}
	return nearest;
}

static void report_problem(struct problems *problems, const char *line)
{
	problems->count++;
	if (problems->report != NULL) {
		problems->report(problems->context, line);
	}
}

static bool is_of_analyzer(const char *name, size_t length)
{
	static const char *const names[] = { "RANGES_PAGER", "RANGES_WIDTH" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == length && memcmp(name, names[i], length) == 0) {
			return true;
		}
	}
	return false;
}

/* Reports variables RANGES_* of the environment that are not in the table. */
static void report_unknown(struct problems *problems)
{
	for (char **entry = environ; entry != NULL && *entry != NULL; entry++) {
		const char *const equals = strchr(*entry, '=');
		const struct rcap_variable *nearest;
		char line[256];
		size_t length;

		if (equals == NULL || strncmp(*entry, PREFIX, PREFIX_BYTES) != 0 ||
		    strncmp(*entry, TEST_PREFIX, sizeof(TEST_PREFIX) - 1) == 0) {
			continue;
		}
		length = (size_t) (equals - *entry);
		if (find_variable(*entry, length) != NULL || is_of_analyzer(*entry, length)) {
			continue;
		}
		nearest = find_nearest(*entry, length);
		if (nearest != NULL) {
			rcap_log_format(line, sizeof(line),
			                "%.*s is not a libranges variable; did you mean %s?",
			                (int) length, *entry, nearest->name);
		} else {
			rcap_log_format(line, sizeof(line),
			                "%.*s is not a libranges variable: ignored",
			                (int) (length < 100 ? length : 100), *entry);
		}
		report_problem(problems, line);
	}
}

/* Appends a line to the list of refused values. */
static void keep_refused(struct rcap_config *config, const char *line)
{
	const size_t length = strlen(line);
	size_t used = 0;

	while (config->refused[used] != '\0') {
		used += strlen(config->refused + used) + 1;
	}
	if (used + length + 2 <= sizeof(config->refused)) {
		memcpy(config->refused + used, line, length + 1);
		config->refused[used + length + 1] = '\0';
	}
}

/* Takes the user's value. If it is refused, takes the default and reports why. An empty value is
 * the same as none. */
static void load_variable(const struct rcap_variable *variable, struct rcap_config *out,
                          struct problems *problems)
{
	const char *const value = secure_getenv(variable->name);
	char why[300];
	char line[300];

	if (value != NULL && value[0] != '\0') {
		if (store_value(variable, value, out)) {
			return;
		}
		explain_refusal(variable, value, why, sizeof(why));
		rcap_log_format(line, sizeof(line),
		                variable->default_text[0] != '\0' ? "%s; using the default: %s"
		                                                  : "%s; it is ignored%s",
		                why, variable->default_text);
		report_problem(problems, line);
		keep_refused(out, line);
	}
	store_value(variable, variable->default_text, out);
}

int rcap_config_load(struct rcap_config *out, rcap_config_report_fn *report, void *context)
{
	size_t count;
	const struct rcap_variable *table = rcap_config_borrow_table(&count);
	const char *const checked = secure_getenv("RANGES_CHECKED");
	const bool is_checked = checked != NULL && strcmp(checked, "1") == 0;
	struct problems problems = { is_checked ? NULL : report, context, 0 };

	out->refused[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		load_variable(&table[i], out, &problems);
	}
	if (getauxval(AT_SECURE) == 0) {
		report_unknown(&problems);
	}
	return problems.count;
}

uint64_t rcap_config_flush_ns(const struct rcap_config *config)
{
	uint64_t ns = config->flush_ms * NS_PER_MS;
	struct rcap_keep_text keep = { 0 };
	char why[1];

	if (config->keep[0] != '\0' &&
	    rcap_keep_text_parse(config->keep, &keep, why, sizeof(why)) && keep.ns > 0) {
		const uint64_t part = keep.ns / KEEP_FLUSHES > LEAST_FLUSH_NS
		                              ? keep.ns / KEEP_FLUSHES
		                              : LEAST_FLUSH_NS;

		ns = part < ns ? part : ns;
	}
	return ns;
}

void rcap_config_log_problem(void *context, const char *line)
{
	(void) context;
	rcap_log_line(RCAP_LOG_WARN, "%s", line);
}
