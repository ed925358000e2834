/* SPDX-License-Identifier: MIT */
/* Turns a call of a tool into the analyzer command that answers it. */
#include "analyzer/commands/mcp/mcp-tools.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/check/check-rules.h"

#define MOST_RULES 40
#define MOST_FILES 64
#define BYTES      "4000" /* most bytes of an answer, unless the client chooses */

/* The state while a command is made from a tool's arguments. */
struct maker {
	const struct ra_mcp_roots *roots;
	char *const *fields;
	struct ra_mcp_command *command;
	struct ra_util_text *text;
};

void ra_mcp_command_fini(struct ra_mcp_command *command)
{
	for (size_t i = 0; i < command->count; i++) {
		free(command->words[i]);
	}
	*command = (struct ra_mcp_command){ 0 };
}

static bool is_bare(const char *word)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_,+-./=:@%";

	return word[0] != '\0' && strspn(word, bare) == strlen(word);
}

void ra_mcp_command_put(const struct ra_mcp_command *command, struct ra_util_text *text)
{
	ra_util_text_format(text, "\nthe same:");
	for (size_t i = 0; i < command->count; i++) {
		const char *quote = is_bare(command->words[i]) ? "" : "'";
		const char *word = command->words[i];

		ra_util_text_format(text, " %s", quote);
		while (*word != '\0') {
			const size_t length = strcspn(word, "'");

			ra_util_text_put_name(text,
			                      (struct rlog_string){ word, (uint32_t) length, 0 },
			                      RA_TEXT_TERMINAL);
			word += length;
			ra_util_text_format(text, "%s", *word == '\'' ? "'\\''" : "");
			word += *word == '\'';
		}
		ra_util_text_format(text, "%s", quote);
	}
	ra_util_text_put_char(text, '\n');
}

static void add_word(struct maker *maker, const char *option, const char *value)
{
	struct ra_mcp_command *command = maker->command;

	if (value != NULL && command->count < RA_MCP_WORDS) {
		command->words[command->count++] = ra_alloc_format("%s%s", option, value);
	}
}

static bool refuse(const struct maker *maker, const char *why)
{
	ra_util_text_format(maker->text, "%s\n", why);
	return false;
}

/* Adds the path of an argument. */
static bool add_file(struct maker *maker, enum ra_mcp_field field, bool may_be_folder)
{
	char *path = ra_mcp_files_find(maker->roots, maker->fields[field], may_be_folder);

	if (path == NULL) {
		return refuse(
			maker,
			"no such file below the folders that can be read; call list for the names");
	}
	add_word(maker, "", path);
	free(path);
	return true;
}

/* Adds an argument that may name several files: a path with *, or a folder. */
static bool add_files(struct maker *maker)
{
	const char *name = maker->fields[RA_MCP_FILE];
	char *paths[MOST_FILES];
	size_t count;

	if (name == NULL || strchr(name, '*') == NULL) {
		return add_file(maker, RA_MCP_FILE, true);
	}
	count = ra_mcp_files_match(maker->roots, name, paths, MOST_FILES);
	for (size_t i = 0; i < count; i++) {
		add_word(maker, "", paths[i]);
		free(paths[i]);
	}
	return count > 0 || refuse(maker, "no such file below the folders that can be read, or too "
	                                  "many files: name their folder");
}

/* Adds the option that makes Python functions ranges, too, if it was asked for. */
static void add_python(struct maker *maker)
{
	const char *python = maker->fields[RA_MCP_PYTHON];

	if (python != NULL && strcmp(python, "true") == 0) {
		add_word(maker, "", "--python");
	}
}

/* Adds the width of tables. */
static bool add_width(struct maker *maker)
{
	const char *full = maker->fields[RA_MCP_FULL_NAMES];
	const char *width = maker->fields[RA_MCP_WIDTH];

	if (full != NULL && strcmp(full, "true") == 0) {
		if (width != NULL && strcmp(width, "0") != 0) {
			return refuse(
				maker,
				"give width or full_names, not both; width 0 keeps names whole");
		}
		width = "0";
	}
	add_word(maker, "--width=", width);
	return true;
}

