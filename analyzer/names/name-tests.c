/* SPDX-License-Identifier: MIT */
/* A question about names, asked once for each. */
#include "analyzer/names/name-tests.h"

#include <stdlib.h>

#include "format/error.h"

int ra_name_tests_init(struct ra_name_tests *tests, const struct ra_model *model,
                       bool (*is_it)(struct rlog_string name))
{
	*tests = (struct ra_name_tests){ .model = model, .is_it = is_it };
	tests->known = calloc(model->name_count + 1, 1);
	return tests->known != NULL ? 0 : -RLOG_E_NO_MEMORY;
}

void ra_name_tests_fini(struct ra_name_tests *tests)
{
	free(tests->known);
	tests->known = NULL;
}
