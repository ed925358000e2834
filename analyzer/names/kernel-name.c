/* SPDX-License-Identifier: MIT */
/*
 * Finds the name in a full C++ function: [return type] a::b<…>::name<…>(parameters) [qualifiers].
 * The scan goes from left to right and skips everything in brackets. After a space it starts anew,
 * because the text before the space was the return type. "::" separates components. Parameters end
 * the name, unless "::" follows: then they belong to a function that contains a local class or
 * lambda.
 */
#include "analyzer/names/kernel-name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/names/demangle.h"

const char *const ra_kernel_name_words[] = { "full", "short", "base", "mangled", NULL };

#define MAX_PARTS  64  /* most components of a name */
#define MAX_DEPTH  256 /* most nested brackets */
#define MAX_INSIDE 8   /* most levels of functions that return functions */
#define NOWHERE    SIZE_MAX

struct part {
	size_t from;
	size_t to;
	size_t args_to; /* end of the template arguments; equals `to` if there are none */
};

struct scan {
	const char *bytes;
	size_t at;
	size_t end;
	size_t start;   /* start of the current component */
	size_t stop;    /* end of its name, before template arguments; NOWHERE: not reached yet */
	size_t args_to; /* end of its template arguments; 0: it has none */
	/* a space was found, so there was a return type or this is not a C++ name */
	bool had_space;
	struct part parts[MAX_PARTS];
	size_t count;
};

static bool is_word(char c)
{
	return isalnum((unsigned char) c) || c == '_' || c == '$' || (unsigned char) c >= 0x80;
}

static bool has(const struct scan *scan, size_t at, const char *word)
{
	const size_t length = strlen(word);

	return at <= scan->end && length <= scan->end - at &&
	       memcmp(scan->bytes + at, word, length) == 0;
}

/* True if the keyword `operator` is at this place, not a name that only begins or ends with it. */
static bool has_operator(const struct scan *scan, size_t at)
{
	return has(scan, at, "operator") && (at == 0 || !is_word(scan->bytes[at - 1])) &&
	       (at + 8 == scan->end || !is_word(scan->bytes[at + 8]));
}

/* The place after an operator's sign; NOWHERE if there is no sign. Longer signs are tried first. */
static size_t skip_sign(const struct scan *scan, size_t at)
{
	static const char *const signs[] = {
		"()", "[]", "<=>", "->*", "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=",
		"&&", "||", "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "<",
		">",  "=",  "+",   "-",   "*",   "/",   "%",  "&",  "|",  "^",  "~",  "!",  ",",
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (has(scan, at, signs[i])) {
			return at + strlen(signs[i]);
		}
	}
	return NOWHERE;
}

/* The place after "operator" and what follows it: a sign, new, delete, or the suffix of a literal.
 * If a type follows (a conversion), the caller reads that. */
static size_t skip_operator(const struct scan *scan, size_t at)
{
	static const char *const words[] = { " new[]", " delete[]", " new", " delete",
		                             " co_await" };
	size_t next;

	at += strlen("operator");
	next = skip_sign(scan, at);
	if (next != NOWHERE) {
		return next;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (has(scan, at, words[i])) {
			return at + strlen(words[i]);
		}
	}
	if (has(scan, at, "\"\"")) {
		at += has(scan, at, "\"\" ") ? 3 : 2;
	}
	return at;
}

static char closing(char open)
{
	switch (open) {
	case '(':
		return ')';
	case '[':
		return ']';
	case '{':
		return '}';
	default:
		return '>';
	}
}

/* Handles a closing bracket. If an open < has no matching >, it was a comparison, and is dropped.
 * Return: the new depth. */
static size_t close_bracket(const char *open, size_t depth, char c)
{
	size_t down = depth;

	while (c != '>' && down > 0 && closing(open[down - 1]) != c && open[down - 1] == '<') {
		down--;
	}
	return down > 0 && closing(open[down - 1]) == c ? down - 1 : depth;
}

