#include "control/controls.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "control/controller_impl.h"
#include "math/chance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vd_control {
  const vd_controller_def *def;
  const vd_controller_variant *variant;
  void *instance;    /* NULL: there is none yet */
  long steps, delay; /* period and delay in steps of the grid */
  long decided;      /* number of decisions made */
  bool good;         /* the last decision did not fail */
  size_t sensors, requests;
  size_t width; /* number of values of a decision: requests and modes */
  long room;    /* number of decisions that are kept */
  /* [room][width] in units of the inputs; decision k is at (k + 1) % room; -1: before the first decision */
  double *request;
  double *sensed;       /* [sensors], values at the last decision */
  double *lagged;       /* [sensors], values after the lags */
  double *given, *made; /* [sensors], [width]: what the controller reads and writes, in its units */
};

vd_controls *vd_controls_create(const vd_structs *def, const vd_controller_car *car, double step) {
  if (def->count == 0)
    return NULL;
  vd_controls *all = vd_allocate(1, sizeof *all);
  all->count = def->count;
  all->car = *car;
  all->each = vd_allocate(def->count, sizeof *all->each);
  for (size_t i = 0; i < all->count; i++) {
    vd_control *c = &all->each[i];
    c->def = (const vd_controller_def *)def->item + i;
    c->variant = vd_controller_variant_of(c->def);
    c->steps = lround(vd_max(c->def->period / step, 1.0));
    c->delay = lround(c->def->delay / step);
    c->sensors = c->def->sensors.count;
    c->requests = c->def->requests.count;
    c->width = c->requests + (c->variant->modes ? VD_WHEELS : 0);
    c->room = c->delay / c->steps + 3;
    c->request = vd_allocate((size_t)c->room * c->width, sizeof *c->request);
    c->sensed = vd_allocate(c->sensors, sizeof *c->sensed);
    c->lagged = vd_allocate(c->sensors, sizeof *c->lagged);
    c->given = vd_allocate(c->sensors, sizeof *c->given);
    c->made = vd_allocate(c->width, sizeof *c->made);
  }
  return all;
}

static void destroy_instance(vd_control *c) {
  if (c->instance)
    c->variant->destroy(c->instance);
  c->instance = NULL;
}

void vd_controls_destroy(vd_controls *all) {
  for (size_t i = 0; all && i < all->count; i++) {
    vd_control *c = &all->each[i];
    destroy_instance(c);
    free(c->request);
    free(c->sensed);
    free(c->lagged);
    free(c->given);
    free(c->made);
  }
  if (all)
    free(all->each);
  free(all);
}

static double *decision(const vd_control *c, long k) {
  return c->request + (size_t)((k + 1) % c->room) * c->width;
}

static const vd_request_def *request_def(const vd_control *c, size_t j) {
  return (const vd_request_def *)c->def->requests.item + j;
}

static bool fail(vd_controls *all, const vd_control *c, const vd_buf *why) {
  snprintf(all->failure, sizeof all->failure, "%s: %s", c->def->name, why->text ? why->text : "it failed");
  return false;
}

/* Stores the requests that the controller has written as decision k, limited to the bounds of the inputs. */
static bool keep(vd_control *c, long k, vd_buf *why) {
  for (size_t j = 0; j < c->requests; j++) {
    const vd_request_def *r = request_def(c, j);
    double value = k < 0 && !isnan(r->start) ? r->start : c->made[j] * r->factor;
    if (!isfinite(value)) {
      vd_buf_printf(why, "it requests %s = %g", r->input, value);
      return false;
    }
    decision(c, k)[j] = vd_min(vd_max(value, r->lowest), r->highest);
  }
  for (size_t j = c->requests; j < c->width; j++)
    decision(c, k)[j] = c->made[j];
  return true;
}

bool vd_controls_start(vd_controls *all) {
  vd_buf why = {0};
  all->failure[0] = '\0';
  for (size_t i = 0; i < all->count; i++) {
    vd_control *c = &all->each[i];
    c->good = true;
    if (c->instance && c->decided == 0)
      continue;
    destroy_instance(c);
    c->decided = 0;
    memset(c->request, 0, (size_t)c->room * c->width * sizeof *c->request);
    c->instance = c->variant->create(c->def, &all->car, c->made, &why);
    c->good = c->instance && keep(c, -1, &why);
    if (!c->good && !*all->failure)
      fail(all, c, &why);
    why.length = 0;
  }
  vd_buf_finish(&why);
  return !*all->failure;
}

const vd_controller_def *vd_controls_def(const vd_controls *all, size_t i) {
  return all->each[i].def;
}

bool vd_controls_due(const vd_controls *all, size_t i, long step) {
  return step % all->each[i].steps == 0;
}

