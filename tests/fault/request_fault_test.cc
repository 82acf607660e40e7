// Errors of nonblocking accesses: told by whatever call completes them, to the file's error handler, without
// ending the job.
#include <cerrno>
#include <string>
#include <tuple>

#include "access_test.h"
#include "fault_control.h"
#include "request_ops.h"

namespace {

using namespace mpi_test;  // NOLINT(google-build-using-namespace)

constexpr int kUpdate = MPI_MODE_CREATE | MPI_MODE_RDWR;
constexpr int kElements = 100;

struct HandlerCall {
  int calls = 0;
  MPI_File file = MPI_FILE_NULL;
  int code = MPI_SUCCESS;
};
HandlerCall last_call;

void note(MPI_File* file, int* code, ...) { last_call = {last_call.calls + 1, *file, *code}; }

using Way = std::tuple<StartOp, Completion>;

class RequestFault : public testing::TestWithParam<Way> {
 protected:
  RequestFault() {
    last_call = HandlerCall();
    MPI_File_create_errhandler(note, &handler_);
  }
  ~RequestFault() override { MPI_Errhandler_free(&handler_); }
  RequestFault(const RequestFault&) = delete;
  RequestFault& operator=(const RequestFault&) = delete;

  static const StartOp& op() { return std::get<StartOp>(GetParam()); }
  static const Completion& completion() { return std::get<Completion>(GetParam()); }
  static bool is_of_many() {
    return std::string(completion().name).find("all") != std::string::npos ||
           std::string(completion().name).find("some") != std::string::npos;
  }
  MPI_Errhandler handler() const { return handler_; }

  // Starts the access; an error may also come at once.
  static int start(MPI_File file, std::vector<int>& data, MPI_Request* request) {
    const MPI_Offset offset = record_offset(rank(), 0, kElements);
    if (!op().has_offset && !op().shared) {
      EXPECT_OK(MPI_File_seek(file, offset, MPI_SEEK_SET));
    }
    return op().start(file, offset, data.data(), kElements, MPI_INT, request);
  }

 private:
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

TEST_P(RequestFault, ReachesTheFilesHandler) {
  if (!Fault::is_possible()) GTEST_SKIP() << "the fault shim is not preloaded";
  if (!under_weir()) GTEST_SKIP() << "the hosts abort";
  Scratch scratch("faulty");
  make_file(scratch.path(), bytes_of(all_records(1, kElements)));
  const File file(scratch.path(), kUpdate);
  set_plain_view(file, MPI_INT);
  EXPECT_OK(MPI_File_set_errhandler(file, handler()));
  std::vector<int> data = record(rank(), 0, kElements);
  std::vector<MPI_Request> requests(2, MPI_REQUEST_NULL);
  std::vector<MPI_Status> statuses(2);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  Fault fault(0, {op().writes ? FAULT_WRITE : FAULT_READ, 1, 0, EIO});
  int code = start(file, data, &requests[1]);
  const bool failed_at_once = code != MPI_SUCCESS;
  const int completed = completion().complete(requests, statuses);
  fault.disarm();
  const bool hit = fault.hits_everywhere() > 0;
  const bool concerned = hit && (op().collective || rank() == 0);
  if (!failed_at_once) code = completed;
  if (error_class(code) == MPI_ERR_IN_STATUS) {
    EXPECT_TRUE(is_of_many()) << completion().name;
    code = statuses[1].MPI_ERROR;
  }
  EXPECT_CLASS(concerned ? MPI_ERR_IO : MPI_SUCCESS, code);
  const int most_calls = std::string(completion().name) == "Request_get_status" ? 2 : 1;  // it may tell it, too
  EXPECT_TRUE(between(concerned ? 1 : 0, last_call.calls, concerned ? most_calls : 0));
  if (concerned) {
    EXPECT_EQ(last_call.file, static_cast<MPI_File>(file));
    EXPECT_EQ(error_class(last_call.code), MPI_ERR_IO);
    EXPECT_NE(error_text(code).find("EIO"), std::string::npos) << error_text(code);
  }
  EXPECT_EQ(requests[1], MPI_REQUEST_NULL) << "a failed access is complete";
  EXPECT_OK(MPI_File_set_errhandler(file, MPI_ERRORS_RETURN));
}

INSTANTIATE_TEST_SUITE_P(Fault, RequestFault, testing::ValuesIn(ways_to_complete()), [](const auto& test) {
  return std::string(std::get<StartOp>(test.param).name) + "_" + std::get<Completion>(test.param).name;
});

}  // namespace
