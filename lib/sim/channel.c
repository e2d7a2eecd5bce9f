#include "sim/channel.h"
#include "input/schema.h"

#include "base/system.h"

#include <assert.h>
#include <string.h>

#define L0   VD_WHEN(VD_L0)
#define L1   VD_WHEN(VD_L1)
#define L2   VD_WHEN(VD_L2)
#define L3   VD_WHEN(VD_L3)
#define L4   VD_WHEN(VD_L4)
#define L5   VD_WHEN(VD_L5)
#define RIDE (L3 | L4 | L5)
#define ALL  (L0 | L1 | L2 | RIDE)
#define DYN  (L1 | L2 | RIDE)
#define TWO  (L2 | RIDE) /* models with a track width */
#define FLAT (L1 | L2)   /* levels whose loads follow from a balance */

#define TURNS    VD_CHANNEL_TURNS
#define SEARCHED VD_CHANNEL_SEARCHED
#define NAMED    VD_CHANNEL_NAMED

#define E(member) offsetof(vd_row, eval.member)
#define S(index)  (offsetof(vd_row, state.x) + (index) * sizeof(double))

#define OF_WHEEL(wheel, name, words, quantity, suffix, unit, help, member, levels)                                     \
  {quantity "_" name suffix, unit, help ", " words, E(member[wheel]), levels},
#define FOUR(...) VD_EACH_WHEEL(OF_WHEEL, __VA_ARGS__)

/* Modes of a kind of controller. */
#define MODE(wheel, name, words, kind, index)                                                                          \
  {#kind "_mode_" name, "1", "phase of the controller " #kind ", " words "; 0: it does not act",                       \
   offsetof(vd_row, control_mode[index][wheel]), DYN | NAMED},
#define MODES(value, name, keys) VD_EACH_WHEEL(MODE, name, VD_CONTROLLER_##value)

/* An electric motor. */
#define MOTOR(number, index)                                                                                           \
  {"motor_" #number "_torque_Nm", "N m", "torque of electric motor " #number " at its shaft",                          \
   E(electric.torque[index]), ALL | NAMED},                                                                            \
      {"motor_" #number "_speed_radps", "rad/s", "speed of electric motor " #number, E(electric.speed[index]),         \
       ALL | NAMED},

