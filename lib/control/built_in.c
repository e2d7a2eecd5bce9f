#include "control/built_in.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An instance. The memory that its kind needs follows it. */
typedef struct instance {
  const vd_controller_def *def;
  const vd_controller_variant *variant;
  const vd_controller_car *car;
} instance;

static void *state_of(instance *in) {
  return in + 1;
}

static size_t count_of(const char *const *names) {
  size_t count = 0;
  while (names[count])
    count++;
  return count;
}

/* Sets all requests and modes to 0. */
static void clear(const vd_controller_variant *kind, double *request) {
  memset(request, 0, (count_of(kind->requests) + (kind->modes ? VD_WHEELS : 0)) * sizeof *request);
}

/* Completes the list of sensors: the kind reads all of them, and the file may describe only some. */
static bool complete_sensors(const vd_controller_context *ctx, const vd_controller_variant *kind,
                             vd_controller_def *def) {
  const size_t count = count_of(kind->sensors);
  const vd_sensor_def *given = def->sensors.item;
  vd_sensor_def *sensor = vd_arena_alloc(ctx->arena, count * sizeof *sensor);
  bool good = true;
  for (size_t s = 0; s < count; s++)
    sensor[s] = (vd_sensor_def){.channel = kind->sensors[s], .as = "", .factor = 1.0};
  for (size_t i = 0; i < def->sensors.count; i++) {
    size_t s = 0;
    while (s < count && strcmp(kind->sensors[s], given[i].channel) != 0)
      s++;
    if (s < count)
      sensor[s] = given[i];
    else
      good = vd_error(ctx->d, vd_controller_item_place(ctx, "sensors", i),
                      "a controller of this kind does not read '%s'", given[i].channel);
  }
  def->sensors.item = sensor;
  def->sensors.count = count;
  return good;
}

bool vd_built_in_complete(const vd_controller_context *ctx, vd_controller_def *def) {
  const vd_controller_variant *kind = vd_controller_variant_of(def);
  const size_t count = count_of(kind->requests);
  vd_request_def *request = vd_arena_alloc(ctx->arena, count * sizeof *request);
  for (size_t j = 0; j < count; j++)
    request[j] = (vd_request_def){.input = kind->requests[j],
                                  .from = "",
                                  .factor = 1.0,
                                  .start = NAN,
                                  .course = kind->linear ? VD_REQUEST_LINEAR : VD_REQUEST_HOLD};
  def->requests.item = request;
  def->requests.count = count;
  return complete_sensors(ctx, kind, def);
}

void *vd_built_in_create(const vd_controller_def *def, const vd_controller_car *car, double *request, vd_buf *why) {
  const vd_controller_variant *variant = vd_controller_variant_of(def);
  if (variant->turns && car->turns.count < 2) {
    vd_buf_printf(why, "no steady turn of the car was found at 80 km/h, which the reference needs");
    return NULL;
  }
  instance *in = vd_allocate(1, sizeof *in + variant->memory);
  *in = (instance){def, variant, car};
  clear(variant, request);
  if (variant->begin)
    variant->begin(def, car, state_of(in), request);
  return in;
}

void vd_built_in_destroy(void *it) {
  free(it);
}

bool vd_built_in_decide(void *it, double t, const double *sensed, double *request, vd_buf *why) {
  instance *in = it;
  (void)t, (void)why;
  clear(in->variant, request);
  in->variant->law(in->def, in->car, state_of(in), sensed, request);
  return true;
}

bool vd_built_in_save(void *it, vd_buf *out) {
  instance *in = it;
  vd_buf_add(out, state_of(in), in->variant->memory);
  return true;
}

bool vd_built_in_restore(void *it, const void *bytes, size_t size) {
  instance *in = it;
  if (size != in->variant->memory)
    return false;
  memcpy(state_of(in), bytes, size);
  return true;
}
