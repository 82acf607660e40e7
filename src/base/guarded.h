// guarded: what a step throws becomes its status, so that a rank that runs out of memory can still tell the others.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>

#include "base/status.h"

namespace weir {

// Runs `body`, which returns a Status. Out of memory, also a size beyond all memory, is kNoMemory.
template <typename Body>
Status guarded(Body body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return {ErrorClass::kNoMemory, "out of memory"};
  } catch (const std::length_error&) {
    return {ErrorClass::kNoMemory, "out of memory: a size beyond all memory"};
  } catch (const std::exception& error) {
    return {ErrorClass::kInternal, error.what()};
  } catch (...) {
    return {ErrorClass::kInternal, "an exception of an unknown kind"};
  }
}

}  // namespace weir
