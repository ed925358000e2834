/* SPDX-License-Identifier: MIT */
/* Finds facts about events without Kineto's args, in other args and in the names of threads. */
#include "analyzer/rows/kineto-details.h"

#include "analyzer/base/order/order.h"
#include "analyzer/rows/kineto-number.h"

/* Args whose texts contain details, the most frequent first. */
static const enum ra_kineto_key texts[] = {
	RA_KINETO_ARG_KERNEL_DETAILS,
	RA_KINETO_ARG_MEMCPY_DETAILS,
	RA_KINETO_ARG_MEMSET_DETAILS,
	RA_KINETO_ARG_SCOPES,
};

static int compare_details(const void *left, const void *right)
{
	const struct ra_kineto_detail *a = left;
	const struct ra_kineto_detail *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, text), RA_ORDER_UP(a, b, key));
}

void ra_kineto_details_sort(struct ra_kineto *kineto)
{
	RA_SORT(kineto->details, kineto->detail_count, compare_details);
}

static bool is_text(enum ra_kineto_key key)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i] == key) {
			return true;
		}
	}
	return false;
}

static void give(const struct ra_kineto *k, const struct ra_kineto_detail *detail,
                 struct ra_kineto_value *value)
{
	value->type = detail->is_json     ? RA_KINETO_JSON
	              : detail->is_text   ? RA_KINETO_STRING
	              : detail->is_number ? RA_KINETO_NUMBER
	                                  : RA_KINETO_INT;
	value->integer = detail->value;
	value->text = value->type != RA_KINETO_INT ? ra_kineto_string(k, (uint32_t) detail->value)
	                                           : (struct rlog_string){ "", 0, 0 };
}

static bool find_detail(const struct ra_kineto *k, uint32_t event, enum ra_kineto_key key,
                        struct ra_kineto_value *value)
{
	if (is_text(key)) {
		return false; /* the key is that of a text which has details itself */
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct ra_kineto_detail wanted = {
			.text = ra_kineto_get_text(k, event, texts[i]),
			.key = key,
		};
		const struct ra_kineto_detail *detail =
			RA_FIND(&wanted, k->details, k->detail_count, compare_details);

		if (detail != NULL) {
			give(k, detail, value);
			return true;
		}
	}
	return false;
}

bool ra_kineto_details_find(const struct ra_kineto *kineto, uint32_t event, enum ra_kineto_key key,
                            struct ra_kineto_value *value)
{
	const struct ra_kineto_thread *thread;
	int64_t number;

	if (event == RA_KINETO_NONE || !kineto->has_details) {
		return false;
	}
	thread = &kineto->threads[ra_kineto_get_thread(kineto, event)];
	if (key == RA_KINETO_ARG_CORRELATION) {
		number = kineto->corr[event] == RA_KINETO_NONE ? -1 : (int64_t) kineto->corr[event];
	} else if (key == RA_KINETO_ARG_DEVICE) {
		number = thread->device;
	} else if (key == RA_KINETO_ARG_STREAM) {
		number = thread->device >= 0 ? thread->stream : -1;
	} else {
		return kineto->detail_count > 0 && find_detail(kineto, event, key, value);
	}
	if (number >= 0) {
		value->type = RA_KINETO_INT;
		value->integer = number;
		value->text = (struct rlog_string){ "", 0, 0 };
	}
	return number >= 0;
}

uint32_t ra_kineto_details_operator(const struct ra_kineto *kineto, uint32_t event, bool is_module)
{
	if (event == RA_KINETO_NONE || !kineto->has_details) {
		return 0;
	}
	return ra_kineto_get_text(kineto, event,
	                          is_module ? RA_KINETO_ARG_HLO_MODULE : RA_KINETO_ARG_HLO_OP);
}

bool ra_kineto_details_step(const struct ra_kineto *kineto, uint32_t event, uint64_t *number)
{
	struct ra_kineto_value value;
	struct ra_kineto_number parsed;

	if (event == RA_KINETO_NONE || !kineto->has_details ||
	    !ra_kineto_get(kineto, event, RA_KINETO_ARG_STEP_NUM, &value)) {
		return false;
	}
	if (value.type == RA_KINETO_STRING &&
	    ra_kineto_number_parse(value.text.bytes, value.text.length, &parsed) &&
	    parsed.scale == 0) {
		value.type = RA_KINETO_INT;
		value.integer = parsed.digits;
	}
	if (value.type != RA_KINETO_INT || value.integer < 0) {
		return false;
	}
	*number = (uint64_t) value.integer;
	return true;
}
