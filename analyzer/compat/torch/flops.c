/* SPDX-License-Identifier: MIT */
/* Floating point operations of an operator, from its name and the sizes of its inputs. */
#include "analyzer/compat/torch/flops.h"

#include <string.h>

#define MAX_SIZES 16

/* Numbers of one input: its sizes, or the elements of a list. */
struct sizes {
	double value[MAX_SIZES];
	size_t count;
};

/* A text that is read from the front. */
struct cursor {
	const char *at;
	const char *end;
};

static double read_number(struct cursor *cursor)
{
	const bool is_negative = cursor->at < cursor->end && *cursor->at == '-';
	double number = 0;

	cursor->at += is_negative;
	while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
		number = number * 10 + (*cursor->at++ - '0');
	}
	return is_negative ? -number : number;
}

/* Passes over one element of a JSON array, to the comma or bracket behind it. */
static void skip_element(struct cursor *cursor)
{
	int depth = 0;
	bool in_text = false;

	for (; cursor->at < cursor->end; cursor->at++) {
		const char c = *cursor->at;

		if (in_text) {
			in_text = c != '"';
			cursor->at += c == '\\' && cursor->at + 1 < cursor->end;
		} else if (c == '"') {
			in_text = true;
		} else if (c == '[' || c == '{') {
			depth++;
		} else if (depth == 0 && (c == ',' || c == ']')) {
			return;
		} else if (c == ']' || c == '}') {
			depth--;
		}
	}
}

/* The text of an array's element. Return: false if it has fewer. */
static bool find_element(struct rlog_string array, size_t index, struct cursor *element)
{
	struct cursor cursor = { array.bytes, array.bytes + array.length };

	if (array.length < 2 || *cursor.at != '[' || cursor.at[1] == ']') {
		return false;
	}
	for (;; index--) {
		cursor.at++;
		element->at = cursor.at;
		skip_element(&cursor);
		element->end = cursor.at;
		if (cursor.at == cursor.end) {
			return false; /* never closed */
		}
		if (index == 0 || *cursor.at == ']') {
			return index == 0;
		}
	}
}

/* The integers of a flat list: [1,2], [1, 2] or "[1, 2]". Return: false if it is none. */
static bool read_list(struct cursor element, struct sizes *sizes)
{
	*sizes = (struct sizes){ .count = 0 };
	if (element.at < element.end && *element.at == '"') {
		element.at++;
		element.end--;
	}
	if (element.at >= element.end || *element.at++ != '[') {
		return false;
	}
	while (element.at < element.end && *element.at != ']') {
		if (*element.at == ',' || *element.at == ' ') {
			element.at++;
		} else if (sizes->count == MAX_SIZES ||
		           (*element.at != '-' && (*element.at < '0' || *element.at > '9'))) {
			return false;
		} else {
			sizes->value[sizes->count++] = read_number(&element);
		}
	}
	return element.at < element.end;
}

static bool find_sizes(struct rlog_string array, size_t index, struct sizes *sizes)
{
	struct cursor element;

	return find_element(array, index, &element) && read_list(element, sizes);
}

static double multiply(const struct sizes *sizes)
{
	double product = 1;

	for (size_t i = 0; i < sizes->count; i++) {
		product *= sizes->value[i];
	}
	return product;
}

/* A product of matrices; the first is input `first`. With batches both begin with their number. */
static double count_product(struct rlog_string dims, size_t first, bool is_batched)
{
	struct sizes a;
	struct sizes b;
	double inner;

	if (!find_sizes(dims, first, &a) || !find_sizes(dims, first + 1, &b) || a.count == 0 ||
	    b.count == 0) {
		return 0;
	}
	inner = a.value[a.count - 1];
	if (inner == 0 || (is_batched && a.value[0] == 0)) {
		return 0;
	}
	return 2 * (multiply(&a) / inner / (is_batched ? a.value[0] : 1)) * multiply(&b);
}

/* Places that a filter of `kernel` has along one axis. */
static double count_places(double size, double padding, double dilation, double kernel,
                           double stride)
{
	const double room = size + 2 * padding - dilation * (kernel - 1) - 1;

	return room < 0 || stride < 1 ? 0 : (double) ((uint64_t) (room / stride)) + 1;
}

static double count_convolution(struct rlog_string dims, struct rlog_string concrete)
{
	struct sizes input;
	struct sizes filter;
	struct sizes stride;
	struct sizes padding;
	struct sizes dilation;
	struct cursor element;
	double groups;
	double places = 1;

	if (!find_sizes(dims, 0, &input) || !find_sizes(dims, 1, &filter) || input.count != 4 ||
	    filter.count != 4 || !find_sizes(concrete, 3, &stride) ||
	    !find_sizes(concrete, 4, &padding) || !find_sizes(concrete, 5, &dilation) ||
	    stride.count != 2 || padding.count != 2 || dilation.count != 2 ||
	    !find_element(concrete, 6, &element)) {
		return 0;
	}
	element.at += element.at < element.end && *element.at == '"';
	groups = read_number(&element);
	if (groups < 1) {
		return 0;
	}
	for (size_t i = 0; i < 2; i++) {
		places *= count_places(input.value[2 + i], padding.value[i], dilation.value[i],
		                       filter.value[2 + i], stride.value[i]);
	}
	return 2 * input.value[0] * places * filter.value[2] * filter.value[3] * input.value[1] *
	       filter.value[0] / groups;
}

double ra_flops_of_event(const struct ra_kineto *kineto, uint32_t event)
{
	static const struct {
		const char *name;
		size_t first;
		bool is_batched;
	} products[] = {
		{ "aten::mm", 0, false },
		{ "aten::addmm", 1, false },
		{ "aten::bmm", 0, true },
		{ "aten::baddbmm", 1, true },
	};
	const uint32_t name = kineto->name[event];
	struct rlog_string dims;
	struct sizes sizes;
	uint32_t id;

	if (kineto->strings[name].length < 8 ||
	    memcmp(kineto->strings[name].bytes, "aten::", 6) != 0) {
		return 0;
	}
	id = ra_kineto_get_text(kineto, event, RA_KINETO_ARG_INPUT_DIMS);
	id = id != 0 ? id : ra_kineto_get_text(kineto, event, RA_KINETO_ARG_INPUT_DIMS_OLD);
	dims = kineto->strings[id];
	for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++) {
		if (ra_kineto_is_text(kineto, name, products[i].name)) {
			return count_product(dims, products[i].first, products[i].is_batched);
		}
	}
	if (ra_kineto_is_text(kineto, name, "aten::conv2d")) {
		id = ra_kineto_get_text(kineto, event, RA_KINETO_ARG_CONCRETE_INPUTS);
		return count_convolution(dims, kineto->strings[id]);
	}
	if (ra_kineto_is_text(kineto, name, "aten::add") ||
	    ra_kineto_is_text(kineto, name, "aten::mul")) {
		return find_sizes(dims, 0, &sizes) && sizes.count > 0 ? multiply(&sizes) : 0;
	}
	return 0;
}