/* The place after the bracket that closes the one at `at`; NOWHERE if there is none. */
static size_t skip_group(const struct scan *scan, size_t at)
{
	char open[MAX_DEPTH];
	size_t depth = 0;

	while (at < scan->end) {
		const char c = scan->bytes[at];

		if (has_operator(scan, at)) {
			at = skip_operator(scan, at);
			continue;
		}
		if (has(scan, at, "->")) {
			at += 2;
			continue;
		}
		if (strchr("([{<", c) != NULL && c != '\0') {
			if (depth == MAX_DEPTH) {
				return NOWHERE;
			}
			open[depth++] = c;
		} else if (strchr(")]}>", c) != NULL && c != '\0') {
			depth = close_bracket(open, depth, c);
			if (depth == 0) {
				return at + 1;
			}
		}
		at++;
	}
	return NOWHERE;
}

/* Moves past a group in brackets; false if it is not closed. */
static bool pass_group(struct scan *scan)
{
	scan->at = skip_group(scan, scan->at);
	return scan->at != NOWHERE;
}

static void stop_part(struct scan *scan)
{
	if (scan->stop == NOWHERE) {
		scan->stop = scan->at;
	}
}

static void begin_part(struct scan *scan, size_t at)
{
	scan->at = at;
	scan->start = at;
	scan->stop = NOWHERE;
	scan->args_to = 0;
}

/* Stores the current component; the next one begins at `next`. */
static bool keep_part(struct scan *scan, size_t next)
{
	stop_part(scan);
	if (scan->stop > scan->start) {
		if (scan->count == MAX_PARTS) {
			return false;
		}
		scan->parts[scan->count++] = (struct part){
			scan->start,
			scan->stop,
			scan->args_to > scan->stop ? scan->args_to : scan->stop,
		};
	}
	begin_part(scan, next);
	return true;
}

/* The place after qualifiers that may follow parameters. */
static size_t skip_qualifiers(const struct scan *scan, size_t at)
{
	static const char *const words[] = { " const",    " volatile", " &&", " &",
		                             " noexcept", "&&",        "&" };
	size_t i = 0;

	while (i < sizeof(words) / sizeof(words[0])) {
		if (has(scan, at, words[i])) {
			at += strlen(words[i]);
			i = 0;
		} else {
			i++;
		}
	}
	return at;
}

enum step {
	STEP_ON,
	STEP_DONE,
	STEP_INSIDE,
	STEP_FAILED
};

/* Handles a parenthesis at the start of a component: (anonymous namespace), the inside of a
 * function that returns a function, or part of a return type. */
static enum step take_first_parenthesis(struct scan *scan)
{
	const size_t open = scan->at;

	if (!pass_group(scan)) {
		return STEP_FAILED;
	}
	if (has(scan, open, "(*") || has(scan, open, "(&")) {
		scan->end = scan->at - 1;
		scan->count = 0;
		begin_part(scan, open + 1);
		while (scan->at < scan->end && strchr("*& ", scan->bytes[scan->at]) != NULL) {
			begin_part(scan, scan->at + 1);
		}
		return STEP_INSIDE;
	}
	return STEP_ON;
}

static enum step take_parenthesis(struct scan *scan)
{
	size_t next;

	if (scan->at == scan->start) {
		return take_first_parenthesis(scan);
	}
	if (scan->at - scan->start == 8 && has(scan, scan->start, "decltype")) {
		return pass_group(scan) ? STEP_ON : STEP_FAILED;
	}
	stop_part(scan);
	if (!pass_group(scan)) {
		return STEP_FAILED;
	}
	next = skip_qualifiers(scan, scan->at);
	if (has(scan, next, "::")) {
		return keep_part(scan, next + 2) ? STEP_ON : STEP_FAILED;
	}
	return keep_part(scan, next) ? STEP_DONE : STEP_FAILED;
}

