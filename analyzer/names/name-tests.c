/* SPDX-License-Identifier: MIT */
/* Remembers the answers of a yes-or-no question about names, so that it is asked once per name. */
#include "analyzer/names/name-tests.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"

void ra_name_tests_init(struct ra_name_tests *tests, const struct ra_model *model,
                        bool (*is_it)(struct rlog_string name))
{
	*tests = (struct ra_name_tests){ .model = model, .is_it = is_it };
	tests->known = ra_alloc_zeros(model->name_count + 1, 1);
}

void ra_name_tests_fini(struct ra_name_tests *tests)
{
	free(tests->known);
	tests->known = NULL;
}
