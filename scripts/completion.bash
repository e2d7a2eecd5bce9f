# shellcheck shell=bash
# Completion of vdsim-plot and the scripts for bash: options in the help, standard pictures, columns of the logs on the
# command line, files.

_vdsim_plot() {
  local program=$1 current=$2 option=${COMP_WORDS[COMP_CWORD - 1]} word line
  COMPREPLY=()
  # bash treats `=` as a separate word
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $option == "=" ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  else
    option=""
  fi
  if [[ $option == --manoeuvre ]]; then
    while IFS= read -r line; do
      [[ $line == "$current"* ]] && COMPREPLY+=("$line")
    done < <("$program" --list 2>/dev/null | awk '/^[a-z]/ { print $1 } END { print "all" }')
    return
  fi
  if [[ $current == -* ]]; then
    while IFS= read -r line; do
      [[ $line == "$current"* ]] && COMPREPLY+=("$line")
    done < <("$program" -h 2>/dev/null |
      awk '$1 ~ /^-/ { for (i = 1; i <= 2 && $i ~ /^-/; i++) { sub(/,$/, "", $i); sub(/[[=].*/, "", $i); print $i } }' | sort -u)
    return
  fi
  for word in "${COMP_WORDS[@]:1}"; do
    [[ $word == *.csv && -f $word ]] || continue
    while IFS= read -r line; do
      [[ $line == "$current"* ]] && COMPREPLY+=("$line")
    done < <(head -n 1 "$word" | tr -d '\r' | tr ',' '\n')
  done
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do
    COMPREPLY+=("$line")
  done < <(compgen -f -- "$current")
}

complete -F _vdsim_plot vdsim-plot vdsim-plot-{kc,tyre,fit,stunt,study} vdsim-animate vdsim-compare
