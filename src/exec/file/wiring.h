// Wiring: what ties the ranks of one file together.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "comm/comm.h"
#include "comm/line.h"
#include "exec/call/watchdog.h"
#include "exec/file/node_engine.h"

namespace weir::exec {

struct Wiring {
  std::unique_ptr<comm::Comm> collective;  // collective calls, one after the other
  std::unique_ptr<comm::Comm> pointer;     // questions about the shared file pointer; of the same ranks
  // Makes this rank's ends of a line for I/O agents; empty: agents of several nodes cannot be asked.
  std::function<comm::Line()> line = {};
  EngineLease engine = {};                       // the same of all ranks; without one, one is made
  std::unique_ptr<Watchdog> watchdog = nullptr;  // of `collective`, has entered the open; may be null

  // LOCAL: takes the engine, at whose board the ranks meet from now on. REQUIRES that all ranks do.
  void use(EngineLease lease);
  // LOCAL: puts a watchdog on it, which has entered the open.
  void watch(const std::string& path, WatchRoom& room, const Voice& voice);
};

}  // namespace weir::exec
