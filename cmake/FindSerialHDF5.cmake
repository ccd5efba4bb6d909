# HDF5's C library, as the target SerialHDF5::hdf5. CMake's own FindHDF5 asks the compiler wrapper that comes first on the path,
# which is the one for MPI on machines that have both; only its serial library is wanted here, and none of its languages.

find_path(SerialHDF5_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(SerialHDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
mark_as_advanced(SerialHDF5_INCLUDE_DIR SerialHDF5_LIBRARY)

if(EXISTS "${SerialHDF5_INCLUDE_DIR}/H5public.h")
  file(STRINGS "${SerialHDF5_INCLUDE_DIR}/H5public.h" version_line REGEX "define H5_VERS_INFO ")
  string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" SerialHDF5_VERSION "${version_line}")
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SerialHDF5 REQUIRED_VARS SerialHDF5_LIBRARY SerialHDF5_INCLUDE_DIR
                                  VERSION_VAR SerialHDF5_VERSION)

if(SerialHDF5_FOUND AND NOT TARGET SerialHDF5::hdf5)
  add_library(SerialHDF5::hdf5 UNKNOWN IMPORTED)
  set_target_properties(SerialHDF5::hdf5 PROPERTIES IMPORTED_LOCATION "${SerialHDF5_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${SerialHDF5_INCLUDE_DIR}")
endif()
