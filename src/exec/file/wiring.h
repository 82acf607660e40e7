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
  // What makes this rank's ends of lines between the same ranks: for the shared file pointer, and for I/O agents; the
  // latter may be empty: agents of several nodes cannot be asked then.
  std::function<comm::Line()> pointer_line;
  std::function<comm::Line()> agent_line = {};
  EngineLease engine = {};                       // the same of all ranks; without one, one is made
  std::unique_ptr<Watchdog> watchdog = nullptr;  // of `collective`, has entered the open; may be null

  // LOCAL: takes the engine, at whose board the ranks meet from now on. REQUIRES that all ranks do.
  void use(EngineLease lease);
  // LOCAL: puts a watchdog on it, which has entered the open.
  void watch(const std::string& path, WatchRoom& room, const Voice& voice);
};

}  // namespace weir::exec
