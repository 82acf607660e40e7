// Threads that weir starts beside the program's own.
#pragma once

#include <functional>
#include <thread>

namespace weir::comm {

// Starts `body` on a thread that takes none of the program's signals. Throws std::system_error as std::thread does.
std::thread start_helper_thread(std::function<void()> body);

}  // namespace weir::comm
