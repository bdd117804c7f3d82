/* The activity of an estimate's columns: of a run that the estimate starts, or read from the files
 * of one. */
#ifndef ACTIVITY_RUN_H
#define ACTIVITY_RUN_H

#include "estimate/estimate.h"

/* activity.json of a run, checked: whatever the functions below look at is there. -1 and a message
 * with the file's name. */
int activity_read(const char *file, json_t **json, mrpb_err_t *err);

/* For every column its activity, or NULL. The caller releases them. */
int activity_columns(estimate_t *e, json_t *of[ESTIMATE_COLUMNS], mrpb_err_t *err);

/* Of unit "mrpb": an object, or NULL. */
const json_t *activity_unit_of(const json_t *activity, const char *unit);
/* Element of a list of objects by its "name"; NULL. */
const json_t *activity_named(const json_t *list, const char *name);
/* Field `name` of `o` as a number; 0 where there is none. */
double activity_number(const json_t *o, const char *name);

#endif
