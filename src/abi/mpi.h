// What weir uses of MPI 5.0's standard ABI, declared by itself: so that the one library for every MPI with this ABI
// (libmpi_abi.so.1) can be built on machines that have none. Sources include it as <mpi.h>, in the place of a host's.
//
// A name that weir newly uses is added here with the standard's value or prototype; tests/mpi/abi_header_test compares
// all of them with the header that an MPI ships, where there is one.
#pragma once

#include "abi/constants.h"
#include "abi/functions.h"
#include "abi/types.h"

// There are no Fortran handles here (MPI_Fint, MPI_File_c2f): Fortran calls the ABI as C does.
#define WEIR_STANDARD_ABI 1