/* Adds the options that define ranges and steps, for tools whose figures depend on them. */
static void add_rules_of_ranges(struct maker *maker)
{
	add_word(maker, "--step-range=", maker->fields[RA_MCP_STEP_RANGE]);
	add_word(maker, "--attribute=", maker->fields[RA_MCP_ATTRIBUTE]);
}

static void begin(struct maker *maker, const char *name)
{
	const char *bytes = maker->fields[RA_MCP_BYTES];

	add_word(maker, "", "analyzer");
	add_word(maker, "", name);
	add_word(maker, "--brief=", bytes != NULL ? bytes : BYTES);
}

static bool make_list(struct maker *maker)
{
	maker->command->lists_files = true;
	add_word(maker, "", "analyzer");
	add_word(maker, "", "stats");
	add_word(maker, "", "--list");
	add_word(maker, "", "--brief");
	return true;
}

static bool make_why(struct maker *maker)
{
	begin(maker, "why");
	add_rules_of_ranges(maker);
	add_word(maker, "--steps=", maker->fields[RA_MCP_STEP]);
	return add_width(maker) && add_files(maker);
}

static bool make_summary(struct maker *maker)
{
	begin(maker, "analyze");
	add_rules_of_ranges(maker);
	add_python(maker);
	return add_width(maker) && add_file(maker, RA_MCP_FILE, false);
}

static bool make_report(struct maker *maker)
{
	if (maker->fields[RA_MCP_REPORT] == NULL) {
		return refuse(maker, "report is missing; call list for the names");
	}
	begin(maker, "stats");
	add_rules_of_ranges(maker);
	add_python(maker);
	add_word(maker, "--steps=", maker->fields[RA_MCP_STEP]);
	add_word(maker, "--report=", maker->fields[RA_MCP_REPORT]);
	add_word(maker, "--sort=", maker->fields[RA_MCP_SORT]);
	add_word(maker, "--limit=", maker->fields[RA_MCP_LIMIT]);
	return add_width(maker) && add_files(maker);
}

static bool make_search(struct maker *maker)
{
	begin(maker, "search");
	add_python(maker);
	add_word(maker, "--name=", maker->fields[RA_MCP_NAME]);
	add_word(maker, "--thread=", maker->fields[RA_MCP_THREAD]);
	add_word(maker, "--from=", maker->fields[RA_MCP_FROM]);
	add_word(maker, "--to=", maker->fields[RA_MCP_TO]);
	add_word(maker, "--unit=", maker->fields[RA_MCP_UNIT]);
	add_word(maker, "--sort=", maker->fields[RA_MCP_SORT]);
	add_word(maker, "--limit=", maker->fields[RA_MCP_LIMIT]);
	return add_width(maker) && add_file(maker, RA_MCP_FILE, false);
}

static bool make_diff(struct maker *maker)
{
	begin(maker, "diff");
	add_rules_of_ranges(maker);
	add_python(maker);
	add_word(maker, "--steps=", maker->fields[RA_MCP_STEP]);
	add_word(maker, "--limit=", maker->fields[RA_MCP_LIMIT]);
	return add_width(maker) && add_file(maker, RA_MCP_BEFORE, true) &&
	       add_file(maker, RA_MCP_AFTER, true);
}

/* Adds the rules. If a rule compares with another file's figures, that file must be below the
 * roots, too. It must be named by its full path, because the command gets the rule unchanged. */
static bool has_own_baselines(const struct maker *maker, const struct ra_check_rules *rules)
{
	bool has = true;

	for (size_t i = 0; i < rules->baseline_count && has; i++) {
		char *path = ra_mcp_files_find(maker->roots, rules->baselines[i], true);

		has = path != NULL && strcmp(path, rules->baselines[i]) == 0;
		free(path);
	}
	return has;
}

