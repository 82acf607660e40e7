// What was found: a line for each field of a machine model, on standard output of rank 0.
#pragma once

#include <functional>
#include <string>

namespace machine {

// LOCAL, on rank 0: "FIELD VALUE HOW".
void found(const std::string& field, double value, const std::string& how);
// LOCAL, on rank 0: "FIELD - WHY".
void not_found(const std::string& field, const std::string& why);

// Microseconds that `work` takes: the least of several times, since everything else only makes it longer.
double least_time(const std::function<void()>& work);

// COLLECTIVE. Where all ranks work at once, until the last has finished: the median, since that they are in each
// other's way is part of it.
double usual_time_together(const std::function<void()>& work);

// COLLECTIVE: a barrier whose ranks sleep, so that one which waits takes no core from one that measures.
void meet();

// Where this rank is among the others.
struct Place {
  int rank = 0;
  int ranks = 1;
  int node_rank = 0;
  int ranks_of_node = 1;
  int nodes = 1;
  int partner = -1;  // for rank 0: the first rank of another node, or, on one node, rank 1; -1 where there is none
};
// COLLECTIVE.
Place find_place();

// COLLECTIVE: each finds some fields.
void measure_nodes(const Place& place);
void measure_memory(const Place& place);
void measure_messages(const Place& place);
// Where files are to be measured; a file that is gone afterwards is made there.
struct FilePlace {
  std::string directory;
  bool behind_network = false;
};
void measure_files(const Place& place, const FilePlace& where);

}  // namespace machine
