#!/bin/sh
# Features by level: every level computes each feature, or a message gives the reason why it does not. A row has the
# settings of a feature, the levels that compute it, and the error or warning of the other levels.
# Usage: tests/cli/levels.sh VDSIM-RUN
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 29

# Prints the settings of a level; L5 has variants by the suspension of the wheels. 5s: linkages on stiff links.
settings_of() { # LEVEL
  case $1 in
    5h) echo "--set run.level=L5 --set run.unsprung=hub" ;;
    5t) echo "--set run.level=L5 --set run.unsprung=strut" ;;
    5l) echo "--set run.level=L5 --set run.unsprung=linkage" ;;
    5s) echo "--set run.level=L5 --set run.unsprung=linkage --set run.links=stiff" ;;
    *) echo "--set run.level=L$1" ;;
  esac
}

car() { # NAME
  printf 'vehicle: %s/scenarios/vehicles/%s.yaml\nrun: {duration: 0.1 s}\ninitial: {speed: 20 m/s}\n' "$top" "$1" \
    >"$work/car.yaml"
}

feature() { # NAME LEVELS WORDS SETTING...
  name=$1 able=$2 words=$3
  shift 3
  : >"$work/wrong"
  for level in 0 1 2 3 4 5h 5t 5l 5s; do
    # shellcheck disable=SC2046
    "$exe" --check $(settings_of $level) "$@" "$work/car.yaml" >"$work/out" 2>"$work/err"
    status=$?
    case " $able " in
      *" $level "*) [ $status -eq 0 ] && ! grep -q "$words" "$work/err" ;;
      *) grep -q -e "error: .*$words" -e "warning: .*$words" "$work/err" ;;
    esac || { echo "at $level:"; cat "$work/err"; } >>"$work/wrong"
  done
  [ ! -s "$work/wrong" ]
  check "$name: L$(echo "$able" | sed 's/ /, L/g'); the other levels give a reason" "$work/wrong"
}

all="0 1 2 3 4 5h 5t 5l 5s" forces="1 2 3 4 5h 5t 5l 5s"
car sedan_hardpoints
feature "loads at places" "$all" "load" --set 'vehicle.loads=[{mass: 80 kg, at: [-1, 0.4, 0.5]}]'
feature "a variable ratio" "$all" "ratio" --set 'vehicle.steering.ratio_curve=[[0, 1], [3, 0.8]]'
feature "steering by torque" "$forces" "no tyre forces" --set 'vehicle.steering.column={}' --set steering_torque=0.5
feature "wind" "$all" "wind" --set 'wind={speed: 10 m/s, direction: 90 deg}'
feature "aero maps over yaw" "$all" "map" --set 'vehicle.aero.side_map=[[0, 0], [1, 1]]'
feature "a force from outside" "$all" "push" --set push_y=300
feature "drawbar pull" "$all" "drawbar" --set drawbar=300 --set 'vehicle.hitch={at: [-3.5, 0, 0.4]}'
feature "requests" "$all" "request" --set brake_request_fl=100 --set drive_request_rl=50 --set pressure_request_rr=0.1
feature "a prescribed speed" "$forces" "needs forces, which level L0 does not have" --set prescribed_speed=20
feature "a prescribed heading" "$forces" "needs forces, which level L0 does not have" --set prescribed_yaw=0
feature "a measured road" "3 4 5h 5t 5l 5s" "the ground is a plane" \
  --set "ground={type: crg, file: $top/scenarios/road/measured_road.crg}"
feature "compliance, linear" "4" \
  "ompliance has no effect: it is for level L4\|linear compliance is for level L4" --set run.compliance=linear
feature "compliance, nonlinear" "4 5l" \
  "ompliance has no effect: it is for\|nonlinear compliance is for" --set run.compliance=nonlinear
feature "rear steering of trailing arms" "1 2 3 5h 5t" "has only front steering\|no tie rod" \
  --set 'vehicle.steering.rear={gain: [[0, -0.2], [30, 0.1]]}'
car sports_hardpoints
feature "rear steering by a rack" "$forces" "has only front steering" \
  --set 'vehicle.steering.rear={gain: [[0, -0.2], [30, 0.1]]}' \
  --set "vehicle.rear.linkage={base: $top/scenarios/suspensions/5link_rear_sports.yaml, \
wheel: {static_radius: 0.33 m}, steering: rack}"
car sedan_link_masses
feature "masses of links" "0 1 2 3 4 5h 5t 5l" "stiff links carry wheels"
car sports_tables
feature "tables of the wheels' paths with linkages beside them" "$all" "tables"

# Channels: a quantity that a level does not have is missing.
car sedan_hardpoints
logged() { # CHANNEL LEVELS
  name=$1 able=$2
  : >"$work/wrong"
  for level in 0 1 2 3 4 5h 5t 5l 5s; do
    # shellcheck disable=SC2046
    "$exe" --check $(settings_of $level) -c "$name" "$work/car.yaml" >"$work/out" 2>"$work/err"
    status=$?
    case " $able " in
      *" $level "*) [ $status -eq 0 ] ;;
      *) [ $status -eq 2 ] && grep -q "no channel '$name' at level" "$work/err" ;;
    esac || { echo "at $level:"; cat "$work/err"; } >>"$work/wrong"
  done
  [ ! -s "$work/wrong" ]
  check "channel $name: L$(echo "$able" | sed 's/ /, L/g')" "$work/wrong"
}
logged toe_fl_rad "2 3 4 5h 5t 5l 5s"
logged camber_fl_rad "3 4 5h 5t 5l 5s"
logged linkage_camber_fl_rad "4 5h 5t 5l 5s"
logged inclination_fl_rad "3 4 5h 5t 5l 5s"
logged gyro_x_radps "3 4 5h 5t 5l 5s"
logged body_ax_mps2 "3 4 5h 5t 5l 5s"
logged road_yaw_rate_radps "5h 5t 5l 5s"
logged travel_fl_m "3 4 5h 5t 5l 5s"
logged rear_rack_m "4 5h 5t 5l 5s"
logged rear_rack_force_N "4 5h 5t 5l 5s"

# Camber is positive with the top outward, on both sides: if the body rolls to the right, the tops of the left wheels
# move inward and the tops of the right wheels outward.
run --set run.level=L4 --set run.duration=3 --set 'steering_wheel={type: step, start: 0.2 s, value: 0.3}' --rate 1 \
  -c 'camber_r?_rad,roll_rad' "$work/car.yaml"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { row = $0 }
  END { split(row, v, ",");
    exit !(v[at["roll_rad"]] > 0.01 && v[at["camber_rl_rad"]] < -0.01 && v[at["camber_rr_rad"]] > 0.01) }' "$work/out"
check "in a turn to the left the top of the outer rear wheel leans outward, the top of the inner one inward"

# With these inputs, errors of the wheel loads moved an angle by 5e-10 rad in every iteration at t = 9.71 s.
run -q --set run.level=L2 --set 'auto=[]' --set events.0.steering_wheel.value=0.67932323 \
  --set events.0.brake.value=0.24019305848771128 --metrics "$work/out" scenarios/handling/braking_in_turn.yaml
[ $status -eq 0 ] && [ ! -s "$work/err" ]
check "L2 finds wheel loads and angles of bushings that agree at every step of a braking in a turn"

all_well
