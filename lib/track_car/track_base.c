/* Brings the track car's four corners back to their design form: the rate for continuous relaxation, or passes over the
 * pairs at the end of each frame. */
#include "track_car/track_impl.h"

#include "base/elementary.h"
#include "base/vec.h"

#include <math.h>

double vd_track_base_rate(int passes, double share, double frames) {
  return -2.0 * vd_log1p(-share) * passes * frames;
}

void vd_track_pass(const vd_track_car *car, double (*point)[3]) {
  const double share = car->passes.share;
  for (int i = 0; i < VD_WHEELS; i++)
    for (int j = i + 1; j < VD_WHEELS; j++) {
      const double ahead = vd_track_ahead(car, i) - vd_track_ahead(car, j),
                   aside = vd_track_aside(car, i) - vd_track_aside(car, j), form = sqrt(ahead * ahead + aside * aside);
      const double scale = 0.5 * (share * form / vd_distance(point[i], point[j]) + (1.0 - share));
      for (int k = 0; k < 3; k++) {
        const double middle = 0.5 * (point[i][k] + point[j][k]), half = scale * (point[i][k] - point[j][k]);
        point[i][k] = middle + half;
        point[j][k] = middle - half;
      }
    }
}

static double spring_energy(const vd_track_car *car, const vd_track_state *s) {
  vd_track_frame f;
  double sum = 0.0;
  vd_track_frame_of(car, s->q, &f);
  for (int i = 0; i < VD_WHEELS; i++)
    if (s->down[i]) {
      double mount[3];
      vd_track_mount(car, &f, s->q, i, mount);
      const double deflection = car->length - vd_track_spring_length(&f, mount, s->plane[i]);
      sum += 0.5 * car->spring.stiffness * deflection * deflection;
    }
  return sum;
}

void vd_track_frame_ends(const vd_track_car *car, vd_track_state *s) {
  vd_track_frame f;
  double point[VD_WHEELS][3], *z = s->q + VD_TRACK_Z, before = spring_energy(car, s), twist = 0.0;
  vd_track_frame_of(car, s->q, &f);
  for (int i = 0; i < VD_WHEELS; i++)
    vd_track_mount(car, &f, s->q, i, point[i]);
  for (int n = 0; n < car->passes.count; n++)
    vd_track_pass(car, point);
  for (int i = 0; i < VD_WHEELS; i++)
    twist += 0.25 * vd_track_twist_sign(i) * point[i][2];
  for (int i = 0; i < VD_WHEELS; i++)
    z[i] = point[i][2] - vd_track_twist_sign(i) * twist;
  /* the mean height, and so the potential energy of the weight, does not change */
  s->q[VD_TRACK_WORK + VD_TRACK_BASE] += spring_energy(car, s) - before;
}
