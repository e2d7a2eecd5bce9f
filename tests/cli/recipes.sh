#!/bin/sh
# Recipes of vdsim-study(5) for engines that run the shards of a study: run as printed, they give the bytes of a single
# run, although a shard is killed at its first try. For engines that are not installed only the syntax is checked.
# Usage: tests/cli/recipes.sh VDSIM-RUN
# Reads man/ and scenarios/; writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 15
for recipe in parallel make kubernetes htcondor; do
  awk -v wanted=$recipe '
    /^\.\\" recipe: / { mine = $3 == wanted }
    /^\.Ed/ { if (block && mine) exit; block = 0 }
    block && mine { gsub(/\\e/, "\\"); print }
    /^\.Bd/ { block = 1 }' man/vdsim-study.5 >"$work/$recipe"
done
[ -s "$work/parallel" ] && [ -s "$work/make" ] && [ -s "$work/kubernetes" ] && [ -s "$work/htcondor" ]
check "the manual has the four recipes"

cat >"$work/study.yaml" <<END
kind: study
scenario: $top/scenarios/road/linear_step.yaml
set: [run.level=L1, run.duration=1 s]
vary:
  - {name: mass, key: vehicle.mass, type: uniform, from: 1300, to: 1700}
  - {name: speed, key: [initial.speed, speed.value], type: uniform, from: 10, to: 30}
constraints: [{formula: mass*speed, below: 50000}]
design: {type: sobol, count: 99}
metrics: [yaw_rate_steady_radps, peak_ay_mps2]
END
"$exe" -q -o "$work/one" "$work/study.yaml"
# $work/bin/vdsim-run logs its calls, and kills itself when it gets shard 3 for the first time.
mkdir "$work/bin"
cat >"$work/bin/vdsim-run" <<END
#!/bin/sh
echo "\$*" >>calls
case "\$*" in *"--shard 3/20"*) [ -e tried ] || { : >tried; kill -KILL \$\$; } ;; esac
exec "$exe" "\$@"
END
chmod +x "$work/bin/vdsim-run"
PATH=$work/bin:$PATH

enter() { # ENGINE: a folder of its own, with the study
  mkdir "$work/$1.d" && cp "$work/study.yaml" "$work/$1.d" && cd "$work/$1.d" || exit 2
}
calls() { grep -c -e --shard calls; }
same() { cmp -s out/study.csv "$work/one/study.csv"; }

enter parallel
if parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
  sh "$work/parallel" >"$work/out" 2>"$work/err"
  [ ! -e out/study.csv ] && grep -q 'is in none of the folders' "$work/err" && [ "$(calls)" -eq 20 ]
  check "GNU parallel: one of the shards is killed, and the others are not merged"
  sh "$work/parallel" >"$work/out" 2>"$work/err" && same
  check "GNU parallel: a second run of the recipe gives the bytes of a single run"
  [ "$(calls)" -eq 21 ]
  check "GNU parallel: a second run of the recipe computes only the missing shard" calls
else
  for title in killed again missing; do skip "GNU parallel: $title" "no GNU parallel"; done
fi

enter make
if command -v make >/dev/null; then
  ! make -s -k -j 2 -f "$work/make" >"$work/out" 2>"$work/err" && [ ! -e out/study.csv ] && [ "$(calls)" -eq 20 ]
  check "make -j 2: one of the shards is killed, and the others are not merged"
  make -s -j 2 -f "$work/make" >"$work/out" 2>"$work/err" && same
  check "make: a second run of the recipe gives the bytes of a single run"
  [ "$(calls)" -eq 21 ] && make -q -f "$work/make"
  check "make: a second run of the recipe computes only the missing shard" calls
else
  for title in killed again missing; do skip "make: $title" "no make"; done
fi

# Whether a text is valid YAML: then --check reports only unknown keys.
is_yaml() { # FILE
  "$exe" --check "$1" >"$work/out" 2>&1
  grep -q "unknown key 'apiVersion'" "$work/out"
}
is_yaml "$work/kubernetes"
check "the job of Kubernetes is YAML"
sed 's/^  template:/ template:/' "$work/kubernetes" >"$work/broken"
! is_yaml "$work/broken"
check "a job of Kubernetes that is not YAML is found"
if command -v kubectl >/dev/null; then
  kubectl label --local -f "$work/kubernetes" a=b -o yaml >"$work/out" 2>"$work/err" &&
    grep -q '^ *completionMode: Indexed' "$work/out"
  check "kubectl reads it"
else
  skip "kubectl reads it" "no kubectl"
fi
enter kubernetes
: >tried
command=$(awk '/^ *- i=/ { sub(/- /, ""); on = 1 } /volumeMounts/ { on = 0 } on' "$work/kubernetes" | tr -s ' \n' ' ')
completions=$(awk '$1 == "completions:" { print $2 }' "$work/kubernetes")
index=0
while [ $index -lt "$completions" ]; do
  JOB_COMPLETION_INDEX=$index sh -c "$command" || echo "index $index failed"
  index=$((index + 1))
done >"$work/out" 2>"$work/err"
[ ! -s "$work/out" ] && "$exe" -q --merge -o out part* && same
check "the job's command gives all shards, by its indices"

# Whether a submit file has lines KEY = VALUE, and one `queue` at the end; each $(NAME) is a name of condor or of the
# list in `queue'.
is_submit_file() { # FILE
  awk '
    /^[ \t]*(#|$)/ { next }
    queued { print "after queue: " $0; bad = 1 }
    /^queue / { queued = 1; if ($0 !~ /^queue [a-z]+ from [^|]+ \|$/) { print "no list: " $0; bad = 1 }
      name = $2; next }
    !/^[A-Za-z_][A-Za-z0-9_.]* *= *[^ ]/ { print "neither a key nor queue: " $0; bad = 1; next }
    {
      key = $1
      if (seen[key]++) { print "twice: " key; bad = 1 }
      rest = $0
      while (match(rest, /\$\([^)]*\)/)) {
        used[substr(rest, RSTART + 2, RLENGTH - 3)] = 1
        rest = substr(rest, RSTART + RLENGTH)
      }
    }
    END {
      if (!queued || !seen["executable"] || !seen["arguments"]) {
        print "executable, arguments and queue are needed"; bad = 1 }
      for (u in used) if (u != name && u !~ /^(Process|Cluster)$/) { print "unknown: " u; bad = 1 }
      exit bad
    }' "$1" >"$work/out"
}
is_submit_file "$work/htcondor"
check "the submit file of HTCondor has keys, values and a queue"
sed 's/^arguments = /arguments /' "$work/htcondor" >"$work/broken" && ! is_submit_file "$work/broken" &&
  sed 's/^queue shard/queue part/' "$work/htcondor" >"$work/broken" && ! is_submit_file "$work/broken"
check "a submit file of HTCondor without keys, values or a queue is found"
if command -v condor_submit >/dev/null; then
  condor_submit -dry-run "$work/dry" "$work/htcondor" >"$work/out" 2>"$work/err"
  check "condor_submit reads it"
else
  skip "condor_submit reads it" "no condor_submit"
fi
enter htcondor
: >tried
list=$(sed -n 's/^queue shard from \(.*\) |$/\1/p' "$work/htcondor")
$list | while read -r shard; do
  # shellcheck disable=SC2046 # its arguments
  vdsim-run $(sed -n 's/^arguments = //p' "$work/htcondor" | sed "s/\$(shard)/$shard/g") || echo "shard $shard failed"
done >"$work/out" 2>"$work/err"
[ ! -s "$work/out" ] && "$exe" -q --merge -o out part* && same
check "the commands of the submit file give all shards"
all_well
