// The hints file: MPI-IO hints by pattern type, access method and chunk size.
//
//   # TYPE     METHOD  CHUNK   HINTS
//   *          *       *       cb_nodes=4
//   scatter    write   1kB     IBM_largeblock_io=false;IBM_io_buffer_size=2097152
//   0          read    open    romio_cb_read=enable
//
// TYPE is a number or name, METHOD a name, CHUNK a size as in name(Chunk), or "open" for hints given at open only; "*"
// is any of them, and for CHUNK also open. Hints of a chunk size are given with the file view of its pattern. Later
// lines win over earlier ones. "#" begins a comment; empty lines are skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "pattern.h"

namespace beffio {

using Hints = std::vector<std::pair<std::string, std::string>>;  // key and value, in the order they were named

class HintsFile {
 public:
  // The rules in `text`; a failure names the line, as "line 3: ...".
  static weir::Result<HintsFile> parse(std::string_view text);

  // What to give MPI_File_open.
  Hints at_open(Type type, Method method) const;
  // What to give MPI_File_set_view.
  Hints for_chunk(Type type, Method method, Chunk chunk) const;

 private:
  struct Rule {
    std::optional<Type> type;      // nothing: any
    std::optional<Method> method;  // nothing: any
    std::optional<Chunk> chunk;    // nothing: any, or open
    bool open_only = false;
    Hints hints;
  };

  static weir::Result<Rule> parse_rule(std::string_view line);
  template <typename Matches>
  Hints collect(Type type, Method method, Matches matches) const;

  std::vector<Rule> rules_;
};

// "key=value;key=value".
std::string text_of(const Hints& hints);

}  // namespace beffio
