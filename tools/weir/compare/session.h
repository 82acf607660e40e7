// Measures all groups, cell by cell in turn.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compare/cell.h"
#include "compare/job.h"
#include "compare/start.h"

namespace weir::tool::compare {

// What one start of a cell is: made and understood by the kind of program that is measured.
struct CellProgram {
  // The command line, and variables that go with it. Failure: it cannot be started at all.
  std::function<Result<Command>(const Cell& cell)> command;
  std::function<std::vector<Variable>(const Cell& cell)> variables;
  // Takes over what a start has printed and left in files.
  std::function<void(Cell& cell, const JobEnd& end)> collect;
};

struct Session {
  StartOptions start;
  std::string directory;          // where programs start; empty: here
  std::string private_directory;  // "output" and "errors" there take what programs print
  int rounds = 1;
  int timeout_seconds = 60;
  std::function<void()> keep;  // called after each group
};

// Fills in the outcomes. The cells of a group take turns, round by round, each round in another order; a cell that
// failed is not started again. Ends early on a signal to stop.
void measure(std::vector<Group>& groups, const CellProgram& program, const Session& session, Signals& signals);

// The text of a file; empty if it cannot be read.
std::string text_of(const std::string& path);

}  // namespace weir::tool::compare
