# Public are these headers and what they include, directly or not. No other header is installed.
#   source: the folder with polhode/ in it; destination: the folder for headers
cmake_policy(VERSION 3.25)  # an install script does not get that of the project

set(public polhode/polhode.h
    # The methods' own classes, for programs that look inside of one: momenta, multipliers, invariants.
    polhode/variational/tree/tree_variational.h
    polhode/variational/maximal/maximal_variational.h
    polhode/projected/tree/make_integrator.h
    polhode/projected/maximal/maximal_projected.h)

set(headers "")
while(public)
  list(POP_FRONT public header)
  if(header IN_LIST headers OR header STREQUAL "polhode/version.h")  # that is made by CMake, and installed by itself
    continue()
  endif()
  list(APPEND headers ${header})
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL ${source}/${header} DESTINATION ${destination}/${folder})
  file(STRINGS ${source}/${header} includes REGEX "^#include \"polhode/")
  list(TRANSFORM includes REPLACE "^#include \"([^\"]+)\".*" "\\1")
  list(APPEND public ${includes})
endwhile()