/* clang-format off */
static const vd_channel channels[] = {
  {"t_s", "s", "time", offsetof(vd_row, t), ALL},
  {"x_m", "m", "world x of the centre of gravity", E(log.x), ALL},
  {"y_m", "m", "world y of the centre of gravity", E(log.y), ALL | TURNS},
  {"z_m", "m", "world z of the centre of gravity", E(log.z), ALL},
  {"roll_rad", "rad", "roll relative to the horizon, left side up > 0", E(log.roll), ALL | TURNS},
  {"pitch_rad", "rad", "pitch relative to the horizon, nose down > 0", E(log.pitch), ALL},
  {"yaw_rad", "rad", "heading, left > 0, continuous beyond half a turn", E(log.yaw), ALL | TURNS},
  {"quaternion_w", "1",
      "attitude of the body, unit quaternion from body to world axes: scalar part", E(log.quaternion[0]), RIDE},
  {"quaternion_x", "1", "unit quaternion from body to world axes: x", E(log.quaternion[1]), RIDE | TURNS},
  {"quaternion_y", "1", "unit quaternion from body to world axes: y", E(log.quaternion[2]), RIDE},
  {"quaternion_z", "1", "unit quaternion from body to world axes: z", E(log.quaternion[3]), RIDE | TURNS},
  {"cg_x_m", "m", "present centre of all masses, world x; x_m belongs to the design position", E(log.cg[0]), RIDE},
  {"cg_y_m", "m", "present centre of all masses, world y", E(log.cg[1]), RIDE | TURNS},
  {"cg_z_m", "m", "present centre of all masses, world z", E(log.cg[2]), RIDE},
  {"cg_vx_mps", "m/s", "velocity of the centre of all masses, world x", E(log.cg_speed[0]), RIDE},
  {"cg_vy_mps", "m/s", "velocity of the centre of all masses, world y", E(log.cg_speed[1]), RIDE | TURNS},
  {"cg_vz_mps", "m/s", "velocity of the centre of all masses, world z", E(log.cg_speed[2]), RIDE},
  {"angular_momentum_x_Nms", "N m s",
      "angular momentum of all masses and wheel spins about the centre of all masses, world x",
      E(log.angular_momentum[0]),
      L5 | TURNS},
  {"angular_momentum_y_Nms", "N m s",
      "angular momentum about the centre of all masses, world y", E(log.angular_momentum[1]), L5},
  {"angular_momentum_z_Nms", "N m s",
      "angular momentum about the centre of all masses, world z", E(log.angular_momentum[2]), L5 | TURNS},
  {"loop_angle_rad", "rad",
      "angle of the centre of gravity about the axis of a loop, 0 at its bottom, pi at its top; 0 without a loop",
      E(log.loop_angle_or_zero), L5},
  {"vx_mps", "m/s",
      "velocity of the centre of gravity, forward along the road; at L5 along the body's own axis", E(motion.vx), ALL},
  {"vy_mps", "m/s",
      "velocity of the centre of gravity, to the left along the road; at L5 along the body's own axis",
      E(motion.vy), ALL | TURNS},
  {"vz_mps", "m/s",
      "velocity of the centre of gravity, along the road normal; at L5 along the body's own axis", E(motion.vz), RIDE},
  {"roll_rate_radps", "rad/s",
      "angular velocity about the forward axis along the road; at L5 as gyro_x", E(motion.roll_rate), RIDE | TURNS},
  {"pitch_rate_radps", "rad/s",
      "angular velocity about the left axis along the road; at L5 as gyro_y", E(motion.pitch_rate), RIDE},
  {"yaw_rate_radps", "rad/s", "yaw rate about the road normal; at L5 as gyro_z", E(motion.yaw_rate), ALL | TURNS},
  {"ax_mps2", "m/s2",
      "acceleration of the centre of gravity, forward along the road; at L5 as body_ax", E(body.ax), ALL},
  {"ay_mps2", "m/s2",
      "acceleration of the centre of gravity, to the left along the road; at L5 as body_ay", E(body.ay), ALL | TURNS},
  {"az_mps2", "m/s2",
      "acceleration of the centre of gravity, along the road normal; at L5 as body_az", E(body.az), RIDE},
  {"specific_force_x_mps2", "m/s2",
      "force without gravity divided by mass, forward along the road; at L5 as "
      "accelerometer_x", E(log.specific_x), ALL},
  {"specific_force_y_mps2", "m/s2",
      "force without gravity divided by mass, to the left along the road; at L5 as "
      "accelerometer_y", E(log.specific_y), ALL
      | TURNS},
  {"specific_force_z_mps2", "m/s2",
      "force without gravity divided by mass, along the road normal; at L5 as accelerometer_z", E(log.specific_z), ALL},
  {"gyro_x_radps", "rad/s",
      "angular velocity about the body's own forward axis, as a sensor fixed to the body shows it", E(log.gyro[0]), RIDE
      | TURNS},
  {"gyro_y_radps", "rad/s", "angular velocity about the body's own left axis", E(log.gyro[1]), RIDE},
  {"gyro_z_radps", "rad/s", "angular velocity about the body's own upward axis", E(log.gyro[2]), RIDE | TURNS},
  {"accelerometer_x_mps2", "m/s2",
      "force without gravity divided by mass, along the body's own forward axis, as a sensor fixed to the body at the "
      "centre of gravity shows it", E(log.accelerometer[0]), RIDE},
  {"accelerometer_y_mps2", "m/s2",
      "force without gravity divided by mass, along the body's own left axis", E(log.accelerometer[1]), RIDE | TURNS},
  {"accelerometer_z_mps2", "m/s2",
      "force without gravity divided by mass, along the body's own upward axis", E(log.accelerometer[2]), RIDE},
  {"body_ax_mps2", "m/s2",
      "acceleration of the centre of gravity along the body's own forward axis", E(log.body_a[0]), RIDE},
  {"body_ay_mps2", "m/s2",
      "acceleration of the centre of gravity along the body's own left axis", E(log.body_a[1]), RIDE | TURNS},
  {"body_az_mps2", "m/s2",
      "acceleration of the centre of gravity along the body's own upward axis", E(log.body_a[2]), RIDE},
  {"road_roll_rate_radps", "rad/s",
      "angular velocity about the forward axis in the plane through the contact points",
      E(log.road_rate[0]), L5 | TURNS},
  {"road_pitch_rate_radps", "rad/s",
      "angular velocity about the left axis in the plane through the contact points", E(log.road_rate[1]), L5},
  {"road_yaw_rate_radps", "rad/s",
      "angular velocity about the normal of the plane through the contact points", E(log.road_rate[2]), L5 | TURNS},
  {"road_ax_mps2", "m/s2",
      "acceleration of the centre of gravity, forward in the plane through the contact points", E(log.road_a[0]), L5},
  {"road_ay_mps2", "m/s2",
      "acceleration of the centre of gravity, to the left in the plane through the contact points", E(log.road_a[1]),
      L5 | TURNS},
  {"road_az_mps2", "m/s2",
      "acceleration of the centre of gravity, normal to the plane through the contact points", E(log.road_a[2]), L5},
  {"sideslip_rad", "rad", "side slip angle of the centre of gravity, to the left > 0", E(log.sideslip), ALL | TURNS},
  {"distance_m", "m", "path length of the centre of gravity", S(VD_S_DISTANCE), ALL},
  {"steer_rad", "rad", "mean road wheel angle commanded", E(steering.steer), ALL | TURNS},
  {"steering_wheel_rad", "rad", "steering-wheel angle", E(steering.steering_wheel), ALL | TURNS},
  {"steer_actual_rad", "rad", "mean road wheel angle after lag and rate limit", E(steering.steer_actual), ALL | TURNS},
  {"steering_torque_Nm", "N m",
      "torque at the steering wheel, to the left > 0: with a column the torque of the hands, without one the torque "
      "that balances the tyres, without friction or assistance", E(steering.steering_torque), DYN | TURNS},
  {"steering_column_rad", "rad",
      "angle of the column below its torsion bar, at the steering wheel; 0 without a column",
      E(steering.column_angle), DYN | TURNS},
  {"torsion_bar_torque_Nm", "N m",
      "torque of the column's torsion bar, turning the gear to the left > 0; 0 without a column",
      E(steering.bar_torque), DYN | TURNS},
  {"assist_torque_Nm", "N m",
      "torque of the power assistance at the steering wheel; 0 without assistance", E(steering.assist_torque),
      DYN | TURNS},
  {"curvature_1pm", "1/m", "yaw rate divided by vx", E(log.curvature), ALL | TURNS},
  {"throttle", "1", "throttle pedal", E(drive.throttle), ALL},
  {"brake", "1", "brake pedal", E(drive.brake), ALL},
  {"handbrake", "1", "handbrake lever", E(drive.handbrake), ALL},
  {"gear", "1", "gear: -1 reverse, 0 neutral; during a shift the next gear", E(log.gear), ALL},
  {"saturated", "1", "1 while motor or brakes cannot deliver the command", E(log.saturated), ALL},
  {"speed_error_mps", "m/s", "commanded speed minus vx; 0 without a command", E(log.speed_error), ALL},
  {"acceleration_error_mps2", "m/s2",
      "commanded acceleration minus ax; 0 without a command", E(log.acceleration_error), ALL},
  {"force_error_N", "N",
      "commanded minus delivered force of drive and brakes; 0 without a command", E(log.force_error), ALL},
  {"torque_error_Nm", "N m",
      "commanded minus delivered wheel torques, sum of magnitudes; 0 without a command", E(log.torque_error), ALL},
  {"curvature_error_1pm", "1/m",
      "commanded minus present curvature of the motion; 0 without a command, or below 1 m/s", E(log.curvature_error),
      ALL | TURNS},
  {"yaw_rate_error_radps", "rad/s",
      "commanded minus present yaw rate; 0 without a command", E(log.yaw_rate_error), ALL | TURNS},
  {"lateral_acceleration_error_mps2", "m/s2",
      "commanded lateral acceleration minus ay; 0 without a command", E(log.lateral_acceleration_error), ALL | TURNS},
  {"path_s_m", "m", "distance along the path; 0 without a path", E(log.path_s), ALL},
  {"path_error_m", "m", "offset from the path, to its left > 0; 0 without a path", E(motion.path_error), ALL | TURNS},
  {"path_heading_error_rad", "rad",
      "direction of motion relative to the path's direction; 0 without a path", E(log.path_heading_error), ALL | TURNS},
  {"path_curvature_1pm", "1/m",
      "curvature of the path at this place; 0 without a path", E(log.path_curvature), ALL | TURNS},
  {"motor_speed_radps", "rad/s",
      "speed of motor or engine; 0 if it has no inertia of its own", E(log.motor_speed), DYN},
  {"clutch_torque_Nm", "N m", "torque of the clutch at the gearbox input, driving > 0", E(log.clutch_torque), DYN},
  {"clutch_slip_radps", "rad/s", "gearbox input speed minus engine speed", E(log.clutch_slip), DYN},
  {"body_roll_rad", "rad", "roll of the body relative to the road", E(log.body_roll), TWO | TURNS},
  {"body_pitch_rad", "rad", "pitch of the body relative to the road", E(log.body_pitch), DYN},
  {"cg_shift_x_m", "m", "forward shift of the centre of gravity by the lean", E(log.ex), DYN},
  {"cg_shift_y_m", "m", "shift to the right of the centre of gravity by the lean", E(log.ey), TWO | TURNS},
  {"tipping", "1",
      "1 while no wheel loads balance the moments: the car would roll over, tip over an axle or take off",
      E(log.tipping),
      FLAT},
  FOUR("fx", "_N", "N", "longitudinal force of the road on the tyre, forward > 0", tyre.fx, DYN)
  FOUR("fy", "_N", "N", "lateral force of the road on the tyre, to the left > 0", tyre.fy, DYN | TURNS)
  FOUR("fz", "_N", "N", "wheel load", tyre.load, DYN)
  FOUR("mx", "_Nm", "N m", "overturning moment on the tyre", tyre.mx, DYN | TURNS)
  FOUR("my", "_Nm", "N m", "rolling resistance moment on the tyre", tyre.my, DYN)
  FOUR("mz", "_Nm", "N m", "aligning moment on the tyre", tyre.mz, DYN | TURNS)
  FOUR("kappa", "", "1", "slip ratio", slip.kappa, DYN)
  FOUR("alpha", "_rad", "rad", "slip angle", log.alpha, DYN | TURNS)
  FOUR("omega", "_radps", "rad/s", "wheel spin", motion.omega, ALL)
  FOUR("travel", "_m", "m", "wheel centre relative to the body from the design position, bump > 0", motion.travel, RIDE)
  FOUR("travel_rate", "_mps", "m/s", "rate of travel", motion.travel_rate, RIDE)
  FOUR("compression", "_m", "m", "compression of the spring from its free length", log.compression, RIDE)
  FOUR("spring_force", "_N", "N",
      "force of spring, stops and anti-roll bar at the wheel, body up > 0", suspension.spring_force, RIDE)
  FOUR("damper_force", "_N", "N", "force of the damper at the wheel, body up > 0", suspension.damper_force, RIDE)
  FOUR("tyre_deflection", "_m", "m", "deflection of the tyre; < 0: clear of the road", contact.deflection, RIDE)
  FOUR("camber", "_rad", "rad", "camber of the wheel relative to the road, top outward > 0", log.outward, RIDE)
  FOUR("inclination", "_rad", "rad",
      "inclination angle in the formulas of the tyre: camber with the sign of ISO 8855, top to the right > 0",
      contact.camber, RIDE | TURNS)
  FOUR("toe", "_rad", "rad", "toe of the wheel relative to the body, steering included, toe-in > 0", log.toe, TWO)
  FOUR("linkage_camber", "_rad", "rad",
      "camber of the wheel relative to the body, top outward > 0", log.linkage_camber, L4 | L5)
  FOUR("compliance_steer", "_rad", "rad",
      "steering angle that the bushings give, to the left > 0", suspension.compliance_steer, L4 | TURNS)
  FOUR("compliance_camber", "_rad", "rad", "camber that the bushings give, top outward > 0", log.compliance_outward, L4)
  FOUR("contact_x", "_m", "m", "world x of the contact point", contact.contact_x, RIDE)
  FOUR("contact_y", "_m", "m", "world y of the contact point", contact.contact_y, RIDE | TURNS)
  FOUR("wheel_x", "_m", "m", "world x of the wheel centre", log.wheel[0], ALL | NAMED)
  FOUR("wheel_y", "_m", "m", "world y of the wheel centre", log.wheel[1], ALL | NAMED | TURNS)
  FOUR("wheel_z", "_m", "m", "world z of the wheel centre", log.wheel[2], ALL | NAMED)
  FOUR("axle_x", "", "1",
      "world x of the unit vector along the wheel's axle, to the left", log.axle[0], ALL | NAMED | TURNS)
  FOUR("axle_y", "", "1", "world y of the unit vector along the wheel's axle", log.axle[1], ALL | NAMED)
  FOUR("axle_z", "", "1", "world z of the unit vector along the wheel's axle", log.axle[2], ALL | NAMED | TURNS)
  FOUR("road", "_m", "m", "world z of the contact point", contact.contact_z, RIDE)
  FOUR("steer", "_rad", "rad", "steering angle of the wheel, to the left > 0", steering.angle, TWO | TURNS)
  FOUR("drive_torque", "_Nm", "N m", "drive torque on the wheel", drive.drive_torque, DYN)
  FOUR("brake_torque", "_Nm", "N m", "brake torque on the wheel", log.brake_torque, DYN)
  FOUR("abs_pressure", "", "1", "factor of the anti-lock system on the brake pressure", log.pressure, DYN)
  FOUR("drive_request", "_Nm", "N m", "requested torque in addition to the drivetrain's torque", log.drive_request,
      ALL | NAMED)
  FOUR("brake_request", "_Nm", "N m", "requested brake torque in addition to the pedal's torque", log.brake_request,
      ALL | NAMED)
  FOUR("pressure_request", "", "1", "requested brake pressure in addition to the pedal's pressure",
      log.pressure_request, ALL | NAMED)
  FOUR("damper_request", "_N", "N", "requested force of the damper, part of damper_force", log.damper_request,
      RIDE | NAMED)
  {"throttle_request", "1", "requested throttle in addition to the pedal's throttle", E(log.throttle_request),
      ALL | NAMED},
  {"rear_steer_request_rad", "rad", "requested mean angle of the rear wheels in addition to the angle by steering.rear",
      E(log.rear_steer_request), DYN | NAMED},
  FOUR("brake_valve", "", "1", "valve of the brake: 1 open, 0 holds, -1 releases", log.brake_valve, DYN | NAMED)
  FOUR("brake_pressure", "_Pa", "Pa", "pressure at the brake; 0 with ideal pressures", log.wheel_pressure, DYN | NAMED)
  FOUR("disc", "_K", "K", "temperature of the brake disc above the air; 0 without brakes.heat", log.disc, DYN | NAMED)
  VD_CONTROLLERS_BUILT_IN(MODES)
  {"pedal_force_N", "N",
      "force on the brake pedal, by the curve brakes.booster; 0 without the curve", E(log.pedal_force), ALL | NAMED},
  {"master_pressure_Pa", "Pa", "pressure of the pedal; 0 with ideal pressures", E(log.master_pressure), DYN | NAMED},
  {"battery_charge", "1", "state of charge of the battery", S(VD_S_CHARGE), ALL | NAMED},
  {"battery_power_W", "W", "power of the battery at its terminals, discharging > 0; 0 without a battery",
      E(electric.power), ALL | NAMED},
  {"battery_current_A", "A", "current of the battery, discharging > 0", E(electric.current), ALL | NAMED},
  {"battery_voltage_V", "V", "voltage of the battery under its present current", E(electric.voltage), ALL | NAMED},
  MOTOR(1, 0) MOTOR(2, 1) MOTOR(3, 2) MOTOR(4, 3)
  FOUR("friction", "", "1", "friction of the ground under the wheel", contact.friction, DYN)
  FOUR("mu_peak", "", "1", "highest friction coefficient at this load", log.mu_peak, DYN | SEARCHED)
  FOUR("alpha_peak", "_rad", "rad",
      "slip angle of the highest pure lateral force; pi/2 if it rises without end", log.alpha_peak, DYN | SEARCHED)
  FOUR("kappa_peak", "", "1",
      "slip ratio of the highest pure longitudinal force; 1 if it rises without end", log.kappa_peak, DYN | SEARCHED)
  FOUR("contact", "", "1", "1 while the wheel carries load", log.contact, DYN)
  {"rack_m", "m",
      "shift of the inner tie rod points of linkages, to the left > 0; 0 without linkages",
      E(steering.rack[VD_FRONT]), L4 | L5 | TURNS},
  {"rack_force_N", "N",
      "force of the links on the rack, to the left > 0", E(steering.rack_force[VD_FRONT]), L4 | L5 | TURNS},
  {"rear_rack_m", "m", "shift of the inner tie rod points of a rear steering, to the left > 0",
      E(steering.rack[VD_REAR]), L4 | L5 | TURNS},
  {"rear_rack_force_N", "N", "force of the links on the rack of a rear steering, to the left > 0",
      E(steering.rack_force[VD_REAR]), L4 | L5 | TURNS},
  {"drag_N", "N", "air drag", E(log.air_drag), ALL},
  {"downforce_front_N", "N", "air load on the front axle", E(log.air_lift[VD_FRONT]), DYN},
  {"downforce_rear_N", "N", "air load on the rear axle", E(log.air_lift[VD_REAR]), DYN},
  {"energy_J", "J", "total energy", E(log.energy), ALL},
  {"work_J", "J", "work of all forces since the start", E(log.work), ALL},
  {"ledger_residual_J", "J",
      "energy - energy at start - work: an error of the model or the integration", E(log.ledger), ALL},
  {"energy_kinetic_J", "J",
      "kinetic energy of the car without the spins of wheels and motors", E(log.energy_kinetic), ALL},
  {"energy_spin_J", "J", "kinetic energy of the spins of wheels and motors", E(log.energy_spin), ALL},
  {"prescribed_force_x_N", "N",
      "force that enforces a prescribed motion, along the axis of vx", E(outside.prescribed[0]), DYN},
  {"prescribed_force_y_N", "N",
      "force that enforces a prescribed motion, along the axis of vy", E(outside.prescribed[1]), DYN | TURNS},
  {"prescribed_moment_Nm", "N m",
      "moment that enforces a prescribed heading, about the vertical", E(outside.prescribed[2]), DYN | TURNS},
  {"energy_gravity_J", "J", "potential energy of the weight", E(log.energy_gravity), ALL},
  {"energy_spring_J", "J",
      "energy of springs, stops and anti-roll bars, and of bushings with nonlinear compliance",
      E(log.energy_spring), RIDE},
  {"energy_tyre_J", "J",
      "energy of the tread deflections of transient slip; from L3 on also of the tyres' vertical deflections",
      E(log.energy_tyre), DYN},
  {"energy_link_J", "J", "energy of the springs that keep the wheels on their paths", E(log.energy_link), L5},
  {"energy_steering_J", "J",
      "energy of a column: its masses, torsion bar, stops and frictions", E(log.energy_steering), DYN},
  {"work_drive_J", "J", "work of motor or engine on the drivetrain", S(VD_S_WORK_DRIVE), ALL},
  {"work_brake_J", "J", "work of the brakes", S(VD_S_WORK_BRAKE), ALL},
  {"work_tyre_J", "J", "work of tyre slip", S(VD_S_WORK_TYRE), DYN},
  {"work_tyre_damper_J", "J", "work of the tyres' standstill damper with transient slip", S(VD_S_WORK_DAMPER), DYN},
  {"work_clutch_J", "J", "work of the slipping clutch", S(VD_S_WORK_CLUTCH), DYN},
  {"work_gears_J", "J", "losses of the gears", S(VD_S_WORK_GEARS), DYN},
  {"work_differentials_J", "J", "work of slipping differentials", S(VD_S_WORK_DIFFERENTIALS), DYN},
  {"work_suspension_J", "J", "work of the suspension's dampers and, with run.bushing_time, bushings",
      S(VD_S_WORK_SUSPENSION), RIDE},
  {"work_tyre_vertical_J", "J", "work of the tyres' vertical damping", S(VD_S_WORK_TYRE_VERTICAL), RIDE},
  {"work_steering_J", "J",
      "work of the steering: with a column the work of the hands, without one the work on the road wheels",
      S(VD_S_WORK_STEERING), DYN},
  {"work_assist_J", "J", "work of the power assistance", S(VD_S_WORK_ASSIST), DYN},
  {"work_column_J", "J", "work of the column's dampers and frictions", S(VD_S_WORK_COLUMN), DYN},
  {"work_shafts_J", "J", "work of the damping of elastic drive shafts", S(VD_S_WORK_SHAFTS), DYN | NAMED},
  {"work_motors_J", "J", "work of the losses of electric motors", S(VD_S_WORK_MOTORS), ALL | NAMED},
  {"work_inverters_J", "J", "work of the losses of the inverters of electric motors",
      S(VD_S_WORK_INVERTERS), ALL | NAMED},
  {"work_battery_J", "J", "work of the resistance of the battery", S(VD_S_WORK_BATTERY), ALL | NAMED},
  {"work_auxiliaries_J", "J", "work of the auxiliaries", S(VD_S_WORK_AUXILIARIES), ALL | NAMED},
  {"recuperated_J", "J", "work that electric motors took by braking", S(VD_S_RECUPERATED), ALL | NAMED},
  {"work_engine_J", "J", "work of the engine of a hybrid, part of work_drive_J", S(VD_S_WORK_ENGINE), ALL | NAMED},
  {"energy_battery_J", "J", "energy of the battery, 0 without charge", E(log.energy_battery), ALL | NAMED},
  {"work_outside_J", "J",
      "work of posts under the wheels, of forces from outside, of forces that enforce a "
      "prescribed motion, of the couple that run.lean: false adds, and at L1 and L2 of "
      "loads that inclined steering axes lift", S(VD_S_WORK_OUTSIDE), DYN},
  {"work_link_J", "J", "work of the damping that keeps the wheels on their paths", S(VD_S_WORK_LINK), L5},
  {"work_aero_J", "J", "work of the air forces", S(VD_S_WORK_AERO), ALL},
  {"work_rolling_J", "J", "work of rolling resistance", S(VD_S_WORK_ROLLING), ALL},
};
/* clang-format on */

