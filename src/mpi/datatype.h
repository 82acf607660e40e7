// MPI datatypes at the edge: decoded into layouts, kept alive for views.
#pragma once

#include <mpi.h>

#include <memory>

#include "base/status.h"
#include "layout/type_tree.h"

namespace weir::mpi {

// Ok when `type` is committed; kDatatype otherwise, also for a freed handle where the host can tell. `comm` is one of
// weir's, which returns errors.
Status check_type(MPI_Comm comm, MPI_Datatype type);

// The native layout of one instance, decoded once and cached on the handle; any thread may ask. kDatatype when `type`
// is MPI_DATATYPE_NULL or is made in a way weir does not know.
Result<std::shared_ptr<const layout::SizedLayout>> layout_of(MPI_Datatype type);

// The constructors `type` was made by. Not cached; for data representations other than native, where the padding that
// the host gives structs has no place.
Result<layout::TypeTree> decode(MPI_Datatype type);

// A datatype that outlives the program's own handle. Predefined types are not copied.
class KeptType {
 public:
  explicit KeptType(MPI_Datatype type);
  ~KeptType();
  KeptType(KeptType&& other) noexcept;
  KeptType& operator=(KeptType&& other) noexcept;

  // A handle for the program: its own to free, or a predefined one.
  MPI_Datatype copy() const;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_;
  bool owned_;
};

}  // namespace weir::mpi
