#include "math/gsl_quiet.h"

#include <gsl/gsl_errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static gsl_error_handler_t *before; /* guarded by the lock */

void vd_gsl_quiet(void) {
  pthread_mutex_lock(&lock);
  before = gsl_set_error_handler_off();
}

void vd_gsl_loud(void) {
  gsl_set_error_handler(before);
  pthread_mutex_unlock(&lock);
}
