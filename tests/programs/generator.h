// Generator: draws a program step by step; the model says what is legal.
#pragma once

#include <optional>
#include <vector>

#include "programs/draw.h"
#include "programs/generate.h"
#include "programs/model.h"

namespace weir::programs {

class Generator {
 public:
  Generator(std::uint64_t seed, const Knobs& knobs);
  Program run();

 private:
  int file_count() const { return static_cast<int>(program_.files.size()); }
  bool emit(Step step);  // unless it is not legal
  void must(Step step);  // REQUIRES that it is

  void act();
  void open(int file, bool is_first);
  void reopen(int file);
  void view(int file);
  void ask(int file);
  void settle(int file);
  void resize(int file);
  void atomic(int file);
  void seek(int file);
  void message();
  bool advance_message(int id);
  Way draw_way();
  void complete_some();
  void complete_file(int file);
  void finish();

  // generate_access.cc
  void access(int file);
  bool choose_call(Step& step);
  RankSet choose_ranks(const Step& step);
  void draw_shares(Step& step);
  void draw_group(Step& step, const std::vector<int>& members);
  std::int64_t draw_count(const View& view);
  std::int64_t etypes_within(const View& view, std::int64_t bytes) const;
  void cut_at_end(Step& step);
  void draw_memories(Step& step);
  bool place(Step& step);
  void repair(Step& step);
  void start_late(Step step);

  Knobs knobs_;
  Random random_;
  Program program_;
  std::optional<Model> model_;
  std::int64_t file_bytes_ = 0;
  int next_id_ = kFirstAccessId;
  bool starting_ = false;  // an access has started on some ranks only
};

}  // namespace weir::programs
