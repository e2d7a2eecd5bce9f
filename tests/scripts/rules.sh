#!/bin/sh
# scripts/check passes a small tree without faults; every rule finds the faults that this test then makes in the tree.
# Usage: tests/scripts/rules.sh VDSIM-RUN    (its path is not needed)
# Writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

rules=$(sh scripts/check -l)
# shellcheck disable=SC2086 # a list of words
set -- $rules
plan $((5 + $#))
tree=$work/tree
mkdir -p "$tree"
for folder in base input model vehicle; do mkdir -p "$tree/lib/$folder"; done
for folder in base fuzz scripts; do mkdir -p "$tree/tests/$folder"; done
mkdir "$tree/scripts" "$tree/man" "$tree/validation"
cp scripts/check scripts/check.py scripts/mutants.py "$tree/scripts"
cp .clang-format "$tree"
cd "$tree" || exit 2
put() { cat >"$1"; } # FILE

# --- a tree without faults

put lib/meson.build <<END
core = files('base/sum.h', 'base/sum.c', # 'base/none.c'
  'input/schema.h', 'vehicle/car_def.h', 'model/car.h', 'model/car.c')
END
put lib/base/sum.h <<END
#include <stddef.h>

/* cos(x) and vd_car_mass(car) stand in comments; so do a * and "a quote. */
typedef struct vd_pair {
  double x, y;
} vd_pair;

double vd_sum(vd_pair pair);
END
put lib/base/sum.c <<END
#include "base/sum.h"

double vd_sum(vd_pair pair) {
  const char *name = "sin(vd_car_mass(x)) /*";
  return name[0] == '"' ? vd_sin(pair.x) : pair.x - pair.y; /* " */
}
END
echo 'typedef struct vd_schema vd_schema;' >lib/input/schema.h
printf '#include "input/schema.h"\n\nextern const vd_schema vd_car_schema;\n' >lib/vehicle/car_def.h
printf '#include <stddef.h>\n\ndouble vd_car_mass(size_t parts);\n' >lib/model/car.h
put lib/model/car.c <<END
#include "model/car.h"

#include "base/sum.h"

double vd_car_mass(size_t parts) {
  return -10.0 * (double)parts - vd_sum((vd_pair){.x = 1.0});
}
END
echo "c_tests = ['base/sum']" >tests/meson.build
printf '#include "base/sum.h"\n\nint main(void) {\n  return 0;\n}\n' | tee tests/base/sum.c >tests/fuzz/sum.c
put man/car.1 <<END
.Dd January 1, 2026
.Dt CAR 1
.Os
.Sh NAME
.Nm car
.Nd moves
END
put man/vdsim-models.7 <<END
.Dd January 1, 2026
.Dt VDSIM-MODELS 7
.Os
.Sh NAME
.Nm vdsim-models
.Nd theory
.Sh 1. MOTION
.Bl -tag -width Ds
.It (1.1)
.EQ
x ~=~ v ~ t
.EN
A car moves.
.Pa lib/model/car.c ;
.Pa validation/car.yaml :
\(lqA car
moves ahead.\(rq;
.Pa tests/base/sum.c :
\(lqbase/sum.h\(rq.
.El
.Sh 2. REST
It follows from (1.1).
END
# shellcheck disable=SC2016 # Markdown
echo 'See `lib/base/sum.c`, `car.h` and `*_def.h`.' | tee README.md ARCHITECTURE.md >CONTRIBUTING.md
printf 'claims:\n  - claim: "A car moves ahead."\n' >validation/car.yaml
printf '#!/bin/sh\necho "$#"\n' >scripts/tool
chmod +x scripts/tool
: >tests/mutants.tsv
python3 scripts/mutants.py redraw sign=2 >"$work/out" 2>&1
[ "$(grep -c '^model/car.c|' tests/mutants.tsv)" -eq 2 ] && scripts/check >"$work/out" 2>&1 &&
  [ "$(grep -c '^ok  \|^skipped' "$work/out")" -eq $# ]
check "no rule finds a fault in a tree without faults"

# --- faults

wide='vd_wide vd_half(vd_wide x)'
put lib/meson.build <<END
core = files('base/sum.h', 'base/sum.c', 'base/gone.c', 'input/schema.h', 'vehicle/car_def.h', 'model/car.h',
  'model/car.c', 'base/late.h', 'base/later.c')
END
put lib/base/sum.c <<END
#include "base/sum.h"

#include "base/none.h"
#include "model/car.h"
#include <stdio.h>

double vd_sum(vd_pair pair) {
  return vd_car_mass(1) + pair.x * cos(pair.y);
}

$wide {
  return x;
}

VD_WIDE static double left(void) {
  return 1.0;
}
END
echo 'double vd_stray(void);' >lib/base/stray.c
printf 'typedef struct vd_pair {\n  size_t x;\n} vd_couple;\n' >lib/base/late.h
printf '#include "vehicle/car_def.h"\n\ndouble vd_car_mass(int parts);\n' >lib/model/car.h
put tests/meson.build <<END
c_tests = [
  'base/sum', # 'base/new'
  'base/lost']
END
echo 'int  main(void) { return 0; }' | tee tests/base/new.c >tests/fuzz/sum.c
printf '#!/bin/sh\n: "\n' >tests/scripts/sum.sh
chmod +x tests/scripts/sum.sh
echo 'double x = y;' >>tests/fuzz/sum.c
sed 's/vd_car_mass/vd_car_weight/' tests/mutants.tsv | head -n 2 >"$work/moved"
mv "$work/moved" tests/mutants.tsv
echo '.Xx' >>man/car.1
put man/vdsim-models.7 <<END
.Sh 1. MOTION
.It (1.1)
.EQ
x ~=~ v ~ t
.EN
.Pa lib/model/car.c ;
.Pa validation/car.yaml :
\(lqA car moves ahead.\(rq.
.It (1.3)
As (1.2).
.Pa lib/model/lost.c ;
.Pa tests/base/lost.c :
\(lqit moves\(rq.
.Sh 3. REST
END
user=root
printf 'a\tb\nends \nends\r\n/%s/me\nlast' $user >notes
mkdir -p tests/bad
cp notes tests/bad/notes.yaml
# shellcheck disable=SC2016 # Markdown
printf '\n`lib/base/none.c`, `scripts/none`, `none.h`\n' >>README.md
printf '/* %0118d */\n/* %0114d */\n' 0 0 >>tests/base/sum.c
put tests/base/worst.h <<END
#include <math.h>

static inline double vd_worst(double most, double x) {
  if (!(x <= most))
    most = x;
  return most = fmax(most, x);
}
END
printf "#!/bin/sh\necho \$1\n" >scripts/tool
chmod -x scripts/tool
put validation/car.yaml <<END
claims:
  - claim: but it moves
  - claim: "And a car moves."
  - claim: It moves and turns.
  - claim: \$each moves and turns.
END

# The findings of each rule, each as a part of a line. The rule must print no other lines, except for rules that run
# other programs.
put "$work/expected" <<END
includes lib/meson.build: there is no lib/base/gone.c
includes lib/meson.build: there is no lib/base/later.c
includes lib/meson.build: base/late.h is not listed with the other files of its folder
includes lib/base/stray.c is not listed in lib/meson.build
includes lib/base/sum.c:3: there is no lib/base/none.h
includes lib/base/sum.c:4: model/car.h stands behind base/sum.c in lib/meson.build
includes lib/base/sum.c:5: <stdio.h> is not for this file
physics lib/model/car.c reaches model/car.c > model/car.h > vehicle/car_def.h > input/schema.h
physics lib/model/car.h reaches model/car.h > vehicle/car_def.h > input/schema.h
libm lib/base/sum.c:8: cos(...)
wide lib/base/sum.c:11: passes a wide vector, but is not VD_INLINE
wide lib/base/sum.c:15: a function that is chosen at the start is not static
calls lib/base/sum.c calls in a circle lib/model/car.c: vd_car_mass
calls lib/model/car.c calls in a circle lib/base/sum.c: vd_sum
types lib/base/sum.h:4: the type vd_pair is defined in lib/base/late.h:1, too
headers lib/base/late.h does not compile alone with gcc
headers tests/fuzz/sum.c does not compile with gcc
man mandoc: man/car.1:7:
equations man/vdsim-models.7:2: equation (1.1) names a title that validation/car.yaml lacks: A car moves ahead.
equations man/vdsim-models.7:9: equation (1.3) is not (1.2)
equations man/vdsim-models.7:9: equation (1.3) has no .EQ and .EN
equations man/vdsim-models.7:9: equation (1.3) names lib/model/lost.c, which is not there
equations man/vdsim-models.7:9: equation (1.3) names tests/base/lost.c, which is not there
equations man/vdsim-models.7:10: there is no equation (1.2)
equations man/vdsim-models.7:14: chapter 3 follows 1
format tests/base/new.c:1: should be clang-formatted
format tests/fuzz/sum.c:1: should be clang-formatted
tests tests/base/new.c: not in tests/meson.build
tests tests/scripts/sum.sh: not in tests/meson.build
tests tests/meson.build: there is no test 'base/lost'
tests tests/base/sum, tests/scripts/sum: two tests of one name
mutants tests/mutants.tsv: model/car.c vd_car_weight sign
text notes:1: tab
text notes:2: blank at the end
text notes:3: carriage return
text notes: no newline at the end
paths notes:4:/$user/me
paths tests/bad/notes.yaml:4:/$user/me
docs README.md:3: there is no lib/base/none.c
docs README.md:3: there is no scripts/none
docs README.md:3: there is no none.h in lib/
columns tests/base/sum.c:6: 124 columns
worst tests/base/worst.h:4: if (!(x <= most)) most =: use tap_max or tap_min
worst tests/base/worst.h:6: most = fmax(most,: use tap_max or tap_min
scripts scripts/tool is not executable
scripts tests/scripts/sum.sh: 3:
claims validation/car.yaml:2: the claim does not begin with a capital letter
claims validation/car.yaml:2: the claim has fewer than four words
claims validation/car.yaml:3: the claim begins with a conjunction
claims validation/car.yaml:4: the claim does not name its subject
END
scripts/check >"$work/messages" 2>"$work/err"
status=$?
[ $status -eq 1 ] && [ ! -s "$work/err" ]
check "scripts/check ends with status 1 if a rule finds a fault" "$work/err"
for rule in $rules; do
  sed -n "/^[a-zA-Z]* *$rule\(:\|\$\)/,/^[a-zA-Z]/p" "$work/messages" | sed '1b; /^        /!d' >"$work/out"
  if grep -q "^skipped $rule:" "$work/out"; then
    skip "$rule finds its faults" "a program is missing"
    continue
  fi
  sed -n "s/^$rule //p" "$work/expected" >"$work/wanted"
  wanted=$(grep -c . "$work/wanted")
  while IFS= read -r line; do grep -qF "        $line" "$work/out" || echo "not found: $line"; done \
    <"$work/wanted" >"$work/err"
  [ "$wanted" -gt 0 ] && [ ! -s "$work/err" ] && case $rule in
    headers | man | scripts) grep -q "^FAILED  $rule: " "$work/out" ;;
    *) grep -qx "FAILED  $rule: $wanted found" "$work/out" ;;
  esac
  check "$rule finds its faults"
done

# With a sample, files that the commit changes are always judged, and each other file for some samples.
if command -v git >/dev/null; then
  commit() { git add -A && git -c user.name=a -c user.email=a@example.org commit -q -m "$1"; }
  echo 'nowhere x;' >lib/base/changed.h
  git init -q . && commit one && echo >>lib/base/changed.h && commit two
  for sample in 1 2 3 4 5 6 7 8 9 10; do
    VDSIM_SAMPLE=$sample scripts/check headers 2>"$work/err" |
      sed -n 's|^ *\([^ ]*\) does not compile alone with gcc$|\1|p'
  done | sort | uniq -c | tr -s ' ' >"$work/out"
  grep -qx ' 10 lib/base/changed.h' "$work/out" && grep -q ' [1-9] lib/base/late.h' "$work/out"
  check "with a sample, the files of the commit are always judged, and others for some samples" "$work/out" "$work/err"
else
  skip "with a sample, the files of the commit are always judged, and others for some samples" "no git"
fi

rm lib/meson.build
scripts/check --tap includes wide >"$work/out" 2>"$work/err"
[ $? -eq 1 ] && grep -qx '1\.\.2' "$work/out" && grep -q '^not ok 1 - includes: ' "$work/out" &&
  grep -qx '# the check itself failed' "$work/out" && grep -q '^not ok 2 - wide: 2 found$' "$work/out"
check "a rule that cannot run its check fails"
scripts/check none >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -qx "check: unknown check 'none'" "$work/err"
check "an unknown rule is refused with status 2"
cd "$top" || exit 2
all_well
