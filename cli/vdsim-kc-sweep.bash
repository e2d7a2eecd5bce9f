# shellcheck shell=bash
# Completion of vdsim-kc-sweep for bash: options, their words, keys and choices of --set, suspension files.
# Words come from the program itself, so they are always those of the version at hand.

# Keeps the candidates on standard input that begin with $1.
_vdsim_kc_sweep_take() {
  local line
  while IFS= read -r line; do
    [[ $line == "$1"* ]] && COMPREPLY+=("$line")
  done
}

# Keys, one segment at a time: `wheel.` before `wheel.center=`.
_vdsim_kc_sweep_keys() {
  compopt -o nospace 2>/dev/null
  _vdsim_kc_sweep_take "$2" < <("$1" '--list-keys=*' 2>/dev/null | awk -F '\t' -v begin="$2" '
    index($1, begin) != 1 { next }
    {
      rest = substr($1, length(begin) + 1)
      dot = index(rest, ".")
      if (dot) word = begin substr(rest, 1, dot)
      else if ($2 == "mapping") next
      else word = $1 "="
      if (!(word in seen)) { seen[word] = 1; print word }
    }')
}

# What a key may be set to, if it is one of a few words. $3 goes before each: the key itself where bash does not split there.
_vdsim_kc_sweep_choices() {
  _vdsim_kc_sweep_take "$3$4" < <("$1" '--list-keys=*' 2>/dev/null | awk -F '\t' -v key="$2" -v before="$3" '
    $1 == key && $2 == "choice" { n = split($4, word, "|"); for (i = 1; i <= n; i++) print before word[i] }
    $1 == key && $2 == "flag" { print before "true"; print before "false" }' | sort -u)
}

# The last of a list of sweeps; the ones before it stay.
_vdsim_kc_sweep_sweeps() {
  local before="" word
  [[ $1 == *,* ]] && before=${1%,*},
  compopt -o nospace 2>/dev/null
  _vdsim_kc_sweep_take "$1" < <(for word in travel rack grid fx fy mz fz fx_centre all; do echo "$before$word"; done)
}

# Blocks of keys, as --list-keys= takes them.
_vdsim_kc_sweep_blocks() {
  _vdsim_kc_sweep_take "$2" < <("$1" --list-keys 2>/dev/null | awk -F '\t' '{ sub(/[.[].*/, "", $1); if (!seen[$1]++) print $1 }')
}

_vdsim_kc_sweep_files() {
  local line
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(compgen -f -X '!*.yaml' -- "$1"; compgen -f -X '!*.yml' -- "$1"; compgen -d -- "$1")
}

_vdsim_kc_sweep_options() {
  _vdsim_kc_sweep_take "$2" < <("$1" --help 2>/dev/null | awk '
    $1 ~ /^-/ { for (i = 1; i <= 2 && $i ~ /^-/; i++) { sub(/,$/, "", $i); sub(/\[.*/, "", $i); print $i } }')
}

_vdsim_kc_sweep() {
  local program=$1 current=$2 option=$3 key="" i
  COMPREPLY=()
  # bash makes words of their own of `=`: --set KEY = VALUE, and --sweep = LIST for --sweep=LIST
  [[ $current == "=" ]] && current=""
  i=$COMP_CWORD
  if [[ ${COMP_WORDS[i]} == "=" ]]; then
    option=${COMP_WORDS[i - 1]}
  elif ((i > 1)) && [[ ${COMP_WORDS[i - 1]} == "=" ]]; then
    i=$((i - 1))
    option=${COMP_WORDS[i - 1]}
  fi
  if [[ ${COMP_WORDS[i]} == "=" ]] && [[ $option != -* ]]; then
    key=$option
    ((i > 1)) && option=${COMP_WORDS[i - 2]}
    [[ $option == "=" ]] && ((i > 2)) && option=${COMP_WORDS[i - 3]}
    [[ $option == --set ]] && _vdsim_kc_sweep_choices "$program" "$key" "" "$current"
    return
  fi
  if [[ ${COMP_WORDS[i]} == "=" && $option == --list-keys ]]; then
    _vdsim_kc_sweep_blocks "$program" "$current"
    return
  fi
  case $option in
    --set)
      if [[ $current == *=* ]]; then # where `=` does not split
        _vdsim_kc_sweep_choices "$program" "${current%%=*}" "${current%%=*}=" "${current#*=}"
      else
        _vdsim_kc_sweep_keys "$program" "$current"
      fi
      ;;
    --sweep) _vdsim_kc_sweep_sweeps "$current" ;;
    --mode) _vdsim_kc_sweep_take "$current" < <(printf '%s\n' parallel opposite) ;;
    --hold) _vdsim_kc_sweep_take "$current" < <(printf '%s\n' auto centre ground free) ;;
    --side) _vdsim_kc_sweep_take "$current" < <(printf '%s\n' left right both) ;;
    -o | --output | --metrics | --report | --reference)
      compopt -o filenames 2>/dev/null
      _vdsim_kc_sweep_take "$current" < <(compgen -f -- "$current")
      ;;
    --travel | --rack | --fx | --fy | --mz | --fz | --fx-centre) ;;
    *)
      if [[ $current == -* ]]; then
        _vdsim_kc_sweep_options "$program" "$current"
      else
        _vdsim_kc_sweep_files "$current"
      fi
      ;;
  esac
}

complete -F _vdsim_kc_sweep vdsim-kc-sweep
