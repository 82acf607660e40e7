// What happens when the program cannot end in order.
#pragma once

#include <sys/types.h>

#include <string>

namespace beffio {

// A small process beside this one that removes a directory when this one has ended, whatever ended it: launchers end
// ranks by signals that cannot be caught.
class Guard {
 public:
  // REQUIRES that MPI is not initialised and this process has one thread: it is copied. Where that cannot be done there
  // is no guard.
  Guard();
  ~Guard() { dismiss(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // Removes `directory`, if it is still there, when this process ends or dismisses the guard.
  void entrust(const std::string& directory);

  // Returns when the guard has done its work and is gone.
  void dismiss();

 private:
  pid_t guard_ = -1;
  int pipe_ = -1;  // the guard reads what is entrusted; its end is the end of this process
};

// For a rank that failed while others may wait for it in a call that never returns: unless the process ends before,
// prints the text after this many seconds and ends the process with code 3.
void give_up_after(unsigned seconds, const std::string& text);

}  // namespace beffio
