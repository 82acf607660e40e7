// What every driver has to keep is tried on subjects: contract_test.cc has them, and most of the contract.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "driver/support.h"

namespace weir::driver {

// A driver and a place for its files.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual FileDriver& driver() = 0;
  std::string file(const std::string& name) const { return folder_.file(name); }

 private:
  TemporaryFolder folder_;
};

struct SubjectKind {
  const char* name;
  std::function<std::unique_ptr<Subject>()> make;
};

class DriverContract : public testing::TestWithParam<SubjectKind> {
 protected:
  FileDriver& driver() { return subject_->driver(); }
  std::string path() const { return subject_->file("f"); }
  std::unique_ptr<File> open(OpenMode mode = kCreate) { return open_or_fail(driver(), path(), mode); }

 private:
  std::unique_ptr<Subject> subject_ = GetParam().make();
};

}  // namespace weir::driver
