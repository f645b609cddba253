"""The command line: arguments in, one operation, result on stdout and the rest on stderr."""
