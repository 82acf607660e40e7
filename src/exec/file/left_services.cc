#include "exec/file/left_services.h"

#include <utility>

namespace weir::exec {

void LeftServices::keep(std::unique_ptr<comm::Comm> channel, std::unique_ptr<comm::SharedCounter> counter) {
  std::scoped_lock lock(mutex_);
  services_.push_back({std::move(channel), std::move(counter)});
}

void LeftServices::end() {
  std::vector<Service> ending;
  {
    std::scoped_lock lock(mutex_);
    ending.swap(services_);
  }
  for (Service& service : ending) service.counter->close().ignore();
}

LeftServices& left_services() {
  static LeftServices& services = *new LeftServices;
  return services;
}

}  // namespace weir::exec
