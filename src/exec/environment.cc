#include "exec/environment.h"

#include <cstdlib>

namespace weir::exec {

const char* environment(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace weir::exec
