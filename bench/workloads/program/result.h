// A measurement as JSON.
#pragma once

#include <string>

#include "workloads/program/measure.h"

namespace bench {

// Where it was measured.
struct Surroundings {
  int nodes = 1;
  std::string file_system;  // e.g. "tmpfs"
  std::string mpi;          // the library's name and version
};

// COLLECTIVE.
Surroundings look_around(const std::string& directory);

// One JSON object on one line, without its end.
std::string json_line(const Settled& settled, const Options& options, const Measurement& measurement,
                      const Surroundings& surroundings);

// LOCAL. Appends the line to the file, or prints it where none was named. Throws JobFailure.
void show(const std::string& line, const std::string& json);

}  // namespace bench
