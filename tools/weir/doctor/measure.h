// weir doctor --measure: a machine model from measurements.
#pragma once

#include <string>

#include "base/status.h"
#include "model/model_file.h"
#include "words.h"

namespace weir::tool::doctor {

struct MeasureOptions {
  std::string directory = ".";
  std::string output;  // file to write; empty: standard output
  std::string mpi;     // openmpi or mpich, where the launcher does not tell
  Words command;       // a launcher with its options, without a program
};

// What the program `machine` printed, in place of the numbers of `usual`: each field's source says how it was measured,
// or that it was not, and why. Lines that are none are left out. Failure: it printed nothing of the kind.
Result<model::ModelFile> model_of_findings(const std::string& output, const model::MachineModel& usual);

// Runs the program, writes the model and says what could not be measured. The exit code.
int measure(const MeasureOptions& options);

}  // namespace weir::tool::doctor
