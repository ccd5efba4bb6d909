#pragma once
#include <hdf5.h>

/// How HDF5's bytes reach a run file.
///
/// HDF5 in its single-writer mode (SWMR) writes in such an order that a file which ends after any of its writes can be read.
/// That is what a killed run leaves behind. But it also marks the file as being written, and its readers refuse a file that
/// still bears the mark, or that points beyond the end which its head tells. This driver leaves the mark off, tells the new end
/// before anything is written there, and writes nothing more once a write has failed, so that a full disk leaves a readable
/// file too. Who writes is told by a lock of the system, which ends with the process.
namespace polhode::format::h5 {

/// The access property that chooses the driver.
void use_driver(hid_t access);

/// The system's error number of the last failure of the driver in this thread, 0 for none; and forgetting it.
int& last_error();

/// Why a file could not be opened for writing: another process has it.
constexpr int locked_by_other = -1;

/// Whether some process is writing to the file now.
bool is_being_written(const char* file);

}  // namespace polhode::format::h5
