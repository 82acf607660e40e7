// check_view: whether two datatypes may be the elementary and the file type of a view.
#pragma once

#include "base/status.h"
#include "layout/type_tree.h"

namespace weir::layout {

// What the standard asks of a view's types, before MPI_File_set_view takes them:
//  kArgument  the file type's bytes are no multiple of the elementary type's;
//  kIo        a displacement is negative or goes backwards; tiles do not move forward; where the file may be
//             written also: bytes are shown twice.
// That the file type is built from elementary types is not checked. Displacements are compared piece by piece, after
// touching elements were joined. Tiles may overlap (an extent smaller than the span): programs that use one tile only,
// as PnetCDF does, need not care about the extent.
Status check_view(const SizedLayout& etype, const SizedLayout& filetype, bool may_write);

}  // namespace weir::layout
