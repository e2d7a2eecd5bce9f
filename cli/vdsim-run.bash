# shellcheck shell=bash
# Completion of vdsim-run for bash: options, keys and choices of --set, channels of -c, scenario files.
# Words come from the program itself, so they are always those of the version at hand.

# Keeps the candidates on standard input that begin with $1.
_vdsim_run_take() {
  local line
  while IFS= read -r line; do
    [[ $line == "$1"* ]] && COMPREPLY+=("$line")
  done
}

# Every path of a key, or of a number of the template on the command line.
_vdsim_run_list() {
  local kind="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == --template ]] && kind=template_${COMP_WORDS[i + 1]}.
  done
  "$1" "--list-keys=$kind*" 2>/dev/null
}

# Keys, one segment at a time: `vehicle.` before `vehicle.mass=`. The first entry of a list stands for all of them.
_vdsim_run_keys() {
  compopt -o nospace 2>/dev/null
  _vdsim_run_take "$2" < <(_vdsim_run_list "$1" | awk -F '\t' -v begin="$2" '
    { gsub(/\[\]/, ".0", $1) }
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
_vdsim_run_choices() {
  _vdsim_run_take "$3$4" < <(_vdsim_run_list "$1" | awk -F '\t' -v key="$2" -v before="$3" '
    BEGIN { gsub(/\.[0-9]+/, "[]", key) }
    $1 == key && $2 == "choice" { n = split($4, word, "|"); for (i = 1; i <= n; i++) print before word[i] }
    $1 == key && $2 == "flag" { print before "true"; print before "false" }')
}

# The last of a list of channels; the ones before it stay.
_vdsim_run_channels() {
  local before=""
  [[ $2 == *,* ]] && before=${2%,*},
  compopt -o nospace 2>/dev/null
  _vdsim_run_take "$2" < <("$1" --list-channels 2>/dev/null | awk -F '\t' -v before="$before" '{ print before $1 }')
}

_vdsim_run_sets() {
  _vdsim_run_take "$2" < <("$1" --list-metrics 2>/dev/null | cut -f 3 | uniq)
}

# Blocks of keys, as --list-keys= takes them.
_vdsim_run_blocks() {
  _vdsim_run_take "$2" < <("$1" --list-keys 2>/dev/null | awk -F '\t' '{ sub(/[.[].*/, "", $1); if (!seen[$1]++) print $1 }')
}

_vdsim_run_files() {
  local line
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(compgen -f -X '!*.yaml' -- "$1"; compgen -f -X '!*.yml' -- "$1"; compgen -d -- "$1")
}

_vdsim_run_options() {
  _vdsim_run_take "$2" < <("$1" --help 2>/dev/null | awk '
    $1 ~ /^-/ { for (i = 1; i <= 2 && $i ~ /^-/; i++) { sub(/,$/, "", $i); sub(/\[.*/, "", $i); print $i } }')
}

_vdsim_run() {
  local program=$1 current=$2 option=$3 key="" i
  COMPREPLY=()
  # bash makes words of their own of `=`: --set KEY = VALUE, and --set = KEY = VALUE for --set=KEY=VALUE
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
    [[ $option == --set ]] && _vdsim_run_choices "$program" "$key" "" "$current"
    return
  fi
  if [[ ${COMP_WORDS[i]} == "=" && $option == --list-metrics ]]; then
    _vdsim_run_sets "$program" "$current"
    return
  fi
  if [[ ${COMP_WORDS[i]} == "=" && $option == --list-keys ]]; then
    _vdsim_run_blocks "$program" "$current"
    return
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ ${COMP_WORDS[i]} == -- ]]; then
      _vdsim_run_files "$current"
      return
    fi
  done
  case $option in
    --set)
      if [[ $current == *=* ]]; then # where `=` does not split
        _vdsim_run_choices "$program" "${current%%=*}" "${current%%=*}=" "${current#*=}"
      else
        _vdsim_run_keys "$program" "$current"
      fi
      ;;
    --template)
      _vdsim_run_take "$current" < <(printf '%s\n' car tyre suspension scenario)
      ;;
    -c | --channels) _vdsim_run_channels "$program" "$current" ;;
    -o | --output | --metrics | --response)
      compopt -o filenames 2>/dev/null
      _vdsim_run_take "$current" < <(compgen -f -- "$current")
      ;;
    -j | --jobs | --rate | --at) ;;
    *)
      if [[ $current == -* ]]; then
        _vdsim_run_options "$program" "$current"
      else
        _vdsim_run_files "$current"
      fi
      ;;
  esac
}

complete -F _vdsim_run vdsim-run
