#!/bin/sh
# Breaks the physics on purpose, one reaction at a time, in scratch copies, and asks the tests of the laws to notice: a test
# that cannot fail proves nothing. Each mutant must be refused by the test named with it.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
cd "$top" || exit 2
cc=${CC:-cc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# test | file | sed expression | what is broken
cat >"$work/list" <<'END'
ledger|planar.c|s/- e->fx\[i\] \* radius + e->my/- 0.99 * e->fx[i] * radius + e->my/|the wheel feels 1 % less force than the body
ledger|planar.c|s/+ e->mz\[i\];$/;/|the aligning moment does not reach the body
ledger|planar.c|s/e->spin_torque\[i\] - mode\[i\] \* e->brake_capacity/e->spin_torque[i] - 1.01 * mode[i] * e->brake_capacity/|the brake's torque on the wheel is not the one in the ledger
ledger|planar.c|s/dx\[VD_S_VX\] = e->ax + e->vy \* e->yaw_rate/dx[VD_S_VX] = e->ax/|a Coriolis term is missing
ledger|planar.c|s/vx - r \* lanes->y\[i\]/vx/|the contact's arm in the slip is not the arm in the moment
ledger|planar.c|s/e->pull_y = pull_across \* cosine - pull_along/e->pull_y = pull_across * cosine + pull_along/|gravity along the slope has a wrong sign
balance|planar.c|s/(spin - e->my\[i\]) \* cosine - gyro/-gyro/|the wheels' spin-up does not move load
balance|planar.c|s/\* sine + gyro \* cosine;/* sine;/|the gyroscopic moment is missing
balance|loads.c|s/double moment = sum\[VD_SUM_X\] \* b->height/double moment = sum[VD_SUM_X] * b->sprung_height/|load transfer with the sprung mass's height
balance|loads.c|s/unsprung \* b->unsprung_height\[i\];/0.0;/|the unsprung mass transfers nothing
balance|loads.c|s/lean->ey = b->sprung_weight/lean->ey = 0.5 * b->sprung_weight/;s/stiffness = -b->sprung_weight \* b->lean_arm/stiffness = -0.5 * b->sprung_weight * b->lean_arm/|the weight of the leaning body counts half
tyre|tyre_impl.h|s/if (slide->turn > 0.0) {/if (false) {/|a locked wheel pushes along the ratio of its saturated forces
order|rk4.c|s/0.5 \* h \* k2\[i\]/0.5 * h * k1[i]/|a stage of the integrator is stale
order|sim.c|s/static const int instant\[\] = {0, 1, 1, 2}/static const int instant[] = {0, 0, 0, 2}/|the inputs lag half a step
linear|planar.c|s/double cx = bx \* c->cos_angle\[i\] + by/double cx = 1.01 * bx * c->cos_angle[i] + by/|a contact velocity is 1 % off
motion|model.c|s/speed \* c.cos_angle\[i\] \/ m/0.9 * speed * c.cos_angle[i] \/ m/|the wheels do not start rolling freely
figures|loads.c|s/b->roll_centre\[i\] = axle->roll_centre_height/b->roll_centre[1 - i] = axle->roll_centre_height/|the roll centres are swapped
figures|model.c|s/m->downforce\[VD_FRONT\] = pressure \* aero->downforce_front/m->downforce[VD_FRONT] = pressure * aero->downforce_rear/|the front downforce is the rear's
figures|single_track.c|s/lanes->brake_share\[i\] = i == VD_FRONT/lanes->brake_share[i] = i != VD_FRONT/|the brake bias is the wrong way round
figures|planar.c|s/return power > d->max_power ? d->max_power/return power > d->max_power ? 1.1 * d->max_power/|a tenth more than the power limit
figures|model.c|s/max_torque \* vehicle->drivetrain.ratio/max_torque * 1.1 * vehicle->drivetrain.ratio/|a tenth too much torque
figures|model.c|s/guard\[i\] = e->brake_capacity\[i\] - fabs/guard[i] = 2.0 * e->brake_capacity[i] - fabs/|a locked wheel is let go too late
figures|model.c|s/s->x\[VD_S_SPEED_HOLD\] = running/s->x[VD_S_SPEED_HOLD] = 0.0 * running/|the speed controller starts without feed-forward
figures|model.c|s/return 0.5 \* step \* fmax/return 0.1 * step * fmax/|the slip floor is a fifth
figures|kinematic.c|s/applied - 0.5 \* v.mass_slope/applied + 0.5 * v.mass_slope/|L0: the steering term of ax has a wrong sign
figures|kinematic.c|s/ + curvature_rate \* e->vx;/;/|L0: the steering rate is missing from the yaw acceleration
figures|kinematic.c|s/double rolling_force -= lanes//;s/e->ay = b \* e->yaw_accel + /e->ay = /|L0: ay of the rear axle
figures|ground.c|s/{-q \* p \/ (n \* a), (1.0 + p \* p) \/ (n \* a), q \/ (n \* a)}/{-q * p \/ (n * a), (1.0 + p * p) \/ (n * a), -q \/ (n * a)}/|gravity on a bank pulls uphill
figures|model.c|s/forward\[k\] = cp \* ahead - sp/forward[k] = cp * ahead + sp/;s/e->pitch = asin/e->pitch = -asin/|pitch has a wrong sign
figures|model.c|s/ + height \* g->normal\[k\];/;/|the height of the centre of gravity is missing
figures|single_track.c|s/lanes->rolling\[i\] = axle/lanes->rolling[i] = 0.5 * axle/|half the rolling resistance
tyre|tyre_mf96.c|s/slide->trail = def->pneumatic_trail \/ sqrt(1.0 + u \* u)/slide->trail = def->pneumatic_trail/|the trail does not fall
tyre|tyre_impl.h|s/double ux = x \/ half_x, uy = y \/ half_y/double ux = x, uy = y/|the turning force leaves the friction ellipse
END

echo "1..$(wc -l <"$work/list")"
compile() { "$cc" -std=c17 -O1 -ffp-contract=off -D_POSIX_C_SOURCE=200809L '-DVDSIM_VERSION="test"' -Itests -c "$@"; }

# Everything is compiled once; a mutant compiles anew only the broken file, or all of lib for a header.
mkdir "$work/objects"
for source in lib/*.c tests/tap.c tests/scene.c; do
  compile -Ilib "$source" -o "$work/objects/$(basename "$source" .c).o" || exit 1
done
cut -d'|' -f1 "$work/list" | sort -u >"$work/tests"
while read -r test; do
  compile -Ilib "tests/$test.c" -o "$work/$test.o" || exit 1
done <"$work/tests"

build() { # broken file, test -> executable of that name
  rm -rf "$work/mixed"
  cp -r "$work/objects" "$work/mixed"
  case $1 in
  *.h) changed='*.c' ;;
  *) changed=$1 ;;
  esac
  # shellcheck disable=SC2231 # a pattern on purpose
  for source in "$work"/mutant/$changed; do
    compile -I"$work/mutant" "$source" -o "$work/mixed/$(basename "$source" .c).o" || return 1
  done
  "$cc" "$work"/mixed/*.o "$work/$2.o" -lyaml -lcsv -lgsl -lgslcblas -lm -o "$work/$2"
}

n=0
while IFS='|' read -r test file edit what; do
  n=$((n + 1))
  rm -rf "$work/mutant"
  cp -r lib "$work/mutant"
  sed "$edit" "lib/$file" >"$work/mutant/$file"
  if cmp -s "lib/$file" "$work/mutant/$file"; then
    echo "not ok $n - the edit of $file no longer finds its place: $what"
  elif ! build "$file" "$test" >"$work/errors" 2>&1; then
    echo "not ok $n - the mutant does not build: $what"
    sed 's/^/# /' "$work/errors"
  elif "$work/$test" >/dev/null 2>&1; then
    echo "not ok $n - $test does not notice: $what"
  else
    echo "ok $n - $test notices: $what"
  fi
done <"$work/list"
