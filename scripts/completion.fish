# Completion of @NAME@ for fish: options with their help, keys of --set, standard pictures, blocks of keys. The program
# itself prints these words.
function __@NAME@_options
    @NAME@ -h 2>/dev/null | awk '$1 ~ /^-/ {
        help = $0; sub(/^ *[^ ].*[^ ]  +/, "", help)
        for (i = 1; i <= 2 && $i ~ /^-/; i++) { sub(/,$/, "", $i); sub(/[[=].*/, "", $i); print $i "\t" help } }'
end
function __@NAME@_keys
    @NAME@ '--list-keys=*' 2>/dev/null | awk -F '\t' '{ gsub(/\[\]/, ".0", $1); print $1 "=\t" $6 }'
end
function __@NAME@_values # the values of the option before `=`
    switch (commandline -ct)
        case '--manoeuvre=*'
            @NAME@ --list 2>/dev/null | awk '/^[a-z]/ { name = $1; sub(/^[^ ]+ +/, ""); print "--manoeuvre=" name "\t" $0 }'
        case '--list-keys=*'
            @NAME@ --list-keys 2>/dev/null | awk -F '\t' '{ sub(/[.[].*/, "", $1); if (!seen[$1]++) print "--list-keys=" $1 }'
    end
end
complete -c @NAME@ -n 'string match -q -- "--*=*" (commandline -ct)' -f -a '(__@NAME@_values)'
complete -c @NAME@ -n 'string match -q -- "-*" (commandline -ct)' -a '(__@NAME@_options)'
complete -c @NAME@ -n 'test (commandline -poc)[-1] = --set' -f -a '(__@NAME@_keys)'
