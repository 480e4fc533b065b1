#!/usr/bin/env bash
# Prints the options of `swift build` with which a package that is built once takes the least of
# the processor's time: a module at a time, which is written by the run that compiles it, and
# nothing for debuggers. Where a module is edited and built again the plain options are quicker.
echo -debug-info-format none -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 \
  -Xswiftc -no-emit-module-separately-wmo