/* Moves past an operator's name. The type of a conversion may contain spaces. */
static enum step take_operator(struct scan *scan)
{
	scan->at = skip_operator(scan, scan->at);
	if (has(scan, scan->at, " <")) { /* as in operator< <int> */
		stop_part(scan);
		scan->at++;
	}
	while (has(scan, scan->at, " ") || (scan->at < scan->end && scan->bytes[scan->at] != '(' &&
	                                    scan->bytes[scan->at] != '<')) {
		scan->at++;
	}
	return STEP_ON;
}

static enum step take_next(struct scan *scan)
{
	const char c = scan->bytes[scan->at];

	if (scan->at == scan->start && has_operator(scan, scan->at)) {
		return take_operator(scan);
	}
	switch (c) {
	case ' ':
		scan->had_space = true;
		scan->count = 0;
		begin_part(scan, scan->at + 1);
		return STEP_ON;
	case ':':
		if (has(scan, scan->at, "::")) {
			return keep_part(scan, scan->at + 2) ? STEP_ON : STEP_FAILED;
		}
		break;
	case '(':
		return take_parenthesis(scan);
	case '<':
	case '[':
		if (scan->at > scan->start) { /* if not, it is <unnamed> or a lambda of nvcc */
			stop_part(scan);
		}
		if (!pass_group(scan)) {
			return STEP_FAILED;
		}
		if (c == '<' && scan->stop != NOWHERE && scan->args_to == 0) {
			scan->args_to = scan->at;
		}
		return STEP_ON;
	case '{':
		return pass_group(scan) ? STEP_ON : STEP_FAILED;
	default:
		break;
	}
	scan->at++;
	return STEP_ON;
}

/* Finds the components. Return: false if it is not the name of a function. */
static bool find_parts(struct scan *scan)
{
	int inside = 0;

	while (scan->at < scan->end) {
		switch (take_next(scan)) {
		case STEP_DONE:
			return scan->count > 0;
		case STEP_INSIDE:
			if (++inside > MAX_INSIDE) {
				return false;
			}
			break;
		case STEP_FAILED:
			return false;
		case STEP_ON:
			break;
		}
	}
	/* A name without parameters is a C function or a variable. */
	return !scan->had_space && keep_part(scan, scan->end) && scan->count > 0;
}

/*
 * True if a template argument contains the kernel's name. Some libraries use one function for all
 * kernels: cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_…_align1>. Other template arguments
 * are types and sizes, and most kernels can be told apart without those.
 */
static bool is_named_by_args(const struct scan *scan)
{
	static const char *const prefixes[] = { "cutlass", "cublasLt::", "ck::", "ck_tile::" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (scan->count > 1 && has(scan, scan->parts[0].from, prefixes[i])) {
			return true;
		}
	}
	return false;
}

static void put_parts(struct ra_util_text *text, struct rlog_string name, enum ra_kernel_form form)
{
	struct scan scan = { .bytes = name.bytes, .end = name.length, .stop = NOWHERE };
	size_t first;

	if (!find_parts(&scan)) {
		ra_util_text_put(text, name.bytes, name.length);
		return;
	}
	first = form == RA_KERNEL_BASE ? scan.count - 1 : 0;
	for (size_t i = first; i < scan.count; i++) {
		const struct part *part = &scan.parts[i];
		const bool has_args = i == scan.count - 1 && is_named_by_args(&scan);

		ra_util_text_put(text, "::", i == first ? 0 : 2);
		ra_util_text_put(text, name.bytes + part->from,
		                 (has_args ? part->args_to : part->to) - part->from);
	}
}

void ra_kernel_name_put(struct ra_util_text *text, struct rlog_string name,
                        enum ra_kernel_form form)
{
	char *written = NULL;

	if (form != RA_KERNEL_MANGLED) {
		ra_demangle_name(name, &written);
	}
	if (written != NULL) {
		name.bytes = written;
		name.length = (uint32_t) strlen(written);
	}
	if (form == RA_KERNEL_SHORT || form == RA_KERNEL_BASE) {
		put_parts(text, name, form);
	} else {
		ra_util_text_put(text, name.bytes, name.length);
	}
	free(written);
}
