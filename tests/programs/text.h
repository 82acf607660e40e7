// Programs as text: what print() writes, parse() reads back.
#pragma once

#include <string>

#include "programs/program.h"

namespace weir::programs {

// A line for each part and each step; lines that begin with a space belong to the step above: a rank (or * for all)
// and what it does.
std::string print(const Program& program);
std::string print(const Step& step);

// The program, or `error` says which line is not understood. Whether it is legal is not checked.
struct Parsed {
  Program program;
  std::string error;
};
Parsed parse(const std::string& text);

}  // namespace weir::programs
