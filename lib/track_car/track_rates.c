#include "track_car/track_impl.h"

#include "base/elementary.h"
#include "base/vec.h"

#include <math.h>

double vd_track_ahead(const vd_track_car *car, int wheel) {
  return (wheel == VD_FL || wheel == VD_FR ? 0.5 : -0.5) * car->base;
}

double vd_track_aside(const vd_track_car *car, int wheel) {
  return (wheel == VD_FL || wheel == VD_RL ? 0.5 : -0.5) * car->track;
}

/* Converts a vector to world axes from its components along the heading, to the left of it, and upward. */
static void turn(double cosine, double sine, double along, double across, double vertical, double *out) {
  out[0] = cosine * along - sine * across;
  out[1] = sine * along + cosine * across;
  out[2] = vertical;
}

/* Computes the directions. The third row of the rotation matrix is (a, b, u), u = sqrt(1 - a^2 - b^2). The heading is
 * the direction of the horizontal component of front, whose length is c = sqrt(1 - a^2). The other rows follow:
 *   front = (c, 0, a),   left = (-a b/c, u/c, b),   up = (-a u/c, -b/c, u)   along, across and above the heading.
 * The original takes front and right from two edges of its wheel base; here both sides of the base are used. */
void vd_track_frame_of(const vd_track_car *car, const double *q, vd_track_frame *f) {
  const double *z = q + VD_TRACK_Z;
  double cosine = vd_cos(q[VD_TRACK_YAW]), sine = vd_sin(q[VD_TRACK_YAW]);
  double a = (z[VD_FL] + z[VD_FR] - z[VD_RL] - z[VD_RR]) / (2.0 * car->base);
  double b = (z[VD_FL] - z[VD_FR] + z[VD_RL] - z[VD_RR]) / (2.0 * car->track);
  double c = sqrt(1.0 - a * a), u = sqrt(1.0 - a * a - b * b), c3 = c * c * c;
  f->a = a;
  f->b = b;
  turn(cosine, sine, c, 0.0, a, f->front);
  turn(cosine, sine, -a * b / c, u / c, b, f->left);
  turn(cosine, sine, -a * u / c, -b / c, u, f->up);
  turn(cosine, sine, -a / c, 0.0, 0.0, f->front_a);
  turn(cosine, sine, -b / c3, -a * b * b / (u * c3), 0.0, f->left_a);
  turn(cosine, sine, -a / c, -b / (u * c), 0.0, f->left_b);
  turn(cosine, sine, -u / c + a * a / (u * c) - a * a * u / c3, -a * b / c3, -a / u, f->up_a);
  turn(cosine, sine, a * b / (u * c), -1.0 / c, -b / u, f->up_b);
}

void vd_track_mount(const vd_track_car *car, const vd_track_frame *f, const double *q, int wheel, double *mount) {
  double ahead = vd_track_ahead(car, wheel), aside = vd_track_aside(car, wheel);
  mount[0] = q[VD_TRACK_X] + ahead * f->front[0] + aside * f->left[0];
  mount[1] = q[VD_TRACK_Y] + ahead * f->front[1] + aside * f->left[1];
  mount[2] = q[VD_TRACK_Z + wheel];
}

double vd_track_spring_length(const vd_track_frame *f, const double *mount, const double *plane) {
  return (vd_dot(plane, mount) - plane[3]) / vd_dot(plane, f->up);
}

/* Derivatives of the length l = (n . mount - d)/(n . up) of a ray by each coordinate. */
typedef struct slope {
  double x, y, own, a, b, yaw;
} slope;

static slope slope_of(const vd_track_car *car, const vd_track_frame *f, const double *q, int wheel, const double *n,
                      double length) {
  double ahead = vd_track_ahead(car, wheel), aside = vd_track_aside(car, wheel), per = 1.0 / vd_dot(n, f->up);
  double mount[3];
  vd_track_mount(car, f, q, wheel, mount);
  double arm_x = mount[0] - q[VD_TRACK_X] - length * f->up[0], arm_y = mount[1] - q[VD_TRACK_Y] - length * f->up[1];
  slope g = {.x = n[0] * per, .y = n[1] * per, .own = n[2] * per, .yaw = (n[1] * arm_x - n[0] * arm_y) * per};
  for (int i = 0; i < 3; i++) {
    g.a += per * n[i] * (ahead * f->front_a[i] + aside * f->left_a[i] - length * f->up_a[i]);
    g.b += per * n[i] * (aside * f->left_b[i] - length * f->up_b[i]);
  }
  return g;
}

/* Adds the acceleration by a force on a wheel's ray to each coordinate, by the slopes of the ray's length. The work of
 * the force is then that of the spring, at any inclination of ground and car: the normal force of a ground without
 * friction, force/(n . up). In the original the force acts along the car's up direction, which gains or loses energy on
 * every slope. */
