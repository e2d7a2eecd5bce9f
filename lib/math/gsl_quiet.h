/* GSL has one error handler for the whole program; the default handler ends the program. Code for which a failure is a
 * valid result (a singular matrix) turns the handler off. vd_gsl_quiet waits while another thread has turned it off. */
#ifndef VD_GSL_QUIET_H
#define VD_GSL_QUIET_H

void vd_gsl_quiet(void);
/* Restores the handler from before vd_gsl_quiet. */
void vd_gsl_loud(void);

#endif
