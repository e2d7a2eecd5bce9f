#!/bin/sh
# scripts/bench: the errors it finds; --compare: its options, its table, and what it leaves behind. Builds and times are those
# of stubs, so that the figures are known: the commit needs 200 ns a step and the work tree 100.
# Usage: tests/scripts/bench.sh BENCH
# Writes a temporary folder.
set -u

# shellcheck source=tests/common/tap.sh
. "$(dirname "$0")/../common/tap.sh"

plan 13
# the errors are real ones
figures() { # STEP
  "$exe" precision L3 mf96 "$1" 2>/dev/null
}
coarse=$(figures '4 ms') && fine=$(figures '2 ms')
# of fourth order: 16 times less
printf '%s %s\n' "${coarse% *}" "${fine% *}" | awk '{ ratio = $1/$2; exit !(ratio > 14 && ratio < 18) }'
check "half the step has a sixteenth of the error: $coarse, $fine"
! figures '1 s' >"$work/out"
check "a step that is refused has no figures"
if ! command -v git >/dev/null 2>&1; then
  for i in 1 2 3 4 5 6 7 8 9 10 11; do skip "bench $i" "no git"; done
  exit
fi

mkdir -p "$work/repo/scripts" "$work/bin" "$work/tmp"
cp scripts/bench "$work/repo/scripts/bench"
cd "$work/repo" || exit 2
git init -q . && git -c user.name=a -c user.email=a@example.org commit -q --allow-empty -m first
TMPDIR=$work/tmp STUBS=$work
export TMPDIR STUBS

# what is built knows which of the two it is; its steps move the clock
cat >"$work/bin/meson" <<'END'
#!/bin/sh
mkdir -p "$2/tests"
[ "$3" = . ] && name='after 100' || name='before 200'
cat >"$2/tests/bench" <<INNER
#!/bin/sh
set -- $name "\$@"
[ "\$3" != L1 ] || exit 2
[ ! -e "\$STUBS/wait" ] || sleep 1
[ "\$5" != 22000 ] || echo "\$1 \$3 \$4" >>"\$STUBS/calls"
echo \$((\$(cat "\$STUBS/clock") + \$2 * \$5 + 1000)) >"\$STUBS/clock"
INNER
chmod +x "$2/tests/bench"
END
printf '#!/bin/sh\nexit 0\n' >"$work/bin/ninja"
printf '#!/bin/sh\ncat "%s"\n' "$work/clock" >"$work/bin/date"
chmod +x "$work"/bin/*
echo 0 >"$work/clock"
PATH=$work/bin:$PATH

clean() {
  [ "$(git worktree list | wc -l)" -eq 1 ] && [ -z "$(ls -A "$work/tmp")" ]
}
refused() { # TEXT ARGUMENTS...
  text=$1
  shift
  sh scripts/bench "$@" >"$work/out" 2>"$work/err" </dev/null
  [ $? -eq 2 ] && grep -q -e "$text" "$work/err" && [ ! -s "$work/out" ]
}

sh scripts/bench --help >"$work/out" 2>"$work/err" && grep -q '^Usage: scripts/bench' "$work/out" && grep -q -e '--compare COMMIT' "$work/out"
check "--help shows how it is used"
refused 'unknown argument --fast' --fast
check "an unknown option is refused"
refused -- '--compare needs a value' --compare
check "--compare needs a commit"
refused 'no commit nothing' --compare nothing && clean
check "a commit that does not exist is refused"
refused '--rounds is a whole number' --compare HEAD --rounds 0
check "no rounds are refused"
refused 'belongs to --compare' --only 'L3 *'
check "--only by itself is refused"
refused 'one of them' --compare HEAD --precision
check "two things at once are refused"

: >"$work/calls"
sh scripts/bench --compare HEAD --only 'L[13] m*' --rounds 3 >"$work/out" 2>"$work/err" </dev/null
status=$?
printf '%s\n' 'L1 mf96 absent' 'L1 mf61 absent' 'L3 mf96 200 100 0.500 0.500 .. 0.500' 'L3 mf61 200 100 0.500 0.500 .. 0.500' >"$work/wanted"
sed '1d; s/  */ /g' "$work/out" >"$work/got"
[ $status -eq 0 ] && cmp -s "$work/wanted" "$work/got"
check "the rows that match, their costs and ratios; a row that the commit does not have" "$work/out" "$work/err"
[ "$(awk '$2 " " $3 == "L3 mf96" { print $1 }' "$work/calls" | tr '\n' ' ')" = 'before after after before before after ' ]
check "the runs of both alternate" "$work/calls"
clean
check "neither a folder nor a worktree is left"

: >"$work/wait"
sh scripts/bench --compare HEAD --only 'L3 mf96' >/dev/null 2>&1 </dev/null &
pid=$!
while [ -z "$(ls -A "$work/tmp")" ]; do sleep 0.1; done
kill -TERM $pid
wait $pid
[ $? -eq 143 ] && clean
check "nor when a signal ends it"
