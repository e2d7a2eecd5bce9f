# Changes the name of an installed script, and the folder of the programs to that of its launcher, which is in PATH.
s,scripts/\(animate\|compare\) ,vdsim-\1 ,g
s,scripts/\(animate\|compare\)\([])';:.]\|$\),vdsim-\1\2,g
s,\$here/\.\./build/cli/,,
s,: scripts/setup,,
s,echo "animate: ,echo "vdsim-animate: ,
s,build/cli/vdsim-run,vdsim-run,
