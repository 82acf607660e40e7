#include "sys/environment.h"

#include <cstdlib>

namespace weir::sys {

const char* environment(const char* name) {
  const char* value = secure_getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

}  // namespace weir::sys