static bool add_rules(struct maker *maker, struct ra_check_rules *rules)
{
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	const char *line = maker->fields[RA_MCP_RULES];

	while (line != NULL && *line != '\0') {
		const size_t length = strcspn(line, "\n");
		char *rule = ra_util_copy(line, length);

		if (rule[strspn(rule, " \t\r")] != '\0') {
			if (ra_check_rules_add(rules, rule, &err) != 0) {
				free(rule);
				return refuse(maker, err.message);
			}
			add_word(maker, "--rule=", rule);
		}
		free(rule);
		line += length;
		line += *line == '\n';
	}
	if (rules->count == 0 || rules->count > MOST_RULES) {
		return refuse(maker, "rules: expected 1 to 40 rules, a line each");
	}
	return has_own_baselines(maker, rules) ||
	       refuse(maker, "rules: a file in them must be named as list names it");
}

static bool make_check(struct maker *maker)
{
	struct ra_check_rules rules = { 0 };
	bool is_made;

	maker->command->may_find = true;
	begin(maker, "check");
	add_rules_of_ranges(maker);
	add_python(maker);
	add_word(maker, "--steps=", maker->fields[RA_MCP_STEP]);
	is_made = add_rules(maker, &rules) && add_files(maker);
	ra_check_rules_fini(&rules);
	return is_made;
}

static bool make_explain(struct maker *maker)
{
	const char *word = maker->fields[RA_MCP_WORD];

	if (word == NULL || word[0] == '\0' || word[0] == '-') {
		return refuse(maker, "word: which?");
	}
	add_word(maker, "", "analyzer");
	add_word(maker, "", "help");
	add_word(maker, "", word);
	return true;
}

#define FIELD(name) (UINT32_C(1) << RA_MCP_##name)

/* Arguments that define steps and ranges. */
#define RANGES (FIELD(STEP_RANGE) | FIELD(ATTRIBUTE))

/* Arguments that limit what is shown. */
#define SIZE (FIELD(WIDTH) | FIELD(FULL_NAMES) | FIELD(BYTES))

static const struct tool {
	const char *name;
	bool (*make)(struct maker *maker);
	uint32_t arguments; /* bit N: the tool has the argument of field N */
} tools[] = {
	{ "list", make_list, 0 },
	{ "why", make_why, FIELD(FILE) | FIELD(STEP) | RANGES | SIZE },
	{ "summary", make_summary, FIELD(FILE) | RANGES | FIELD(PYTHON) | SIZE },
	{ "report", make_report,
	  FIELD(FILE) | FIELD(REPORT) | FIELD(STEP) | RANGES | FIELD(PYTHON) | FIELD(SORT) |
	          FIELD(LIMIT) | SIZE },
	{ "search", make_search,
	  FIELD(FILE) | FIELD(NAME) | FIELD(THREAD) | FIELD(FROM) | FIELD(TO) | FIELD(UNIT) |
	          FIELD(PYTHON) | FIELD(SORT) | FIELD(LIMIT) | SIZE },
	{ "diff", make_diff,
	  FIELD(BEFORE) | FIELD(AFTER) | FIELD(STEP) | RANGES | FIELD(PYTHON) | FIELD(LIMIT) |
	          SIZE },
	{ "check", make_check,
	  FIELD(FILE) | FIELD(RULES) | FIELD(STEP) | RANGES | FIELD(PYTHON) | FIELD(BYTES) },
	{ "explain", make_explain, FIELD(WORD) },
};

static const struct tool *find_tool(const char *name)
{
	for (size_t i = 0; name != NULL && i < sizeof(tools) / sizeof(tools[0]); i++) {
		if (strcmp(tools[i].name, name) == 0) {
			return &tools[i];
		}
	}
	return NULL;
}