_Static_assert(VD_COUNT(channels) <= VD_CHANNELS, "VD_CHANNELS is too small");

const vd_channel *vd_channel_table(size_t *count) {
  *count = VD_COUNT(channels);
  return channels;
}

size_t vd_channel_match(const char *pattern, enum vd_level level, bool *wanted) {
  size_t matched = 0;
  for (size_t i = 0; i < VD_COUNT(channels); i++) {
    bool unnamed = (channels[i].levels & VD_CHANNEL_NAMED) && (*pattern == '*' || *pattern == '?');
    if (unnamed || !(channels[i].levels & VD_WHEN(level)) || fnmatch(pattern, channels[i].name, 0) != 0)
      continue;
    wanted[i] = true;
    matched++;
  }
  return matched;
}

/* Returns the wheel in the name of a channel, before an underscore or at the end; VD_WHEELS: there is none. */
static int wheel_of(const char *name) {
  for (const char *at = strchr(name, '_'); at; at = strchr(at + 1, '_'))
    for (int w = 0; w < VD_WHEELS; w++) {
      size_t length = strlen(vd_wheel_names[w]);
      if (strncmp(at + 1, vd_wheel_names[w], length) == 0 && (at[1 + length] == '_' || at[1 + length] == '\0'))
        return w;
    }
  return VD_WHEELS;
}

const vd_channel *vd_channel_mirror(const vd_channel *channel) {
  int wheel = wheel_of(channel->name);
  /* the rows of the four wheels are in their order */
  return wheel < VD_WHEELS ? channel + vd_other_side(wheel) - wheel : channel;
}

vd_channel_tolerance vd_channel_tolerated(const char *unit) {
  static const struct {
    const char *unit;
    double absolute;
  } table[] = {{"s", 1e-6}, {"m", 1e-6}, {"m/s", 1e-6}, {"m/s2", 1e-5}, {"rad", 1e-7}, {"rad/s", 1e-6}, {"1/m", 1e-7},
               {"1", 1e-6}, {"N", 0.01}, {"N m", 0.01}, {"J", 0.1},     {"Pa", 1.0},   {"deg/g", 1e-5}, {"Hz", 1e-6}};
  vd_channel_tolerance tolerance = {1e-6, 1e-5};
  for (size_t i = 0; i < VD_COUNT(table); i++)
    if (strcmp(table[i].unit, unit) == 0)
      tolerance.absolute = table[i].absolute;
  return tolerance;
}
