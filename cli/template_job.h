/* Writes a template file that a user can start from; runs nothing. */
#ifndef VD_TEMPLATE_JOB_H
#define VD_TEMPLATE_JOB_H

#include "job.h"

/* Writes the template of this name. Returns an exit status. */
int vd_template_job(const vd_settings *s, const char *name);

#endif