static void push(const vd_track_car *car, int wheel, const slope *g, double force, double *dq) {
  double mass = car->spring.mass;
  dq[VD_TRACK_VX] += force * g->x / (VD_WHEELS * mass);
  dq[VD_TRACK_VY] += force * g->y / (VD_WHEELS * mass);
  dq[VD_TRACK_W + wheel] += force * g->own / mass;
  for (int i = 0; i < VD_WHEELS; i++) {
    double with_a = vd_track_ahead(car, i) / (car->base * car->base);
    double with_b = vd_track_aside(car, i) / (car->track * car->track);
    dq[VD_TRACK_W + i] += force * (g->a * with_a + g->b * with_b) / mass;
  }
}

/* Returns the acceleration that reduces a speed: small speeds decay at `rate`, and large ones at the limit `most`, with
 * a tanh between. In the original the deceleration is constant until the speed is zero, which makes it jump. Here a
 * turning car keeps its speed, while the original multiplies it by a cosine in every frame. */
static double limited_decay(double speed, double most, double rate) {
  return most > 0.0 ? -most * vd_tanh(rate * speed / most) : 0.0;
}

static void drive(const vd_track_car *car, const vd_track_frame *f, const vd_track_command *u, const double *q,
                  double *dq) {
  const double *w = q + VD_TRACK_W;
  double velocity[3] = {q[VD_TRACK_VX], q[VD_TRACK_VY], 0.25 * (w[0] + w[1] + w[2] + w[3])};
  double forward = vd_dot(velocity, f->front), sideways = vd_dot(velocity, f->left),
         mass = VD_WHEELS * car->spring.mass;
  double missing = vd_fast_max(car->top_speed - forward, 0.0);
  double thrust = -limited_decay(missing, u->thrust * car->acceleration, car->slip_rate);
  double coasting = limited_decay(forward, (1.0 - u->thrust) * car->coasting, car->slip_rate);
  double side = limited_decay(sideways, car->grip, car->slip_rate);
  dq[VD_TRACK_VX] += (thrust + coasting) * f->front[0] + side * f->left[0];
  dq[VD_TRACK_VY] += (thrust + coasting) * f->front[1] + side * f->left[1];
  for (int i = 0; i < VD_WHEELS; i++)
    dq[VD_TRACK_W + i] += (thrust + coasting) * f->a + side * f->b;
  dq[VD_TRACK_WORK + VD_TRACK_DRIVE] += mass * thrust * forward;
  dq[VD_TRACK_WORK + VD_TRACK_FRICTION] += mass * (coasting * forward + side * sideways);
}

/* Restores the form of the wheel base as six springs between the four corners would. A pairwise pass removes a share p
 * of the difference of a pair, half of it at each end. It changes the deformation e of a corner by its differences from
 * the other three, and because all four deformations sum to zero,
 *   e -> e - p/2 (3 e - (-e)) = e (1 - 2 p)   in a pass with small p, so that  e' = -r e,
 * where r is twice the rate of one pair (vd_track_base_rate). The original relaxes positions within a frame, then
 * builds the base anew, which drops the remaining deformation, but keeps the speeds of the corners. If position and
 * speed both relax,
 *   e' = u - r e,  u' = -r u   =>   e'' + 2 r e' + r^2 e = 0,
 * which is a critically damped spring against the twist, with a known energy. Differences of heights are used here, not
 * distances: distances change only with the square of a twist, so that the passes of the original never remove it. */
static void restore(const vd_track_car *car, const double *q, double *dq) {
  const double *z = q + VD_TRACK_Z, *w = q + VD_TRACK_W;
  double rate = car->base_rate, twist = 0.0, speed = 0.0;
  for (int i = 0; i < VD_WHEELS; i++) {
    twist += 0.25 * vd_track_twist_sign(i) * z[i];
    speed += 0.25 * vd_track_twist_sign(i) * w[i];
  }
  for (int i = 0; i < VD_WHEELS; i++)
    dq[VD_TRACK_W + i] -= vd_track_twist_sign(i) * rate * (2.0 * speed + rate * twist);
  dq[VD_TRACK_WORK + VD_TRACK_BASE] -= VD_WHEELS * car->spring.mass * 2.0 * rate * speed * speed;
}

/* Returns the rate of the front wheels' steering, which follows the driver at a limited rate: from straight ahead to
 * full steering takes the latency, and the way back half of it. In the original the driver has keys for left and right,
 * and the wheels go back while none is pressed. Differences that are small compared with the limit decay at
 * slip_rate. */
static double follow(const vd_track_car *car, double wanted, double now) {
  double most = (wanted * now >= 0.0 && fabs(wanted) < fabs(now) ? 2.0 : 1.0) / car->steering_latency;
  return -limited_decay(wanted - now, most, car->slip_rate);
}

/* Returns the commanded rate of the heading. A ring is followed by feedback of the outward offset e and the outward
 * angle d of the heading; derivatives are by the distance travelled:
 *   e' = d,  d' = -2 d/l - e/l^2   decays with critical damping over the distance l.
 * The rate is limited like other commands. In the original the driver is a person. */
