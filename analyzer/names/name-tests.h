/* SPDX-License-Identifier: MIT */
/* Remembers the answers of a yes-or-no question about names, so that it is asked once per name:
 * there are many ranges and few names. */
#ifndef RA_NAME_TESTS_H
#define RA_NAME_TESTS_H

#include "analyzer/model/model.h"

struct ra_name_tests {
	const struct ra_model *model; /* borrowed */
	bool (*is_it)(struct rlog_string name);
	uint8_t *known; /* owned; by string id: 1 + the answer, 0: not asked yet */
};

/* Prepares the tests. Memory: one byte for each name of the model. */
void ra_name_tests_init(struct ra_name_tests *tests, const struct ra_model *model,
                        bool (*is_it)(struct rlog_string name));
void ra_name_tests_fini(struct ra_name_tests *tests);

/* Gives the answer for a name of the model. O(1) except for the first time. */
static inline bool ra_name_tests_ask(struct ra_name_tests *tests, uint32_t name)
{
	if (tests->known[name] == 0) {
		tests->known[name] = tests->is_it(ra_model_string(tests->model, name)) ? 2 : 1;
	}
	return tests->known[name] == 2;
}

#endif
