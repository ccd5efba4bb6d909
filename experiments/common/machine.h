#pragma once
#include <string>
#include <vector>

/// On what an experiment ran.
namespace polhode::experiments {

std::string processor();                ///< its model and how many cores the program may use
std::string compiler();                 ///< of this program
std::string now();                      ///< "2026-03-14 09:26 UTC"
std::vector<std::string> engines();     ///< with versions, ours first
std::vector<std::string> no_engines();  ///< names of the peers that are not built in

}  // namespace polhode::experiments
