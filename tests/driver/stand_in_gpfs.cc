#include "driver/stand_in_gpfs.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

namespace {

using weir::driver::GpfsRange;
using weir::driver::StandInGpfs;

// Bytes read one after the other, as gpfs_fcntl.h orders them.
class Reader {
 public:
  explicit Reader(const void* bytes) : next_(static_cast<const char*>(bytes)) {}
  template <typename T>
  T take() {
    T value;
    std::memcpy(&value, next_, sizeof(value));
    next_ += sizeof(value);
    return value;
  }

 private:
  const char* next_;
};

// 8 entries of 24 bytes, of which `count` say something and the others nothing.
bool take_ranges(Reader& reader, int count, std::vector<GpfsRange>& ranges) {
  bool right = 0 <= count && count <= 8;
  for (int i = 0; i < 8; ++i) {
    const auto block = reader.take<long long>();
    const int begin = reader.take<int>();
    const int bytes = reader.take<int>();
    const int is_write = reader.take<int>();
    const int padding = reader.take<int>();
    right = right && is_write == 0 && padding == 0;
    right = right && (i < count ? begin >= 0 && bytes > 0 : block == 0 && begin == 0 && bytes == 0);
    if (i < count) ranges.push_back({block, begin, bytes});
  }
  return right;
}

bool take_access_ranges(Reader& reader, int total, char* accepted_at, StandInGpfs& state) {
  const int asked = reader.take<int>();
  const int released = reader.take<int>();
  std::vector<GpfsRange> ranges;
  if (total != 416 || !take_ranges(reader, asked, ranges) || !take_ranges(reader, released, state.released))
    return false;
  const int accepted = std::min(asked, state.most_accepted);
  state.accessed.insert(state.accessed.end(), ranges.begin(), ranges.begin() + accepted);
  std::memcpy(accepted_at, &accepted, sizeof(accepted));
  return true;
}

StandInGpfs& state() {
  static StandInGpfs the_state;
  return the_state;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) StandInGpfs& stand_in_gpfs() { return state(); }

extern "C" __attribute__((visibility("default"))) int gpfs_fcntl(int, void* argument) {
  StandInGpfs& all = state();
  if (++all.calls == all.failing_call) {
    errno = EIO;
    return -1;
  }
  Reader reader(argument);
  const int total = reader.take<int>();
  const bool header = reader.take<int>() == 1 && reader.take<int>() == 0 && reader.take<int>() == 0;
  const int bytes = reader.take<int>();
  const int type = reader.take<int>();
  bool right = header && bytes == total - 16;
  if (type == 1003) {
    right = take_access_ranges(reader, total, static_cast<char*>(argument) + 24, all) && right;
  } else {
    right = right && type == 2001 && total == 24;
    ++all.cancels;
  }
  if (!right) ++all.malformed;
  return 0;
}
