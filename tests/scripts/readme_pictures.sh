#!/bin/sh
# The pictures of README.md: it begins with a picture and shows five, which agree with the pictures that
# scripts/update-pictures draws now. An outdated picture is found, also if another version of rsvg-convert drew it.
# Usage: tests/scripts/readme_pictures.sh VDSIM-RUN
# Reads README.md, man/pictures and scenarios/; writes a temporary folder. Skipped without rsvg-convert or python3.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"
command -v rsvg-convert >/dev/null || { echo "1..0 # SKIP no rsvg-convert"; exit 0; }
need_python

plan 7
sed -n -e '/^#/d' -e '/^$/d' -e p -e q README.md | grep -q '^!\[[^]]*\](man/pictures/[a-z_]*\.png)$'
check "the README begins with a picture"
grep -o '!\[[^]]*\]([^)]*)' README.md | sed 's|.*(man/pictures/\(.*\))$|\1|' | sort >"$work/shown"
(cd man/pictures && printf '%s\n' *) >"$work/kept"
[ "$(wc -l <"$work/shown")" -eq 5 ] && cmp "$work/shown" "$work/kept" >"$work/out" 2>&1
check "the README shows the five pictures of man/pictures"
if drawn 2 4; then
  scripts/update-pictures --check "$exe" >"$work/out" 2>"$work/err"
  check "the pictures of man/pictures agree with the pictures that the script draws now"
else
  skip "the pictures of man/pictures agree with the pictures that the script draws now" "one commit of four draws them"
fi

# Makes small pictures of a step at 90 km/h (one) and at 100 km/h (two).
plain() { # NAME...: draws the present log
  for name; do
    "$(dirname "$exe")/vdsim-plot" --plain -s 400x300 -o "$work/$name.png" -t step --ylim=0:10,0:0.6 yaw_rate ay \
      "$work/step_steer.csv" || exit 2
  done
}
"$exe" -q -o "$work" --set initial.speed='90 km/h' --set speed='90 km/h' scenarios/iso/step_steer.yaml || exit 2
plain slow old
"$exe" -q -o "$work" scenarios/iso/step_steer.yaml || exit 2
plain fast again
small() { python3 scripts/small-png.py "$@" >"$work/out" 2>"$work/err"; }
small one "$work/fast.png" "$work/old.png" && ! small --same "$work/fast.png" "$work/old.png" &&
  grep -q 'fast.png: it is another picture' "$work/err"
check "a picture of another run is found"
small two "$work/slow.png" "$work/again.png" && ! small --same "$work/fast.png" "$work/slow.png" &&
  grep -q 'points of its lines lie elsewhere' "$work/err"
check "a picture of another run is found by its lines, if another program drew it and letters may differ"
small --same "$work/fast.png" "$work/again.png"
check "pictures with equal lines count as equal, whichever program drew them"
! small --same man/pictures/step.png man/pictures/handling.png && grep -q 'its size is' "$work/err"
check "a picture of another size is found"
all_well
