/* SPDX-License-Identifier: MIT */
/* Finds the domains of ranges and marks in a Chrome trace. */
#ifndef RA_KINETO_DOMAINS_H
#define RA_KINETO_DOMAINS_H

#include "analyzer/model/model.h"
#include "analyzer/base/util-map.h"

struct ra_kineto_domains {
	uint16_t *of_category;     /* owned; domain by category */
	uint16_t captured;         /* domain of the ranges in which graphs were captured */
	struct ra_util_map of_arg; /* string id of the arg "domain" → index of the domain */
};

/*
 * User ranges are in the default domain, or in the domain that their arg "domain" names (our own
 * output writes this arg). Every other category of ranges is a domain with the category's name.
 * Fills model->domains.
 */
void ra_kineto_domains_init(struct ra_kineto_domains *domains, struct ra_model *model,
                            bool with_python);
void ra_kineto_domains_fini(struct ra_kineto_domains *domains);

/* The index of an event's domain. */
uint16_t ra_kineto_domains_find(const struct ra_kineto_domains *domains,
                                const struct ra_model *model, uint32_t event);

#endif