static double steer(const vd_track_car *car, const vd_track_command *u, const double *q) {
  const vd_track_ring *ring = &car->ring;
  if (ring->radius == 0.0)
    return (car->steering_latency > 0.0 ? q[VD_TRACK_STEER] : u->steer) * car->steering_rate;
  double x = q[VD_TRACK_X] - ring->x, y = q[VD_TRACK_Y] - ring->y, from = sqrt(x * x + y * y);
  double side = ring->radius > 0.0 ? 1.0 : -1.0, yaw = q[VD_TRACK_YAW];
  /* sine of the outward angle of the heading */
  double out = from > 0.0 ? (x * vd_cos(yaw) + y * vd_sin(yaw)) / from : 0.0;
  double speed = sqrt(q[VD_TRACK_VX] * q[VD_TRACK_VX] + q[VD_TRACK_VY] * q[VD_TRACK_VY]);
  double bend = 1.0 / ring->radius +
                side * (2.0 * out / ring->ahead + (from - side * ring->radius) / (ring->ahead * ring->ahead));
  return car->steering_rate > 0.0 ? car->steering_rate * vd_tanh(speed * bend / car->steering_rate) : 0.0;
}

/* Removes the outward acceleration of the attitude at the edge of the cone. arm: lever arms of the corners; square: sum
 * of their squares. */
static void stop_outward(const vd_track_car *car, int side, double (*arm)(const vd_track_car *car, int wheel),
                         double square, double *dq) {
  double outward = 0.0;
  for (int i = 0; i < VD_WHEELS; i++)
    outward += dq[VD_TRACK_W + i] * arm(car, i) / square;
  if (side * outward > 0.0)
    for (int i = 0; i < VD_WHEELS; i++)
      dq[VD_TRACK_W + i] -= outward * arm(car, i);
}

void vd_track_rates(const vd_track_car *car, const vd_track_state *s, const vd_track_command *u, const double *q,
                    double *dq, double *force) {
  vd_track_frame f;
  vd_track_frame_of(car, q, &f);
  const double *w = q + VD_TRACK_W;
  double a_rate = (w[VD_FL] + w[VD_FR] - w[VD_RL] - w[VD_RR]) / (2.0 * car->base);
  double b_rate = (w[VD_FL] - w[VD_FR] + w[VD_RL] - w[VD_RR]) / (2.0 * car->track);
  bool steered = s->down[VD_FL] || s->down[VD_FR];
  for (int i = 0; i < VD_TRACK_STATES; i++)
    dq[i] = 0.0;
  dq[VD_TRACK_X] = q[VD_TRACK_VX];
  dq[VD_TRACK_Y] = q[VD_TRACK_VY];
  /* The car turns about the vertical of the world, so that the heights of the corners do not change; the original turns
   * about the car's up direction. The yaw rate has a lag. Otherwise a front wheel that is on the ground only while the
   * car does not turn would switch between ground and air without end, because turning moves the wheel points. */
  dq[VD_TRACK_YAW] = q[VD_TRACK_YAW_RATE];
  dq[VD_TRACK_YAW_RATE] = car->slip_rate * ((steered ? steer(car, u, q) : 0.0) - q[VD_TRACK_YAW_RATE]);
  if (car->steering_latency > 0.0)
    dq[VD_TRACK_STEER] = follow(car, u->steer, q[VD_TRACK_STEER]);
  for (int i = 0; i < VD_WHEELS; i++) {
    dq[VD_TRACK_Z + i] = w[i];
    dq[VD_TRACK_W + i] = -VD_GRAVITY;
  }
  for (int i = 0; i < VD_WHEELS; i++) {
    double mount[3], pushed = 0.0;
    if (s->down[i]) {
      vd_track_mount(car, &f, q, i, mount);
      double length = vd_track_spring_length(&f, mount, s->plane[i]);
      slope g = slope_of(car, &f, q, i, s->plane[i], length);
      double rate = g.x * q[VD_TRACK_VX] + g.y * q[VD_TRACK_VY] + g.own * w[i] + g.a * a_rate + g.b * b_rate +
                    g.yaw * q[VD_TRACK_YAW_RATE];
      pushed = car->spring.stiffness * (car->length - length) - car->spring.damping * rate;
      push(car, i, &g, pushed, dq);
      dq[VD_TRACK_WORK + VD_TRACK_DAMPERS] -= car->spring.damping * rate * rate;
      dq[VD_TRACK_WORK + VD_TRACK_DRIVE] -= pushed * g.yaw * q[VD_TRACK_YAW_RATE];
    }
    if (force)
      force[i] = pushed;
  }
  if (steered)
    drive(car, &f, u, q, dq);
  restore(car, q, dq);
  if (s->at_limit[0] != 0)
    stop_outward(car, s->at_limit[0], vd_track_ahead, car->base * car->base, dq);
  if (s->at_limit[1] != 0)
    stop_outward(car, s->at_limit[1], vd_track_aside, car->track * car->track, dq);
}
