# Makes each line of a text a string of C.
s/[\\"]/\\&/g
s/.*/"&\\n",/
