// Types to test with: all small ones, and random nested ones.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "layout/type_tree.h"

namespace weir::layout {

// Every constructor once or more, with small arguments (zero, one, gaps, negative, overlapping), around `child`.
std::vector<TypeTree> wrappings(const TypeTree& child);

// All types of up to `depth` constructors around a few basic ones.
std::vector<TypeTree> small_types(int depth);

// A random type of at most `depth` constructors. With `for_file`, one whose displacements mostly ascend, so that
// check_view() often takes it.
TypeTree random_type(std::mt19937_64& random, int depth, bool for_file);

// The seed of a random test: WEIR_TEST_SEED, or a fresh one. Print it in every failure.
std::uint64_t test_seed();

}  // namespace weir::layout
