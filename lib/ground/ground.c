/* Combines a ground with its further grounds: contact points of wheels, the surface on top, friction. */
#include "ground/ground_impl.h"

#include "base/base.h"
#include "base/elementary.h"

#include <limits.h>

/* Returns the ground itself for i = 0, then its further grounds. */
static const vd_ground *nth(const vd_ground *ground, size_t i) {
  return i == 0 ? ground : &ground->other[i - 1];
}

/* --- contact points --- */

/* Finds the contact point on one ground. *hint belongs to this ground. */
static bool on_ground(const vd_ground *ground, const vd_disc *disc, bool several, int *hint,
                      vd_contact_point *contact) {
  return ground->solid ? ground->variant->contact(ground, disc, hint, contact)
                       : vd_height_contact(ground, disc, several, contact);
}

/* The hint of a wheel on several grounds, of which `hinted` use hints. It contains the ground `last' that carried the
 * wheel last, and this ground's own hint: hint = own x hinted + last. */
typedef struct memory {
  int hinted, last, own;
} memory;

static memory recall(const vd_ground *ground, int hint) {
  memory m = {.last = -1, .own = -1};
  for (size_t i = 0; i <= ground->others; i++)
    m.hinted += nth(ground, i)->variant->hinted;
  if (hint >= 0 && m.hinted > 0) {
    m.last = hint % m.hinted;
    m.own = hint / m.hinted;
  }
  return m;
}

static int remember(const memory *m, int index, int own) {
  bool fits = index >= 0 && own >= 0 && own <= (INT_MAX - index) / m->hinted;
  return fits ? own * m->hinted + index : -1;
}

bool vd_ground_contact(const vd_ground *ground, const vd_disc *disc, int *hint, vd_contact_point *contact,
                       double *friction) {
  const memory past = recall(ground, *hint);
  const vd_ground *bearer = NULL;
  int index = 0; /* number among the grounds that use a hint */
  *hint = -1;
  for (size_t i = 0; i <= ground->others; i++) {
    const vd_ground *g = nth(ground, i);
    int own = g->variant->hinted && index == past.last ? past.own : -1;
    vd_contact_point here;
    if (on_ground(g, disc, true, &own, &here) && !(bearer && here.reach > contact->reach)) {
      *contact = here;
      *hint = g->variant->hinted ? remember(&past, index, own) : -1;
      bearer = g;
    }
    index += g->variant->hinted;
  }
  if (bearer)
    *friction = vd_ground_friction(bearer, contact->at[0], contact->at[1]);
  return bearer != NULL;
}

bool vd_ground_takes_hints(const vd_ground *ground) {
  return recall(ground, -1).hinted > 0;
}

/* Searches with a disc whose axle has no length. Such a disc has no plane; its contact point is the nearest point in
 * space. */
bool vd_ground_clearance(const vd_ground *ground, const double *point, const double *up, double range,
                         double *clearance, double *normal) {
  const vd_disc ball = {.centre = {point[0], point[1], point[2]}, .radius = range};
  bool any = false;
  for (size_t i = 0; i <= ground->others; i++) {
    const vd_ground *g = nth(ground, i);
    int none = -1;
    vd_contact_point here;
    bool near = g->variant->nearest ? g->variant->nearest(g, point, up, range, &here)
                                    : on_ground(g, &ball, false, &none, &here);
    if (!near || (any && here.distance > *clearance))
      continue;
    any = true;
    *clearance = here.distance;
    for (int j = 0; j < 3; j++)
      normal[j] = here.normal[j];
  }
  return any;
}

/* --- from above --- */

bool vd_ground_top(const vd_ground *ground, double x, double y, vd_road *road) {
  bool any = false;
  for (size_t i = 0; i <= ground->others; i++) {
    const vd_ground *g = nth(ground, i);
    vd_road here;
    bool there = !g->solid || (g->variant->top && g->variant->top(g, x, y, &here));
    if (!g->solid)
      vd_ground_road(g, x, y, &here);
    if (there && !(any && here.z < road->z)) {
      *road = here;
      any = true;
    }
  }
  if (!any)
    *road = (vd_road){0.0, 0.0, 0.0};
  return any;
}

/* --- friction --- */

void vd_ground_friction_range(const vd_ground *ground, double *lowest, double *highest) {
  *lowest = *highest = ground->friction;
  for (size_t i = 0; i < ground->others; i++) {
    double low, high;
    vd_ground_friction_range(&ground->other[i], &low, &high);
    *lowest = vd_min(*lowest, low);
    *highest = vd_max(*highest, high);
  }
  for (size_t i = 0; i < ground->patches; i++) {
    *lowest = vd_min(*lowest, ground->patch[i].friction);
    *highest = vd_max(*highest, ground->patch[i].friction);
  }
}
