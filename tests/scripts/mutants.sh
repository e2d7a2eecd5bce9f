#!/bin/sh
# Breaks the physics on purpose, one reaction at a time, in scratch builds, and asks the tests of the laws to notice: a test
# that cannot fail proves nothing. Each mutant must be refused by the test named with it.
# Usage: tests/scripts/mutants.sh TOOL    (its path tells the build folder)
# A sample of the mutants is tried, another one for every commit. VDSIM_MUTANTS is "all" or another seed of the sample.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
# shellcheck source=tests/common/mutants.sh
. tests/common/mutants.sh
build=${exe%/cli/*}
sample=16

# test | file | sed expression | what is broken
cat >"$work/list" <<'END'
ledger|model/load_loop.h|s/- p->at.fx \* vd_wide_load(lanes->radius) + p->at.my/- 0.99 * p->at.fx * vd_wide_load(lanes->radius) + p->at.my/|the wheel feels 1 % less force than the body
ledger|model/planar.c|s/ + vd_lanes_load(n, e->mz);$/;/|the aligning moment does not reach the body
ledger|model/load_loop.h|s/torque - mode \* vd_lanes_load/torque - 1.01 * mode * vd_lanes_load/|the brake's torque on the wheel is not the one in the ledger
ledger|model/planar.c|s/dx\[VD_S_VX\] = e->ax + e->vy \* e->yaw_rate/dx[VD_S_VX] = e->ax/|a Coriolis term is missing
ledger|model/planar.c|s/vx - r \* vd_wide_load(lanes->y)/vx - 0.0 * vd_wide_load(lanes->y)/|the contact's arm in the slip is not the arm in the moment
ledger|model/planar.c|s/e->pull_y = across \* cosine - along/e->pull_y = across * cosine + along/|gravity along the slope has a wrong sign
balance|model/load_loop.h|s/about_axle \* cosine - upright/-upright/|the wheels' spin-up does not move load
balance|model/load_loop.h|s/(p->c->t - p->mode\[VD_M_LOAD_TIME\])/0.0/|the load loop starts from loads that are a step old
balance|model/load_loop.h|s/\* sine + upright \* cosine,/* sine + p->at.mx * cosine,/|the gyroscopic moment is missing
balance|vehicle/loads.c|s/double moment = sum\[VD_SUM_X\] \* b->height/double moment = sum[VD_SUM_X] * b->sprung_height/|load transfer with the sprung mass's height
balance|vehicle/loads.c|s/unsprung \* b->unsprung_height\[i\];/0.0;/|the unsprung mass transfers nothing
balance|vehicle/loads.c|s/lean->ey = b->sprung_weight/lean->ey = 0.5 * b->sprung_weight/;s/stiffness = -b->sprung_weight \* b->lean_arm/stiffness = -0.5 * b->sprung_weight * b->lean_arm/|the weight of the leaning body counts half
tyre|tyre/tyre_impl.h|s/if (slide->turn > 0.0) {/if (false) {/|a locked wheel pushes along the ratio of its saturated forces
order|math/rk4.c|s/0.5 \* h \* k2\[i\]/0.5 * h * k1[i]/|a stage of the integrator is stale
order|sim/sim.c|s/static const int instant\[\] = {0, 1, 1, 2}/static const int instant[] = {0, 0, 0, 2}/|the inputs lag half a step
linear|model/planar.c|s/bx \* cosine + by \* sine, e->vx_contact/1.01 * bx * cosine + by * sine, e->vx_contact/|a contact velocity is 1 % off
motion|model/start.c|s/(ahead \* c->cos_angle/(0.9 * ahead * c->cos_angle/|the wheels do not start rolling freely
figures|vehicle/loads.c|s/b->roll_centre\[i\] = axle->roll_centre_height/b->roll_centre[1 - i] = axle->roll_centre_height/|the roll centres are swapped
figures|model/model.c|s/m->downforce\[VD_FRONT\] = pressure \* aero->downforce_front/m->downforce[VD_FRONT] = pressure * aero->downforce_rear/|the front downforce is the rear's
figures|model/single_track.c|s/lanes->brake_share\[i\] = i == VD_FRONT/lanes->brake_share[i] = i != VD_FRONT/|the brake bias is the wrong way round
figures|vehicle/drivetrain.c|s/power > d->max_power ? d->max_power/power > d->max_power ? 1.1 * d->max_power/|a tenth more than the power limit
figures|vehicle/drivetrain_def.c|s/\.max_torque = def->max_torque/.max_torque = 1.1 * def->max_torque/|a tenth too much torque
figures|model/model_switch.c|s/INFINITY : capacity - fabs/INFINITY : 2.0 * capacity - fabs/|a locked wheel is let go too late
figures|model/start.c|s/s->x\[VD_S_SPEED_HOLD\] = vd_running/s->x[VD_S_SPEED_HOLD] = 0.0 * vd_running/|the speed controller starts without feed-forward
error_estimate|sim/error_estimate.c|s/16.0 \/ 15.0 \* (whole/1600.0 \/ 15.0 * (whole/|the error of a step counts a hundredfold
accuracy|sim/sim.c|s/gap > sim->accuracy \&\& gap/false \&\& gap/|rates jump unseen within a step
four_post|model/model.c|s/ \&\& !m->ride.posted)/)/|wheels on posts spin as if tyres held them
path|course/path.c|s/h \* pace_at(path, b), in.t/h * pace_at(path, a), in.t/|the slope of a path's speed jumps at its nodes
error_estimate|sim/sim.c|s/half.decay.half = true;//|halves of an exponential step are classical ones
error_estimate|sim/error_estimate.c|s/+ e\[VD_S_YAW\] \* rates\[VD_S_ALONG\]/- e[VD_S_YAW] * rates[VD_S_ALONG]/|an error of the heading leads to the wrong side
steps|math/rk4.c|s/w->last = 4.0 \* phi3/w->last = 3.9 * phi3/|exponential steps do not decay as they ought to
drivetrain|model/model.c|s/decay->reaction\[2\]\[i\] = -geared/decay->reaction[2][i] = 0.0/|a motor on a stuck clutch takes steps of its own
steps|math/rk4.c|s/decay->reaction\[b\]\[j\] \* gap/0.0 * gap/|cars do not react on the fast motion of their wheels
steps|math/rk4.c|s/d->off\[j\] = h \* (k1\[i\] - decay->drift\[j\])/d->off[j] = h * k1[i]/|an exponential step counts the drift twice
slip_floors|run/step_limit.c|s/return vd_max(sum \* options->step/return vd_max(0.2 * sum * options->step/|the floor of the slip angle is a fifth
slip_floors|run/scenario_step.c|s/run->level == VD_L0 .. run->slip == VD_SLIP_TRANSIENT/run->level == VD_L0/|floors that do not act are warned of
mf_car|tyre/mf_tyre.c|s/vd_wide_most(-my \* turning, none)/-my * turning/|a rolling moment drives the wheel
tir|tyre/tir_plausible.c|s/value >= rule->least \* unit/true/|figures of too small a unit pass
figures|model/kinematic.c|s/applied - 0.5 \* v.mass_slope/applied + 0.5 * v.mass_slope/|L0: the steering term of ax has a wrong sign
figures|model/kinematic.c|s/ + curvature_rate \* e->vx;/;/|L0: the steering rate is missing from the yaw acceleration
figures|model/kinematic.c|s/e->ay = b \* e->yaw_accel + /e->ay = /|L0: ay of the rear axle
figures|ground/ground_def.c|s/{-q \* p \/ (n \* a), (1.0 + p \* p) \/ (n \* a), q \/ (n \* a)}/{-q * p \/ (n * a), (1.0 + p * p) \/ (n * a), -q \/ (n * a)}/|gravity on a bank pulls uphill
figures|model/model.c|s/forward\[k\] = cp \* ahead - sp/forward[k] = cp * ahead + sp/;s/e->pitch = vd_asin/e->pitch = -vd_asin/|pitch has a wrong sign
figures|model/model.c|s/ + height \* g->normal\[k\];/;/|the height of the centre of gravity is missing
figures|model/single_track.c|s/lanes->rolling\[i\] = 0.5/lanes->rolling[i] = 0.25/|half the rolling resistance
tyre|tyre/mf96.c|s/ \/ vd_wide_sqrt(1.0 + u \* u), out->trail/, out->trail/|the trail does not fall
mf_turn|tyre/mf_force.c|s/vd_wide shift = s->sign \* d/vd_wide shift = d/|backwards the force of turn slip keeps its sign
turn_slip|model/planar.c|s/e->yaw_rate + c->angle_rate\[i\]/e->yaw_rate/|steering a parked wheel does not twist its contact
models|tyre/tmeasy.c|s/1.0 + r \* r \* (a + s/1.0 + r * (a + s/|the trail of 2020 is no polynomial through its zeros
models|tyre/pac.c|s/{13, 12}};/{13, 13}};/|a shift of 1989 stays in its old place
models|tyre/tyre_impl.h|s/left = vd_most(1.0 - ux \* ux - uy \* uy, 0.0)/left = 1.0/|the camber thrust leaves the friction ellipse
models|tyre/tyre_impl.h|s/kappa \* vd_trail_side(vx)/kappa/;s/kappa \* vd_wide_trail_side(vx)/kappa/|a tread that rolls backwards has the speed of one that rolls ahead
mf|tyre/mf_vertical.c|s/vd_pow(x_of_r0, body->q_fcy2)/vd_pow(share, body->q_fcy2)/|side force by the loaded radius in place of the deflection
tir_own|tyre/fiala.c|s/tyre->resistance \/ tyre->def.property.unloaded_radius/tyre->resistance/|a rolling resistance in metres is taken as a ratio
tir_own|tyre/pac.c|s/other ? -1.0 : 0.0/other ? 1.0 : 0.0/|a tyre on the other side is not mirrored
tyre_fit|study/tyre_fit_model.c|s/ \&\& (taken\[stage\].slip \& slip)//|rows of combined slip are fitted as rows of pure slip
tyre_fit|study/tyre_fit.c|s/ : x\[k\] \* base_of(\&r->all\[k\])/ : x[k]/|factors of a fit are taken as figures
models|tyre/patch.c|s/width \* (0.5 - sqrt(edge/width * (0.6 - sqrt(edge/|a lifted edge moves the load too far
tyre|tyre/tyre_impl.h|s/double ux = x \/ half_x, uy = y \/ half_y/double ux = x, uy = y/|the turning force leaves the friction ellipse
coupling|vehicle/coupling.c|s/out->hold\[index\[r\]\]\[j\] = -right/out->hold[index[r]][j] = right/|the torque of what sticks has a wrong sign
coupling|vehicle/coupling.c|s/static const double redundant = 1e-12/static const double redundant = 0.0/|what is said twice is taken for something new
drivetrain|model/train.c|s/train->torque\[k\] = -mode\[k\]/train->torque[k] = mode[k]/|a slipping clutch or differential pushes on
drivetrain|model/train.c|s/return 1.0 + share \* .*;/return 1.0 + 0.0 * (share + efficiency);/|the gears lose nothing
drivetrain|model/train.c|s/(flow >= 0.0 ? efficiency : 1.0 \/ efficiency)/efficiency/|on the overrun the gears give power
drivetrain|model/train.c|s/differential(m, k)->ramp \* e->coupling_slip/0.0 * e->coupling_slip/|the differential's ramp is missing
drivetrain|model/train.c|s/VD_M_REAR\], VD_RR, -1.0/VD_M_REAR], VD_RR, 1.0/|the rear differential compares the wheels' speeds by their sum
drivetrain|model/train.c|s/inverse_inertia\[n\] = 1.0 \//inverse_inertia[n] = 0.9 \//|the motor turns a tenth more inertia than it has
drivetrain|model/train.c|s/dx\[VD_S_WORK_CLUTCH\] = e->/dx[VD_S_WORK_CLUTCH] = 0.9 * e->/|the clutch's heat is not the one in the ledger
drivetrain|model/train.c|s/mode\[VD_M_SHIFTING\] != 0.0)/false)/|the clutch holds during a shift
drivetrain|vehicle/drivetrain.c|s/(d->idle - speed) \/ (0.1 \* d->idle)/(d->idle - speed) \/ d->idle/|the governor opens too late
drivetrain|model/model_switch.c|s/guard = m->vehicle.drivetrain.shift_up - input/guard = 1.02 * m->vehicle.drivetrain.shift_up - input/|upshifts come 2 % late
mf_car|model/load_loop.h|s/\* sine + upright \* cosine,/* sine + p->gyro * cosine,/|the overturning moments move no load
mf_car|tyre/mf_tyre.c|s/right ? VD_MF_RIGHT : VD_MF_LEFT/VD_MF_LEFT/|the right tyre is not mirrored
transient|tyre/lugre.c|s/steady.y \/ t.root.y}/1.01 * steady.y \/ t.root.y}/|bristles settle at another force
bristles|tyre/lugre.c|s/vd_wide along = dot(f, first) \* inverse/vd_wide along = t->rolling * rate_y/|sliding does not renew the bristles
bristles|tyre/lugre.c|s/(f.y \* first.x - f.x \* first.y) \* inverse/(f.x * first.y - f.y * first.x) * inverse/|unbent bristles do not follow the slip's direction
bristles|tyre/lugre.c|s/ + along \* rate_x \* rate_y .*;/ + along;/|across the force bristles have the length along it
bristles|tyre/lugre.c|s/vd_wide_least(t->damper \* eigenvalue\[k\], one)/t->damper * eigenvalue[k]/|the damper exceeds friction
bristles|tyre/lugre.c|s/return vd_wide_select(whole > most, .*;/return one;/|the grip does not hold the bristles' force
bristles|tyre/lugre.c|s/pair whole = plus(t->slip, one, shift)/pair whole = t->slip/|camber does not move the slip of zero force
bristles|tyre/mf_tyre.c|s/vd_group_store(group, slide->last.mx, out->mx);$/;/|the overturning moment is that of the steady force
relaxation|tyre/relax.h|s/vd_wide renewal = vd_wide_abs(r->vx) + .*, least/vd_wide renewal = vd_wide_abs(r->vx), least/|sliding renews no contact
relaxation|tyre/relax.h|s/r->kappa = r->wx \/ spare + /r->kappa = r->wx + /|the slip is the deflection even where it saturates
relaxation|tyre/relax.h|s/vd_wide_most(length_y, least)/vd_wide_most(length_x, least)/|the side slip relaxes over the longitudinal length
relaxation|model/lanes.h|s/vd_relax_at_load(lanes->tyre\[i\], e->load\[i\]/vd_relax_at_load(lanes->tyre[i], 0.9 * e->load[i]/|the lengths are those of a tenth less load
relaxation|tyre/relax.c|s/r->length_y = mean(r->length_y, other->length_y)/r->length_y = mean(r->length_y, r->length_y)/|an L1 axle has the length of its left tyre
mf|tyre/mf.c|s/fabs(step) > 1e-7 \* x/fabs(step) > 1e-2 * x/|peaks are not solved to the end
standstill|tyre/relax.h|s/r->damper = vd_wide_load(four->damper_time) \* fade \* fade/r->damper = 0.0 * fade/|the standstill damper is missing
standstill|model/lanes.h|s/vd_wide_sum(stored) + damped/damped/|what the tyres store is not in the ledger
standstill|model/single_track.c|s/handbrake_share\[i\] = i == VD_FRONT/handbrake_share[i] = i != VD_FRONT/|the handbrake holds the front wheels
ladder|model/steered.c|s/(c->steer - x\[VD_S_STEER\]) \/ m->vehicle.steering.lag/(c->steer - x[VD_S_STEER]) \/ (1.01 * m->vehicle.steering.lag)/|the steering lags 1 % longer
ladder|sim/driver.c|s/curvature - offset \/ (reach/curvature + offset \/ (reach/|an offset from the path is steered the wrong way
ladder|model/pedals.c|s/double gain = hold_rate \* m->rolling_mass/double gain = 0.5 * hold_rate * m->rolling_mass/|acceleration control is half as quick
ladder|model/pedals.c|s/} else if (!e->saturated .. error \* force < 0.0) {/} else {/|the speed controller winds up
ladder|model/pedals.c|s/\*saturated .= given != wanted/(void)saturated/|nothing is said at the end of motor or brakes
ladder|sim/driver.c|s/mix(mix((uint64_t)seed) ^ index)/mix(mix(1) ^ index + 0 * (uint64_t)seed)/|the seed does not matter
events|sim/sim.c|s/root_tolerance = 1e-12/root_tolerance = 1e-2/|events are found to a hundredth of a step
events|sim/inputs.c|s/return newcomer != other \&\& same_kind/return false \&\& newcomer != other \&\& same_kind/|an event's input does not displace others of its kind
events|sim/event.c|s/due_time(ev, i) <= t + snap/due_time(ev, i) < t - 1e-4/|an event waits for the next corner
ground_relief|ground/sweep.c|s/a_slope = -a \* n_slope \/ n;/a_slope = 0.0;/|the slope of a sweep forgets its falling amplitude
ground_relief|ground/sides.h|s/right_slope \* left - right \* left_slope/right_slope * left + right * left_slope/|the left side of a kerb rises where it falls
ground_relief|ground/heightmap.c|s/here.slope_x \* m->per_x/here.slope_x * m->per_y/|slopes along a height map by the spacing across
ground_crg|ground/crg_line.c|s/double along = d\[0\] \* p\[2\] + d\[1\] \* p\[3\] - to_x/double along = d[0] * p[2] + d[1] * p[3] + to_x/|slopes of a measured road do not know that its line turns
ground_relief|ground/ground_def.c|s/\.slope_y = q,/.slope_y = p,/|the road rises across as it does along
ground_relief|ground/oval.c|s/rise \* share_slope \* n + slope \* dx/slope * dx/|the transition of an oval has no slope
ground_surface|ground/strip.c|s/along + d \* lt,/along,/|a leaning wheel stands where an upright one would
ground_surface|ground/loop.c|s/offset \/ (length - 2\.0 \* half)/offset \/ length/|a loop forgets that it ends ahead of its beginning
ground_surface|ground/strip.c|s/? -1\.0 : 1\.0;/? 1.0 : 1.0;/|a hollow corner bears wheels from inside the rock
ground_surface|ground/strip.c|s/w->v + share \* f->lean \* w->across/w->v/|a cambered wheel is on the strip where its centre is
ground_feet|ground/height_foot.c|s/if (most > 0\.0)/if (most > 1e3)/|a hollow has one foot
ground_feet|ground/span.h|s/return 60\.0 \* u/return 0.6 * u/|the bounds of a kerb's bends are too narrow
ground_feet|ground/heightmap.c|s/b->xx = INFINITY;/b->xx = 0.0;/|a bilinear map has no kinks
ground_surface|ground/strip.c|s/&& !before(foot, disc->body\[1\]))/\&\& before(foot, disc->body[1]))/|a wheel that was pushed through is behind
obstacles|ground/strip.c|s/fabs(reach) < best->away &&/fabs(reach) < best->away \&\& !(at->sine > 0.1) \&\&/|a wheel leaves the slope of a ramp
ground_several|ground/ground.c|s/bearer && here\.reach > foot->reach/bearer \&\& here.reach >= foot->reach/|of equally near grounds the first bears
ground_several|ground/ground.c|s/vd_ground_friction(bearer,/vd_ground_friction(ground,/|the friction is always that of the first ground
ground_iso8608|ground/iso8608.c|s/sqrt(2\.0 \* density/sqrt(density/|a random road has half the energy
ground_iso8608|ground/iso8608.c|s/ \* 3\.0 \/ (2\.0 + w\[k\]\.re)//|short waves are flattened by their splines
ground_iso8608|ground/iso8608.c|s/-0\.5 \* 0\.88/-0.88/|the coherence is squared twice
ground_iso8608|ground/iso8608.c|s/\.im \* below\.re - above\.re \* below\.im/.im * below.re + above.re * below.im/|the turn between the tracks is no Cauchy angle
suspension|linkage/suspension.c|s/.damping_bump = def->damper.bump/.damping_bump = def->damper.rebound/|bump is damped as rebound
suspension|linkage/suspension.c|s/run \* run \* vd_log1p/0.99 * run * run * vd_log1p/|the stops store other energy than they take
suspension|linkage/suspension.c|s/double start = run > 0.0 ? run/double start = run >= 0.0 ? run/|a stop without run stores no number
suspension|math/curve.c|s/< bin)$/<= bin)/|a bin begins behind its first point
suspension|math/curve.c|s/curve->d\[i\] = (from + to - 2.0 \* s)/curve->d[i] = 0.99 * (from + to - 2.0 * s)/|a cubic misses its end
suspension|vehicle/vehicle.c|s/return inertia - first \* first \/ m.sprung/return inertia/|the sprung mass's own distance is missing from its yaw inertia
suspension|vehicle/vehicle_def.c|s/axle->antiroll_stiffness \/ per_rate/axle->antiroll_stiffness * per_rate/|a bar's wheel rate is upside down
fourteen_dof|model/l3_equations.h|s/- 2.0 \* p \* vz - whirl \* y;/- whirl * y;/|a Coriolis term of the unsprung masses is missing
fourteen_dof|model/l3_equations.h|s/- (iz - iy) \* q \* r;/;/|the body's gyroscopic moment about x is missing
fourteen_dof|model/l3_equations.h|s/(at->z - b->centre_z) \* force->y/at->z * force->y/|side forces turn the axle about the centre of gravity's height
fourteen_dof|model/l3_equations.h|s/vd_wide own = vd_wide_load(ride->brake_slope)/vd_wide own = -vd_wide_load(ride->brake_slope)/|the anti slope's force has a wrong sign
fourteen_dof|model/l3_fourteen_dof.c|s/b->turn \* (k->at.z - b->centre_z)/b->turn * k->at.z/|the contact's arm in the slip is not that of its force
fourteen_dof|model/contacts.h|s/\* vd_wide_most(deflection, none);/* deflection;/;s/vd_wide_most(force, none) \* inverse/force * inverse/|a tyre off the road pulls
fourteen_dof|model/l3_spins.h|s/about_y - cosine \* net/about_y/|drive and brakes do not react on the body's pitch
fourteen_dof|model/l3_spins.h|s/s->moment\[2\] = -moments\[2\];/s->moment[2] = 0.0;/|the spins' gyroscopic moment about z is missing
fourteen_dof|model/l3_spins.h|s/= vd_wide_sum(locked_inertia \* cosine \* cosine)/= 0.0/|a locked wheel does not pitch with the body
fourteen_dof|model/ride.c|s/anti_slope(m, a, axle->anti_drive, lanes->drive_share/anti_slope(m, a, axle->anti_drive, lanes->brake_share/|links under drive torque count by the brakes' share
ride_static|model/ride.c|s/loaded_radius + vd_tyre_vertical_deflection/loaded_radius + 0.99 * vd_tyre_vertical_deflection/|the free radius forgets a hundredth of the static load
ride_static|model/ride.c|s/ride->lean_roll = weight \* (m->vehicle.masses.sprung_height - arm)/ride->lean_roll = weight * m->vehicle.masses.sprung_height/|the couple without lean forgets the roll centres
ride_turn|model/ride.c|s/axle->antiroll_stiffness \/ (axle->track \* axle->track)/0.5 * axle->antiroll_stiffness \/ (axle->track * axle->track)/|a bar has half its stiffness
ride_turn|model/ride.c|s/ride->roll_centre_z\[i\] = axle->roll_centre_height - height/ride->roll_centre_z[i] = -height/|the roll centres are on the ground
ride_run|model/state_rates.h|s/dx\[VD_S_ROLL\] = turning\[0\] + yaw \* f->sin_pitch/dx[VD_S_ROLL] = turning[0]/|roll forgets the turning of a pitched body
ride_run|model/ledger.h|s/= -second\[0\]/= -0.99 * second[0]/|the dampers' heat is not the one in the ledger
ride_run|model/contacts.h|s/vd_wide_most(force, none) \* inverse/vd_wide_most(force, none + 1.0) * inverse/|a tyre in the air carries a newton
four_post|sim/linearise.c|s/imaginary += w \* row\[k\] \* amplitude\[rate_of\];/;/|the speed of the posts is missing from the linear system
four_post|sim/linearise.c|s/weight\[\] = {8.0, -8.0, -1.0, 1.0}/weight[] = {8.0, -8.0, 1.0, -1.0}/|a difference has a wrong weight
four_post|sim/modes.c|s/part(l, v, VD_S_HEIGHT)/part(l, v, VD_S_VZ)/|a driving car that pitches is taken for one that rises
four_post|model/contacts.h|s/k->post_lift \* vd_wide_load(w->c->post_rate) - vd/-vd/|the tyre's damping does not feel the post's speed
four_post|model/l3_equations.h|s/- alpha\[0\] \* half \* half/- 0.9 * alpha[0] * half * half/|the body's roll moves the wheels too little
kc|kc/kc.c|s/curvature_along(s->spring_length, along);/-curvature_along(s->spring_length, along);/|the change of the motion ratio has a wrong sign
kc_forms|kc/kc.c|s/(corner->rear ? -1.0 : 1.0) \* corner->wheelbase/corner->wheelbase/|anti-lift of a rear axle has a wrong sign
kc_forms|kc/kc.c|s/corner->inboard_brakes ? s->drive_slope : s->brake_slope/s->brake_slope/|inboard brakes are outboard
kc_forms|kc/kc.c|s/l->axle ? roll : view->along/view->along/|a rigid axle's roll centre is of its heave
kc_forms|kc/axis.c|s/vd_jet3_cross(w, v)/vd_jet3_cross(v, w)/|the screw axis lies on the other side
kc_forms|kc/axle.c|s/(corner->rear ? 1.0 : -1.0) \* corner->wheelbase/-corner->wheelbase/|a rear axle steers about an axle behind it
forces|kc/forces.c|s/add_to(-1.0, f, force)/add_to(1.0, f, force)/|bushings push the wrong way
forces|kc/forces.c|s/0.5 \* (vd_dot(force_b, line)/0.0 * (vd_dot(force_b, line)/|two ball joints share a force as the solver left it
elastic_map|compliance/compliance_wheel.c|s/moment\[i\] += p\[i\] + 0.5/moment[i] += p[i] - 0.5/|a moment by its work on Gibbs' vector
elastic_map|compliance/compliance_body.c|s/^  start_carrier(c, t, m, at);/  (void)start_carrier;/|a rod carries a spring beside its line
matrix|kc/matrix.c|s/stiffness \/ (4.0 \* y/stiffness \/ (2.0 * y/|an anti-roll bar is twice as stiff
matrix|kc/matrix.c|s/mirror\[HALF\] = {1.0, -1.0, 1.0, -1.0/mirror[HALF] = {1.0, -1.0, 1.0, 1.0/|the right wheel turns about x as the left one does
views|kc/steering.c|s/up = -length.d\[1\]/up = length.d[1]/|the spring lets the wheel down as the rack moves
views|kc/kc.c|s/s->side_arm = rise/s->side_arm = -rise/|the instant centre in side view is on the wrong side
kc_forms|kc/sweep.c|s/\* w->travel, 1e3 \* last/, 1e3 * last/;s/\.rack = r->steered/.rack = !r->steered/;s/report->missing == 0/true/|a sweep that locks is taken for complete
kc_forms|linkage/linkage_part.c|s/vd_gear_point(&l->points.gear, pose->u\[1\], design)/vd_gear_point(\&l->points.gear, 0.0 * pose->u[1], design)/|a tie rod's points stay where the rack was
kc_forms|linkage/linkage_part.c|s/vd_jet_div(lengthening, driven)/vd_jet_scale(-1.0, vd_jet_div(lengthening, driven))/|a rocker pulls the wrong way
multibody|model/guided_wheels.h|s/ + h->spin_rack \* h->rack_rate)/)/|the knuckle's turn per travel forgets that the rack changes it
free_body|model/link_bodies.h|s/out->known = 0.5 \* (b.mass1 \* square - /out->known = 0.5 * (b.mass1 * square + /|what rotation does to the travel of a link has a wrong sign
free_body|model/link_bodies.h|s/vd_wide_scaled(2.0 \* rate, b.first1)/vd_wide_scaled(rate, b.first1)/|links have half their Coriolis force
free_body|model/link_bodies.h|s/b->mass += less/b->mass -= less/|a wheel's mass is there as a point and as bodies
corner_mass|linkage/corner_mass.c|s/- turning \* axle\[i\]/- 0.0 * axle[i]/|a freely turning wheel turns with its knuckle
dynamics|kc/dynamics.c|s/(c\[i\] \/ 3.0/(c[i] \/ 2.0/|the end of a rod moves half of its mass
dynamics|kc/dynamics.c|s/w.moment\[i\] = rate\[i\] + gyro\[i\]/w.moment[i] = rate[i]/|the knuckle has no gyroscopic moment
track_car|track_car/track_rates.c|s/? 2.0 : 1.0) \/ car/? 1.0 : 1.0) \/ car/|the steering goes back as slowly as it came
multibody|model/l4_equations.h|s/vd_wide_scaled(h->spin, around)/vd_wide_scaled(0.0 * h->spin, around)/|the contact does not turn with the knuckle
multibody|model/l4_equations.h|s/v = vd_wide_plus(v, v);/v = vd_wide_scaled(1.0 + 0.0 * h->rate, v);/|half the Coriolis acceleration of the unsprung masses
multibody|model/guided_wheels.h|s/ - damper \* h->damper\[2\]/ - 0.0 * damper/;s/^\( *\)damper \* h->damper\[2\] - s->momentum/\10.0 * damper - s->momentum/|the dampers do not push back on the rack
multibody|model/linkage_poses.h|s/-r\[VD_FRONT\]/r[VD_FRONT]/|the right wheel is no mirror image
wheel_compliance|compliance/wheel_compliance.c|s/x - f->radius \* (wind/x + f->radius * (wind/|a brake unwinds the knuckle that it winds up
wheel_compliance|compliance/wheel_compliance.c|s/(brake % 2 ? -c : c)/c/|the brake's moment has the sign of the drive
wheel_compliance|compliance/wheel_compliance.c|s/+ f->radius \* lean/- f->radius * lean/|camber takes the contact to the wrong side
wheel_compliance|compliance/wheel_compliance.c|s/own\[i\] += slope\[j\]/own[i] -= slope[j]/|bushings without load move the wheel to the other side
wheel_compliance|compliance/wheel_compliance.c|s/c \* x - s \* y, s \* x + c/c * x + s * y, s * x + c/|the heading of a steered wheel turns its displacement
multibody|linkage/linkage_map.c|s/- 0\.5 \* vd_dot(turn, s)/+ 0.5 * vd_dot(turn, s)/|the turn about the axle changes by a wrong commutator
multibody|linkage/linkage_map.c|s/out->path\[4 + k\] = middle/out->path[4 + k] = 0.0 * middle/|the unsprung masses' path is taken for straight
multibody_links|model/spins.h|s/    *-vd_tyre_and_brake_torques(w));/-vd_tyre_and_brake_torques(w) - vd_wide_load(w->e->drive_torque));/|drive torque is held by the knuckle
multibody_links|model/guided_wheels.h|s/e->spring_eye\[i\] \* h->spring\[1\]\[i\] +/e->spring_eye[i] +/|the spring's force at the wheel forgets the motion ratio
multibody_run|math/bspline.c|s/{1\.0, -4\.0, 6\.0, -4\.0, 1\.0}/{0.0, 1.0, -2.0, 1.0, 0.0}/|maps are straight at their ends
multibody_run|linkage/linkage_map.c|s/for (int side = 0; side < 2; side++)/for (int side = 0; side < 1; side++)/;s/\*angle += 0\.5 \* sign/*angle += sign/|the rack turns the left wheel by the steering angle, not both on average
free_turn|model/l5_equations.h|s/vd_wide_plus(vd_wide_cross(k->down, k->force), k->couple)/k->couple/|the road's force acts at the hub
free_flight|model/l5_equations.h|s/shifted.x - spins.x - arm.x/shifted.x - arm.x/|spinning wheels do not roll a body that yaws
free_flight|model/l5_equations.h|s/shifted.y - spins.y - arm.y/shifted.y - arm.y/|brakes in the air do not pitch the body
free_flight|model/l5_equations.h|s/moment\[j\] = a->moment\[j\] - gyro\[j\]/moment[j] = a->moment[j]/|the body's own gyroscopic term is missing
free_flight|model/l5_equations.h|s/n->at_o\[j\] += gravity\[j\] - out2\[j\]/n->at_o[j] += gravity[j]/|the sprung mass's centre has no centripetal acceleration
free_flight|model/l5_stages.h|s/0.5 \* (q\[0\] \* p\[0\] + q\[2\] \* p\[2\]/0.5 * (q[0] * p[0] - q[2] * p[2]/|a sign in the quaternion's rate
free_flight|model/l5_equations.h|s/a->force\[j\] = -force\[j\]/a->force[j] = -0.99 * force[j]/|the body feels a hundredth less than the wheels do
free_flight|model/l5_equations.h|s/    at_o\[j\] = force\[j\] \/ ride->body_mass - swing\[j\]/    at_o[j] = force[j] \/ ride->body_mass + swing[j]/|a moment moves the sprung mass's centre
free_body|model/l5_equations.h|s/fz - fx \* h->path\[0\] - fy \* h->path\[1\]/fz/|the linkages' paths have no slope in the forces
free_body|model/l5_equations.h|s/vd_wide_dot(a->knuckle, h->turn) - s->momentum/-s->momentum/|the road's moment does nothing on the knuckle's way
free_body|model/l5_equations.h|s/h->spin \* vd_knuckle_torques(w, s) - vd/-vd/|brakes on a knuckle do not work on its travel
free_body|model/l5_free_body.c|s/vd_wide_plus(hub, vd_wide_cross(turning, w->contact.down))/hub/|the contact slides as the wheel centre does
free_body|model/l5_free_body.c|s/+ m->ride.bar\[i \/ 2\]/- m->ride.bar[i \/ 2]/|the anti-roll bar pushes the other way
free_body|model/l5_equations.h|s/    a->link.z\[j\] -= lift;/    ;/|a locked wheel resists its travel without acting on it
free_body|model/l5_equations.h|s/a->moment\[i\] -= axle\[i\] \* resist/a->moment[i] -= 0.99 * axle[i] * resist/|a locked wheel's inertia reaches the body in part
free_body|model/l5_equations.h|s/ - (f->w\[0\] \* half.y - f->w\[1\] \* half.x)//|a travel has no Coriolis acceleration
free_body|model/l5_free_body.c|s/damping \* (h->off_rate\[0\]/0.9 * damping * (h->off_rate[0]/|the links lose other than the ledger has
free_flight|model/l5_build.c|s/sprung\[2\] -= ride->unsprung_mass/sprung[2] += ride->unsprung_mass/|the sprung mass stands too low
free_flight|model/l5_build.c|s/((i == j ? square : 0.0) - at\[i\] \* at\[j\])/(i == j ? square : 0.0)/|masses have no products of inertia
free_body|model/l5_wheels.h|s/w->own = (vd_wide3){-rate \* cosine, -rate \* sine, none}/w->own = (vd_wide3){none, none, none}/|steered wheels do not turn their spins
free_body|model/l5_wheels.h|s/h->axle_rack = (vd_wide3){-rate \* cosine, -rate \* sine, none}/h->axle_rack = (vd_wide3){none, none, none}/|steered wheels on rigid struts do not turn their spins
free_body|model/l5_wheels.h|s/along = vd_mass_rate(&h)/along = vd_wide_scaled(none, vd_mass_rate(\&h))/|the travel of a wheel on rigid links has no momentum in the log
axles|model/l4_equations.h|s/ + vd_wide_swapped(vd_wide_dot(force, h->mass_other))//|the mass of a wheel does not work on the travel of the other one
axles|model/linkage_poses.h|s/h->other_spin_other = other/h->other_spin_other = 0.0 * other/|the turn of joined knuckles forgets that the other travel changes it
axles_run|model/ride.c|s/-0.5 \/ ratio/0.5 \/ ratio/|the propeller shaft turns a live axle the other way
axles_run|model/ride.c|s/0.5 \* axle->unsprung_mass - axle->unsprung_roll_inertia/0.0 * axle->unsprung_mass - 0.0 * axle->unsprung_roll_inertia/|an axle has the inertia of masses at its wheels
free_body|model/l4_equations.h|s/((own)-b\[row\] \* shared\[column\])/((own)-0.99 * b[row] * shared[column])/|the travels take a hundredth less of the wheels' inertia
free_body|model/ride.c|s/a\[2\]\[4\] = a\[4\]\[2\] = -ms/a[2][4] = a[4][2] = ms/|a pitching body lifts its own centre the other way
free_run|model/l5_build.c|s/ride->unsprung_z\[i\] = ride->wheel_z\[i\]/ride->unsprung_z[i] = 0.0/|masses on rigid linkages are as high as the centre of gravity
free_body|model/l5_equations.h|s/ + shifted.y - spins.y/ - spins.y/|the road acts on the body beside the wheel that steering has moved
free_body|model/l5_wheels.h|s/w->shift_slope\[1\] \* w->rate + w->shift_steer.y/w->shift_slope[1] * w->rate/|steering moves the wheel but not its speed
free_run|sim/sim.c|s/if (!event \&\& sim->model->options.frozen_contact \&\& !evaluate(sim, from))/if (false)/|a step on frozen contacts begins with the rates on the planes before
free_run|model/l5_stages.h|s/    planes.normal = vd_wide3_load(mode + VD_M_PLANE);/    planes.normal = vd_out_of_body(f, (vd_wide3){0.0 * planes.distance, 0.0 * planes.distance, 0.0 * planes.distance + 1.0});/|frozen planes turn with the body
stunt|metrics/stunt.c|s/i > 0 ? r->sample\[i - 1\].t : r->sample\[i\].t/r->sample[i].t/|a flight begins at its first row
stunt|metrics/stunt.c|s/vd_metric_known(-2.0 \* c/vd_metric_known(-1.0 * c/|half the curvature is taken for gravity
stunt|metrics/stunt_loop.c|s/remainder(raw - at, 2.0 \* VD_PI)/(raw - at)/|the loop angle is not counted on
stunt|metrics/stunt.c|s/least = vd_min(least, r->stunt\[i\].energy)/least = r->stunt[i].energy/|only a rise within one step counts
stunt|metrics/stunt_loop.c|s/turned(r->stunt\[a\].cg_speed, r->stunt\[b\].cg_speed)/turned(r->stunt[a].cg, r->stunt[b].cg)/|the radius of a loop is taken about the world's origin
stunt|model/l3_observe.c|s/velocity\[j\] += mass \* v\[j\];/;/|L3: the wheels have no part in the momentum
stunt|model/l4_observe.c|s/velocity\[j\] += mass \* v\[j\];/;/|L4: the wheels have no part in the momentum
search|run/search.c|s/lowest ? out->high : out->low/lowest ? out->low : out->high/|the value is the end of the bracket without the goal
search|run/search.c|s/out->changes == 0)) {/true)) {/|the highest value follows the last change
search|run/search.c|s/ !\*trial->failure) \&\&/ true) \&\&/|a run that went bad has goals
search|run/search.c|s/if (s->trial\[i\].value == value)/if (false)/|values are tried twice
track_car|math/spring.c|s/.xx = decay \* (1.0 + slow \* phi)/.xx = decay * (1.0 + 0.99 * slow * phi)/|a creeping spring moves as another
track_car|track_car/track_car.c|s/vd_exp(-k \/ c \* h)/1.0/|a wheel in the air keeps its spring compressed
track_car|track_car/track_car.c|s/instant = 1e-12/instant = 1e-5/|a wheel meets the ground late
track_car|track_car/track_car.c|s/2.0 \* k2\[i\] + k4\[i\]/2.0 * k2[i] + 0.99 * k4[i]/|a stage of the step counts less
track_car|track_car/track_car.c|s/force\[i\] < 0.0/force[i] < -1e9/|wheels hold on to the ground
track_car|track_car/track_rates.c|s/ - length \* f->up_a\[i\]//|the ray's length does not feel the pitch
track_car|track_car/track_rates.c|s/.yaw = (n\[1\] \* arm_x - n\[0\] \* arm_y) \* per/.yaw = 0.0/|steering does no work against the springs
track_car|track_car/track_rates.c|s/rate \* (2.0 \* speed + rate \* twist)/rate * 2.0 * speed/|a twisted wheel base stays twisted
outside|model/outside.h|s/a->turn = -moment/a->turn = moment/|a side wind turns the car the wrong way
outside|model/outside.h|s/e->outside_rear -= at\[2\] \* f\[0\]/e->outside_rear -= 0.0 * f[0]/|a push forward above the road moves no load
outside|model/outside.h|s/share \*= u \* u \* (3.0 - 2.0 \* u);/share *= u;/|the edge of a crosswind zone has corners
outside|vehicle/air_heights.c|s/\* node\[BY_FRONT\] + rear->slope\[r\] \* node\[BY_BOTH\]/* node[BY_FRONT]/|coefficients over both ride heights have no twist
held|model/held.c|s/vd_dot(b.forward, a) + vd_dot(b.forward_rate, b.f.u)/vd_dot(b.forward, a)/|a prescribed speed turns with the car
held|model/held.c|s/roll_rate \* pitch_rate) \/ cp/0.0 * roll_rate) \/ cp/|a prescribed heading forgets that roll and pitch turn
held|model/contacts.h|s/out->push_power += vd_dot(w->c->hold, u) + vd_dot(w->c->hold_moment, turn)/out->push_power += vd_dot(w->c->hold, u)/|the moment that holds a heading does no work
held|model/outside.h|s/e->outside_rear -= height \* f\[0\];//|a force at the centre of gravity moves load
steered|model/steered.c|s/\* front - x\[VD_S_REAR_STEER\])/* front - 0.99 * x[VD_S_REAR_STEER])/|rear wheels end 1 % beyond their command
weights|vehicle/weight_def.c|s/(1.0 - share) \* (wheelbase \* cosine/share * (wheelbase * cosine/|scales under the lifted axle are read as those under the other
weights|vehicle/weight_def.c|s/m \* (3.0 \* r \* r + l \* l) \/ 12.0/m * (r * r + l * l) \/ 12.0/|a cylinder has a wrong inertia across its axis
beam|linkage/beam.c|s/stiffness \/ (1.0 - vd_tanh(u) \/ u)/stiffness/|warping does not stiffen a beam with welded ends
beam|linkage/beam.c|s/pole\[X\] = (s->wz/pole[X] = -(s->wz/|the shear centre is on the wrong side of the section
tables_run|model/table_steer.c|s/second = side \* rack\[i \/ 2\]/second = rack[i \/ 2]/|L2: the right wheel steers by the left one's table
run_ends|sim/sim.c|s/lowest = vd_min(lowest, fabs(e->vx) - sim->stop_below);/lowest = vd_min(lowest, fabs(e->vx) + 1.0);/|the end of a stop is a row of the log
END

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
seed=${VDSIM_MUTANTS:-$(git rev-parse --short=10 HEAD 2>/dev/null || echo "$version")}
all=$(wc -l <"$work/list")
if [ "$seed" = all ]; then
  cp "$work/list" "$work/chosen"
  plan $((all + 1))
  echo "# all $all mutants"
else
  mutants_sample "$work/list" $sample "$seed" >"$work/chosen"
  plan $((sample + 1))
  echo "# $sample of $all mutants, chosen by $seed; the same again: VDSIM_MUTANTS=$seed sh scripts/test mutants; all: sh scripts/test --all"
fi

mutants_stale "$work/list" >"$work/stale"
[ ! -s "$work/stale" ]
check "the edits of all $all mutants find their place" "$work/stale"

# The first line of a test that is not well: "not ok", or not there because the program died.
first_trouble() { # executable
  "$1" 2>/dev/null | awk '
    NR == 1 { sub(/^1\.\./, ""); planned = $1 + 0 }
    /^not ok/ { line = $3; exit }
    /^ok/ { seen = $2 }
    END { if (line == "" && (seen < planned || planned == 0)) line = seen + 1; print line }'
}

# Whether the sound core passes this line of a test: what fails anyway proves nothing.
passes() { # test, line
  "$build/tests/test-$1" 2>/dev/null | awk -v line="$2" '
    $1 == "ok" && $2 == line { good = 1; exit }
    $1 == "not" && $3 == line { exit }
    END { exit !good }'
}

judge() { # worker, number, test, file, edit, what
  n=$(($2 + 1))
  if ! mutant_build "$1" "$4" "$5" "test-$3" >"$work/errors.$1" 2>&1; then
    echo "not ok $n - the mutant does not build: $6"
    sed 's/^/# /' "$work/errors.$1"
    return
  fi
  line=$(first_trouble "$work/run.$1")
  if [ -z "$line" ]; then
    echo "not ok $n - $3 does not notice: $6"
  elif ! passes "$3" "$line"; then
    echo "not ok $n - $3 $line fails for the sound core, too: $6"
  else
    echo "ok $n - $3 $line notices: $6"
  fi
}

# shellcheck disable=SC2046 # a list of words
mutants_prepare $(cut -d'|' -f1 "$work/chosen" | sort -u | sed 's|^|tests/test-|') || exit 1
mutants_judge "$work/chosen" "$(getconf _NPROCESSORS_ONLN)" judge | tee "$work/verdicts"
[ $failures -eq 0 ] && ! grep -q '^not ok' "$work/verdicts"
