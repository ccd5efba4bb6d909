# Installs the build into a folder of its own, then configures, builds and runs a program that knows only that folder.
#   cmake -D build=DIR -D scratch=DIR -D source=DIR -D generator=G -D compiler=CXX -D version=V -P run.cmake
#   ... -D headers_alone=ON ...: compiles every installed header by itself instead

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${scratch})
run(${CMAKE_COMMAND} --install ${build} --prefix ${scratch}/prefix)
run(${CMAKE_COMMAND} -S ${source} -B ${scratch}/build -G ${generator} -D CMAKE_CXX_COMPILER=${compiler}
    -D CMAKE_BUILD_TYPE=Release -D CMAKE_PREFIX_PATH=${scratch}/prefix -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
if(headers_alone)
  run(${CMAKE_COMMAND} --build ${scratch}/build --target headers_alone)
  return()
endif()
run(${CMAKE_COMMAND} --build ${scratch}/build)
run(${scratch}/build/pendulum)
run(${CMAKE_COMMAND} -E chdir ${source}/../.. ${scratch}/build/readme)  # it reads a model of the repository

# The installed program, where there is one, says the same version.
if(EXISTS ${scratch}/prefix/bin/polhode)
  execute_process(COMMAND ${scratch}/prefix/bin/polhode --version OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said MATCHES "${version}")
    message(FATAL_ERROR "polhode --version says \"${said}\", not ${version}")
  endif()
endif()
