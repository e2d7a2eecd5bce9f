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
