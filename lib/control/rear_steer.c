/* Rear steering by control. A steady turn of the single track without side slip has the slip angles d - a r/v in front
 * and dr + b r/v at the rear, with the side forces Cf (d - a r/v) = m b v r/L and Cr (dr + b r/v) = m a v r/L, thus
 *
 *   dr/d = (m a v2/(L Cr) - b)/(a + m b v2/(L Cf))
 *
 * At low speeds dr is in antiphase with d, at high speeds in phase. The angle of the rear wheels is a share of this dr,
 * plus a part that is proportional to the yaw rate and damps it. The actuator is steering.rear of the vehicle. */
#include "base/base.h"
#include "base/elementary.h"
#include "control/built_in.h"

#include <math.h>

/* clang-format off */
#define ONLY .only = VD_WHEN(VD_CONTROLLER_REAR_STEER)
static const vd_field rows[] = {
  {VD_F_NUMBER(vd_controller_def, as.rear_steer.share, "share", "1", -2, 2, 0, "1",
      "share of the angle at which a single-track model of the car turns without side slip"), ONLY},
  {VD_F_NUMBER(vd_controller_def, as.rear_steer.yaw_gain, "yaw_gain", "s", -10, 10, 0, "0",
      "angle of the rear wheels per yaw rate, in phase > 0"), ONLY, .example = "50 ms"},
  {VD_F_NUMBER(vd_controller_def, as.rear_steer.most, "most", "rad", 0, 1, VD_ABOVE, "5 deg",
      "greatest angle of the rear wheels; the default is an estimate"), ONLY},
};
/* clang-format on */

enum sensor { OMEGA, WHEEL = OMEGA + VD_WHEELS, YAW_RATE };
static const char *const sensors[] = {VD_OF_WHEELS("omega_", "_radps"), "steering_wheel_rad", "yaw_rate_radps", NULL};
static const char *const requests[] = {"rear_steer_request", NULL};

static double ratio_without_slip(const vd_controller_car *car, double v) {
  const double a = car->to_axle[VD_FRONT], b = car->to_axle[VD_REAR], load = car->mass * v * v / (a + b);
  return (a * load / car->cornering[VD_REAR] - b) / (a + b * load / car->cornering[VD_FRONT]);
}

static void law(const vd_controller_def *def, const vd_controller_car *car, void *memory, const double *sensed,
                double *request) {
  const vd_rear_steer_def *own = &def->as.rear_steer;
  double v = 0.0;
  (void)memory;
  for (int i = 0; i < VD_WHEELS; i++)
    v += 0.25 * car->radius[i] * sensed[OMEGA + i];
  const double front = car->road_angle(car->steering, sensed[WHEEL]);
  const double angle = own->share * ratio_without_slip(car, v) * front + own->yaw_gain * sensed[YAW_RATE];
  request[0] = vd_min(vd_max(angle, -own->most), own->most);
  request[1 + VD_RL] = request[1 + VD_RR] = request[0] != 0.0;
}

const vd_controller_variant vd_rear_steer_controller = {
    VD_BUILT_IN,
    .linear = true,
};
