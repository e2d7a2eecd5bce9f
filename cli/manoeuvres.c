#include "manoeuvres.h"

#include <stddef.h>

typedef struct manoeuvre {
  const char *name, *scenario, *standard, *meaning;
} manoeuvre;

/* Each scenario of iso/, road/, ladder/, ride/ and rig/ stands here; tests/cli.sh holds the table against the folders. */
/* clang-format off */
static const manoeuvre table[] = {
  {"step steer", "iso/step_steer.yaml", "ISO 7401", "hand wheel to an angle and held"},
  {"sine steer", "iso/sine_steer.yaml", "ISO 7401", "one period at the hand wheel"},
  {"sine sweep", "iso/chirp_steer.yaml", "ISO 7401", "sine of growing frequency, for a frequency response"},
  {"pulse steer", "iso/pulse_steer.yaml", "ISO 7401", "a triangle at the hand wheel"},
  {"constant radius", "iso/constant_radius.yaml", "ISO 4138", "steady circle, speed creeping up"},
  {"slowly increasing steer", "iso/slowly_increasing_steer.yaml", "FMVSS 126, ISO 19365", "13.5 deg/s at a held speed, for the angle at 0.3 g"},
  {"sine with dwell", "iso/sine_with_dwell.yaml", "FMVSS 126, UN R140, ISO 19365", "0.7 Hz, second peak held for 0.5 s"},
  {"double lane change, 80 km/h", "iso/lane_change_80.yaml", "ISO 3888-1", "to the next lane and back, by a driver"},
  {"double lane change, 60 km/h", "iso/lane_change_60.yaml", "ISO 3888-1", "the same, slower"},
  {"obstacle avoidance", "iso/obstacle_avoidance.yaml", "ISO 3888-2", "round an obstacle, throttle released 2 m after entry"},
  {"power-off in a turn", "iso/power_off_in_turn.yaml", "ISO 9816", "throttle closed on a circle, hand wheel fixed"},
  {"braking in a turn", "iso/braking_in_turn.yaml", "ISO 7975", "brake on a circle, hand wheel fixed"},
  {"split-friction braking", "iso/split_mu_braking.yaml", "ISO 14512", "one side slippery, antilock brakes, a driver corrects"},
  {"stop, dry road", "iso/stopping_distance.yaml", "ISO 21994", "full braking with antilock brakes, friction 0.9"},
  {"stop, slippery road", "road/abs_slippery.yaml", "-", "full braking with antilock brakes, friction 0.3"},
  {"stop, locked wheels", "road/brake_straight.yaml", "-", "full braking without antilock brakes"},
  {"stop, weak brakes", "road/brake_seed.yaml", "-", "full braking below the limit of grip"},
  {"ice patch", "road/ice_patch.yaml", "-", "braking across 15 m of ice"},
  {"fishhook", "road/fishhook.yaml", "NHTSA NCAP", "hand wheel one way and, once the car has rolled, the other"},
  {"J-turn", "road/j_turn.yaml", "NHTSA", "hand wheel far over and held"},
  {"ramp steer", "road/ramp_steer.yaml", "-", "slow ramp at a held speed, for the understeer gradient"},
  {"linear step", "road/linear_step.yaml", "-", "step of the textbook car, which has a closed solution"},
  {"steering table", "road/table_steer.yaml", "-", "steering from a CSV file, lines between"},
  {"smooth table", "road/table_smooth.yaml", "-", "slalom from a few points, smooth between"},
  {"steering actuator", "road/steering_actuator.yaml", "-", "dead time, lag and rate limit"},
  {"chain of events", "road/step_at_speed.yaml", "-", "accelerate, steer at a speed, straighten at an acceleration"},
  {"circle", "road/circle.yaml", "-", "one lap of 50 m radius at 0.5 g"},
  {"clothoid", "road/clothoid.yaml", "-", "a bend that closes up"},
  {"figure eight", "road/figure_eight.yaml", "-", "lemniscate, left and right"},
  {"segments", "road/segments.yaml", "-", "closed track of lines, clothoids and arcs"},
  {"waypoints", "road/waypoints.yaml", "-", "road and speeds from a CSV file"},
  {"human driver", "road/human_driver.yaml", "-", "double lane change with delay and noise"},
  {"bank", "road/bank.yaml", "-", "hands off on a banked road"},
  {"full throttle", "road/accelerate.yaml", "-", "from rest with the simple motor"},
  {"0 to 100 km/h", "road/zero_to_100.yaml", "-", "from rest with engine and automatic gearbox"},
  {"gear shifts", "road/gear_shifts.yaml", "-", "gears by hand"},
  {"coast-down", "road/coast_down.yaml", "-", "rolling out in neutral"},
  {"launch, open differential", "road/launch_open.yaml", "-", "drive off with one side slippery"},
  {"launch, limited slip", "road/launch_limited_slip.yaml", "-", "the same with a limited-slip differential"},
  {"launch, locked differential", "road/launch_locked.yaml", "-", "the same with a locked differential"},
  {"parking on a grade", "road/park_on_grade.yaml", "-", "a standing car held by its brakes, 8 %"},
  {"hill start", "road/hill_start.yaml", "-", "from brake to clutch, 8 %"},
  {"drive, stop, reverse", "road/drive_stop_reverse.yaml", "-", "through standstill and back"},
  {"Lc1 wheel torques", "ladder/lc1_wheel_torques.yaml", "-", "torque vectoring"},
  {"Lc2 axle torques", "ladder/lc2_axle_torques.yaml", "-", "drive from front to rear, then brakes"},
  {"Lc3 force", "ladder/lc3_force.yaml", "-", "one force on the whole car"},
  {"Lc4 pedals and gear", "ladder/lc4_pedals.yaml", "-", "throttle, brake, gear, hand wheel"},
  {"Lc4 handbrake turn", "ladder/lc4_handbrake_turn.yaml", "-", "rear wheels locked in a turn"},
  {"Lc5 acceleration", "ladder/lc5_acceleration.yaml", "-", "steps that a controller holds"},
  {"Lc6 speed", "ladder/lc6_speed.yaml", "-", "a ramp and a step that a controller holds"},
  {"Lc7 curvature", "ladder/lc7_curvature.yaml", "-", "radius of 50 m at a held speed"},
  {"Lc7 yaw rate", "ladder/lc7_yaw_rate.yaml", "-", "left and right at a held speed"},
  {"Lc7 lateral acceleration", "ladder/lc7_lateral_acceleration.yaml", "-", "ramp to 8 m/s2 at a held speed"},
  {"Lc8 path with speeds", "ladder/lc8_path.yaml", "-", "waypoints and the speed at each"},
  {"four-post rig, heave", "ride/four_post_sweep.yaml", "-", "all posts sweep together, for the ride's frequency response and modes"},
  {"four-post rig, roll", "ride/four_post_roll.yaml", "-", "left posts against right ones"},
  {"four-post rig, pitch", "ride/four_post_pitch.yaml", "-", "front posts against rear ones"},
  {"rig: side force", "rig/fy_alpha.yaml", "-", "side force of a tyre over slip angle, by load"},
  {"rig: longitudinal force", "rig/fx_kappa.yaml", "-", "driving and braking force of a tyre over slip ratio, by load"},
  {"rig: combined slip", "rig/combined.yaml", "-", "friction ellipse of a tyre"},
  {"rig: Gough plot", "rig/gough.yaml", "-", "aligning moment over side force, by load"},
  {"rig: camber and pressure", "rig/camber_pressure.yaml", "-", "what inclination and inflation pressure do to the side force"},
  {"rig: step of the slip angle", "rig/step_angle.yaml", "-", "relaxation of the side force at three speeds"},
  {"rig: swinging slip angle", "rig/sine_angle.yaml", "-", "lag of the side force at two speeds"},
  {"rig: standstill", "rig/standstill.yaml", "-", "a standing tyre pushed sideways"},
};
/* clang-format on */

void vd_manoeuvres_list(FILE *to) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    fprintf(to, "%s\t%s\t%s\t%s\n", table[i].name, table[i].scenario, table[i].standard, table[i].meaning);
}
