#include "guard.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

namespace beffio {
namespace {

// What the handler of the alarm prints; written before that is set.
std::array<char, 1024> last_words;

extern "C" void on_alarm(int) {
  constexpr int kFailed = 3;
  const ssize_t written = ::write(STDERR_FILENO, last_words.data(), std::strlen(last_words.data()));
  ::_exit(written < 0 ? kFailed + 1 : kFailed);
}

// Lets go of everything that came with the copy: a launcher may wait for its connections and output to be closed.
void keep_only(int pipe) {
  ::setsid();
  ::dup2(pipe, STDIN_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::closefrom(STDERR_FILENO + 1);
}

std::string read_to_end(int pipe) {
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t bytes = 0; (bytes = ::read(pipe, part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(bytes));
  }
  return text;
}

// Other ranks may live a little longer and still make files.
void remove_with_patience(const std::string& directory) {
  std::error_code error;
  for (int attempt = 0; attempt < 50 && std::filesystem::exists(directory, error); ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::filesystem::remove_all(directory, error);
  }
}

[[noreturn]] void stand_guard(int pipe) {
  keep_only(pipe);
  for (const int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE}) std::signal(signal, SIG_IGN);
  const std::string directory = read_to_end(STDIN_FILENO);
  if (!directory.empty()) remove_with_patience(directory);
  ::_exit(0);
}

}  // namespace

Guard::Guard() {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return;
  guard_ = ::fork();
  if (guard_ == 0) {
    ::close(ends[1]);
    stand_guard(ends[0]);
  }
  ::close(ends[0]);
  pipe_ = ends[1];
}

void Guard::entrust(const std::string& directory) {
  if (pipe_ < 0) return;
  const ssize_t written = ::write(pipe_, directory.data(), directory.size());
  if (written < 0) dismiss();  // it is gone: this process has to end in order by itself
}

void Guard::dismiss() {
  if (pipe_ >= 0) ::close(pipe_);
  if (guard_ > 0) ::waitpid(guard_, nullptr, 0);
  pipe_ = -1;
  guard_ = -1;
}

void give_up_after(unsigned seconds, const std::string& text) {
  const std::string line = fmt::format("b_eff_io: {}\n", text);
  const std::size_t length = std::min(line.size(), last_words.size() - 1);
  std::memcpy(last_words.data(), line.data(), length);
  last_words[length] = '\0';
  std::signal(SIGALRM, on_alarm);
  ::alarm(seconds);
}

}  // namespace beffio
