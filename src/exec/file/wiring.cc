#include "exec/file/wiring.h"

namespace weir::exec {

void Wiring::use(EngineLease lease) {
  engine = std::move(lease);
  if (engine && engine->board) collective->use_board(engine->board);
}

void Wiring::watch(const std::string& path, WatchRoom& room, const Voice& voice) {
  watchdog = std::make_unique<Watchdog>(path, *collective, room, voice);
  if (engine && engine->memory) watchdog->use(engine->presence);
  collective->use_watch(watchdog.get());
  watchdog->enter({CallKind::kOpen});
}

}  // namespace weir::exec
