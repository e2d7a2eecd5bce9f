# Changes the name of an installed script, and the folder of the programs to that of its launcher, which is in PATH.
s,scripts/\(plot[a-z-]*\|animate\|compare\) ,vdsim-\1 ,g
s,scripts/\(plot[a-z-]*\|animate\|compare\)\([])';:.]\|$\),vdsim-\1\2,g
s,\$here/\.\./build/cli/,,
s,: scripts/setup,,
s,^tool=\${0##\*/}$,tool=vdsim-${0##*/},
s,echo "animate: ,echo "vdsim-animate: ,
s,build/cli/vdsim-run,vdsim-run,
