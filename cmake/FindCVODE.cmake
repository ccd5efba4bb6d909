# CVODE of SUNDIALS, as the target CVODE::cvode. SUNDIALS' own package file also asks for the languages and libraries (C, OpenMP,
# MPI, PETSc, ...) of parts of it that are not used here.

find_path(CVODE_INCLUDE_DIR cvode/cvode_proj.h)
set(CVODE_LIBRARIES)
foreach(part cvode nvecserial sunmatrixdense sunlinsoldense)
  find_library(CVODE_${part}_LIBRARY sundials_${part})
  mark_as_advanced(CVODE_${part}_LIBRARY)
  list(APPEND CVODE_LIBRARIES ${CVODE_${part}_LIBRARY})
endforeach()
mark_as_advanced(CVODE_INCLUDE_DIR)

if(EXISTS "${CVODE_INCLUDE_DIR}/sundials/sundials_config.h")
  file(STRINGS "${CVODE_INCLUDE_DIR}/sundials/sundials_config.h" version_line REGEX "define SUNDIALS_VERSION ")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" CVODE_VERSION "${version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CVODE
  REQUIRED_VARS CVODE_INCLUDE_DIR CVODE_cvode_LIBRARY CVODE_nvecserial_LIBRARY CVODE_sunmatrixdense_LIBRARY
                CVODE_sunlinsoldense_LIBRARY
  VERSION_VAR CVODE_VERSION)

if(CVODE_FOUND AND NOT TARGET CVODE::cvode)
  add_library(CVODE::cvode INTERFACE IMPORTED)
  target_include_directories(CVODE::cvode INTERFACE ${CVODE_INCLUDE_DIR})
  target_link_libraries(CVODE::cvode INTERFACE ${CVODE_LIBRARIES})
endif()
