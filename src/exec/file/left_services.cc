#include "exec/file/left_services.h"

#include <utility>

namespace weir::exec {

void LeftServices::keep(std::function<void()> stay) {
  std::scoped_lock lock(mutex_);
  services_.push_back(std::move(stay));
}

void LeftServices::end() {
  std::vector<std::function<void()>> ending;
  {
    std::scoped_lock lock(mutex_);
    ending.swap(services_);
  }
  for (const std::function<void()>& stay : ending) stay();
}

LeftServices& left_services() {
  static LeftServices& services = *new LeftServices;
  return services;
}

}  // namespace weir::exec