/* Returns the value, times its factor, that sensor s of controller i shows for a value of its channel at decision k. */
static double shown(vd_control *c, size_t i, size_t s, long k, double value) {
  const vd_sensor_def *sensor = (const vd_sensor_def *)c->def->sensors.item + s;
  if (sensor->lag > 0.0) {
    const double share = k > 0 ? 1.0 - vd_exp(-c->def->period / sensor->lag) : 1.0;
    value = c->lagged[s] += share * (value - c->lagged[s]);
  }
  if (sensor->noise > 0.0)
    value += sensor->noise * vd_normal_quantile(vd_chance((uint64_t)c->def->seed, i * VD_SENSORS + s, (uint64_t)k));
  if (sensor->resolution > 0.0)
    value = sensor->resolution * floor(value / sensor->resolution + 0.5);
  return value * sensor->factor;
}

bool vd_controls_decide(vd_controls *all, size_t i, long step, const double *sensed) {
  vd_control *c = &all->each[i];
  const long k = step / c->steps;
  vd_buf why = {0};
  if (c->decided == k + 1 && memcmp(c->sensed, sensed, c->sensors * sizeof *sensed) == 0)
    return c->good;
  if (c->decided != k)
    vd_buf_printf(&why, "decision %ld was requested after decision %ld", k, c->decided);
  for (size_t s = 0; s < c->sensors; s++)
    c->given[s] = shown(c, i, s, k, sensed[s]);
  memcpy(c->sensed, sensed, c->sensors * sizeof *sensed);
  c->good = c->decided == k && c->variant->decide(c->instance, (double)k * c->def->period, c->given, c->made, &why) &&
            keep(c, k, &why);
  c->decided = k + 1;
  if (!c->good)
    fail(all, c, &why);
  vd_buf_finish(&why);
  return c->good;
}

bool vd_controls_turn(const vd_controls *all, size_t i, long step) {
  const vd_control *c = &all->each[i];
  return step >= c->delay && (step - c->delay) % c->steps == 0;
}

double vd_controls_start_value(const vd_controls *all, size_t i, size_t j) {
  return decision(&all->each[i], -1)[j];
}

/* Returns the number of the decision that acts at a step. */
static long acting(const vd_control *c, long step) {
  return step < c->delay ? -1 : (step - c->delay) / c->steps;
}

const double *vd_controls_modes(const vd_controls *all, size_t i, long step) {
  const vd_control *c = &all->each[i];
  return c->variant->modes ? decision(c, acting(c, step)) + c->requests : NULL;
}

double vd_controls_request(const vd_controls *all, size_t i, size_t j, long step, double *rate) {
  const vd_control *c = &all->each[i];
  const long k = acting(c, step);
  *rate = 0.0;
  if (k < 0 || request_def(c, j)->course == VD_REQUEST_HOLD)
    return decision(c, k)[j];
  const double from = decision(c, k - 1)[j];
  *rate = (decision(c, k)[j] - from) / c->def->period;
  return from;
}

/* ---- state ---- */

typedef struct saved {
  long decided;
  bool good;
  size_t size; /* bytes of the instance's own state */
} saved;

bool vd_controls_save(vd_controls *all, vd_buf *out) {
  bool good = true;
  for (size_t i = 0; i < all->count && good; i++) {
    const vd_control *c = &all->each[i];
    vd_buf own = {0};
    saved head;
    memset(&head, 0, sizeof head);
    good = c->variant->save(c->instance, &own);
    head.decided = c->decided;
    head.good = c->good;
    head.size = own.length;
    vd_buf_add(out, (const char *)&head, sizeof head);
    vd_buf_add(out, (const char *)c->request, (size_t)c->room * c->width * sizeof *c->request);
    vd_buf_add(out, (const char *)c->sensed, c->sensors * sizeof *c->sensed);
    vd_buf_add(out, (const char *)c->lagged, c->sensors * sizeof *c->lagged);
    vd_buf_add(out, own.text, own.length);
    vd_buf_finish(&own);
  }
  return good;
}

/* Takes the next bytes of a saved state; false: there are too few. */
static bool take(const unsigned char **from, size_t *left, void *to, size_t size) {
  if (size > *left)
    return false;
  memcpy(to, *from, size);
  *from += size;
  *left -= size;
  return true;
}

bool vd_controls_restore(vd_controls *all, const void *bytes, size_t size) {
  const unsigned char *from = bytes;
  bool good = true;
  for (size_t i = 0; i < all->count && good; i++) {
    vd_control *c = &all->each[i];
    saved head;
    good = take(&from, &size, &head, sizeof head) &&
           take(&from, &size, c->request, (size_t)c->room * c->width * sizeof *c->request) &&
           take(&from, &size, c->sensed, c->sensors * sizeof *c->sensed) &&
           take(&from, &size, c->lagged, c->sensors * sizeof *c->lagged) && head.size <= size &&
           c->variant->restore(c->instance, from, head.size);
    if (!good)
      break;
    c->decided = head.decided;
    c->good = head.good;
    from += head.size;
    size -= head.size;
  }
  return good;
}