/* Says which argument is not valid, and which are. */
static bool refuse_argument(const struct maker *maker, const struct tool *tool, const char *name,
                            const char *why)
{
	const char *between = " ";

	ra_util_text_format(maker->text, "%s: %s \"", tool->name, why);
	ra_util_text_put_name(maker->text, ra_util_string(name), RA_TEXT_TERMINAL);
	ra_util_text_format(maker->text,
	                    tool->arguments != 0 ? "\"; its arguments are" : "\"; it has none");
	for (size_t i = RA_MCP_FILE; i < RA_MCP_FIELDS; i++) {
		if ((tool->arguments >> i & 1) != 0) {
			ra_util_text_format(maker->text, "%s%s", between,
			                    ra_mcp_request_argument((enum ra_mcp_field) i));
			between = ", ";
		}
	}
	ra_util_text_put_char(maker->text, '\n');
	return false;
}

/* Refuses arguments that the tool would ignore, because the answer would not be the one that was
 * asked for. */
static bool has_own_arguments(const struct maker *maker, const struct tool *tool,
                              const struct ra_mcp_request *request)
{
	const uint32_t paths =
		FIELD(FILE) | FIELD(BEFORE) | FIELD(AFTER); /* checked later, as files */

	if (request->unknown != NULL) {
		return refuse_argument(maker, tool, request->unknown, "there is no argument");
	}
	for (size_t i = RA_MCP_FILE; i < RA_MCP_FIELDS; i++) {
		const char *name = ra_mcp_request_argument((enum ra_mcp_field) i);

		if ((request->given >> i & 1) == 0) {
			continue;
		}
		if ((tool->arguments >> i & 1) == 0) {
			return refuse_argument(maker, tool, name, "there is no argument");
		}
		if (request->fields[i] == NULL && (paths >> i & 1) == 0) {
			return refuse_argument(maker, tool, name, "expected text or a number as");
		}
	}
	return true;
}

/* True for a word of printable ASCII characters that is not too long. */
static bool is_printable(const char *word)
{
	size_t length = 0;

	for (; word != NULL && word[length] != '\0'; length++) {
		if (word[length] < ' ' || word[length] > '~') {
			return false;
		}
	}
	return length < 100;
}

/* True for a word that has only the characters of names of reports, columns and steps, of times and
 * of numbers. */
static bool is_plain(const char *word)
{
	return word == NULL ||
	       (strlen(word) < 100 &&
	        strspn(word, "abcdefghijklmnopqrstuvwxyz0123456789_,+-.") == strlen(word));
}

enum ra_mcp_tools_answer ra_mcp_tools_make(const struct ra_mcp_roots *roots,
                                           const struct ra_mcp_request *request,
                                           struct ra_mcp_command *command,
                                           struct ra_util_text *text)
{
	const struct tool *tool = find_tool(request->fields[RA_MCP_TOOL]);
	struct maker maker = { roots, request->fields, command, text };

	*command = (struct ra_mcp_command){ 0 };
	if (tool == NULL) {
		return RA_MCP_TOOLS_NONE;
	}
	if (!has_own_arguments(&maker, tool, request)) {
		return RA_MCP_TOOLS_REFUSED;
	}
	for (size_t i = RA_MCP_REPORT; i < RA_MCP_FIELDS; i++) {
		if (i == RA_MCP_SORT ? !is_printable(request->fields[i])
		                     : !is_plain(request->fields[i])) {
			(void) refuse(&maker, "report, attribute, step, sort, limit, from, to, "
			                      "width and bytes must be names, times or numbers");
			return RA_MCP_TOOLS_REFUSED;
		}
	}
	if (!is_printable(request->fields[RA_MCP_WORD])) {
		(void) refuse(&maker, "word: no table has it");
		return RA_MCP_TOOLS_REFUSED;
	}
	return tool->make(&maker) ? RA_MCP_TOOLS_OK : RA_MCP_TOOLS_REFUSED;
}
