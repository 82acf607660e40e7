// The constants of MPI 5.0's standard ABI that weir uses. Predefined handles are small numbers, all below 4096.
#pragma once

#include "abi/types.h"

#define MPI_VERSION 5
#define MPI_SUBVERSION 0

// Error classes.
inline constexpr int MPI_SUCCESS = 0;
inline constexpr int MPI_ERR_BUFFER = 1;
inline constexpr int MPI_ERR_COUNT = 2;
inline constexpr int MPI_ERR_TYPE = 3;
inline constexpr int MPI_ERR_TAG = 4;
inline constexpr int MPI_ERR_COMM = 5;
inline constexpr int MPI_ERR_RANK = 6;
inline constexpr int MPI_ERR_REQUEST = 7;
inline constexpr int MPI_ERR_ROOT = 8;
inline constexpr int MPI_ERR_ARG = 13;
inline constexpr int MPI_ERR_UNKNOWN = 14;
inline constexpr int MPI_ERR_TRUNCATE = 15;
inline constexpr int MPI_ERR_OTHER = 16;
inline constexpr int MPI_ERR_INTERN = 17;
inline constexpr int MPI_ERR_PENDING = 18;
inline constexpr int MPI_ERR_IN_STATUS = 19;
inline constexpr int MPI_ERR_ACCESS = 20;
inline constexpr int MPI_ERR_AMODE = 21;
inline constexpr int MPI_ERR_BAD_FILE = 23;
inline constexpr int MPI_ERR_CONVERSION = 25;
inline constexpr int MPI_ERR_DUP_DATAREP = 27;
inline constexpr int MPI_ERR_FILE_EXISTS = 28;
inline constexpr int MPI_ERR_FILE_IN_USE = 29;
inline constexpr int MPI_ERR_FILE = 30;
inline constexpr int MPI_ERR_INFO = 34;
inline constexpr int MPI_ERR_IO = 35;
inline constexpr int MPI_ERR_NO_MEM = 39;
inline constexpr int MPI_ERR_NOT_SAME = 40;
inline constexpr int MPI_ERR_NO_SPACE = 41;
inline constexpr int MPI_ERR_NO_SUCH_FILE = 42;
inline constexpr int MPI_ERR_QUOTA = 44;
inline constexpr int MPI_ERR_READ_ONLY = 45;
inline constexpr int MPI_ERR_UNSUPPORTED_DATAREP = 54;
inline constexpr int MPI_ERR_UNSUPPORTED_OPERATION = 55;

// Ways to open a file, to seek in it, and a displacement.
inline constexpr int MPI_MODE_APPEND = 1;
inline constexpr int MPI_MODE_CREATE = 2;
inline constexpr int MPI_MODE_DELETE_ON_CLOSE = 4;
inline constexpr int MPI_MODE_EXCL = 8;
inline constexpr int MPI_MODE_RDONLY = 16;
inline constexpr int MPI_MODE_RDWR = 32;
inline constexpr int MPI_MODE_SEQUENTIAL = 64;
inline constexpr int MPI_MODE_UNIQUE_OPEN = 128;
inline constexpr int MPI_MODE_WRONLY = 256;
inline constexpr int MPI_SEEK_CUR = 401;
inline constexpr int MPI_SEEK_END = 402;
inline constexpr int MPI_SEEK_SET = 403;
inline constexpr MPI_Offset MPI_DISPLACEMENT_CURRENT = -1;

// How datatypes were made.
inline constexpr int MPI_COMBINER_NAMED = 101;
inline constexpr int MPI_COMBINER_DUP = 102;
inline constexpr int MPI_COMBINER_CONTIGUOUS = 103;
inline constexpr int MPI_COMBINER_VECTOR = 104;
inline constexpr int MPI_COMBINER_HVECTOR = 105;
inline constexpr int MPI_COMBINER_INDEXED = 106;
inline constexpr int MPI_COMBINER_HINDEXED = 107;
inline constexpr int MPI_COMBINER_INDEXED_BLOCK = 108;
inline constexpr int MPI_COMBINER_HINDEXED_BLOCK = 109;
inline constexpr int MPI_COMBINER_STRUCT = 110;
inline constexpr int MPI_COMBINER_SUBARRAY = 111;
inline constexpr int MPI_COMBINER_DARRAY = 112;
inline constexpr int MPI_COMBINER_F90_REAL = 113;
inline constexpr int MPI_COMBINER_F90_COMPLEX = 114;
inline constexpr int MPI_COMBINER_F90_INTEGER = 115;
inline constexpr int MPI_COMBINER_RESIZED = 116;
inline constexpr int MPI_ORDER_FORTRAN = 15;
inline constexpr int MPI_DISTRIBUTE_BLOCK = 17;
inline constexpr int MPI_DISTRIBUTE_CYCLIC = 18;
inline constexpr int MPI_DISTRIBUTE_DFLT_DARG = 19;

// Levels of thread support; lengths of strings.
inline constexpr int MPI_THREAD_SINGLE = 0;
inline constexpr int MPI_THREAD_FUNNELED = 1024;
inline constexpr int MPI_THREAD_SERIALIZED = 2048;
inline constexpr int MPI_THREAD_MULTIPLE = 4096;
inline constexpr int MPI_MAX_DATAREP_STRING = 128;
inline constexpr int MPI_MAX_INFO_KEY = 256;
inline constexpr int MPI_MAX_ERROR_STRING = 512;

// Communication.
inline constexpr int MPI_UNDEFINED = -32766;
inline constexpr int MPI_PROC_NULL = -3;
inline constexpr int MPI_ANY_SOURCE = -1;
inline constexpr int MPI_KEYVAL_INVALID = 0;
inline constexpr int MPI_CONGRUENT = 202;
inline constexpr int MPI_UNEQUAL = 204;
inline constexpr int MPI_COMM_TYPE_SHARED = 221;
inline constexpr int MPI_TAG_UB = 501;
#define MPI_IN_PLACE (reinterpret_cast<void*>(std::uintptr_t{1}))
#define MPI_STATUS_IGNORE (static_cast<MPI_Status*>(nullptr))
#define MPI_STATUSES_IGNORE (static_cast<MPI_Status*>(nullptr))
#define MPI_COMM_NULL_COPY_FN (static_cast<MPI_Comm_copy_attr_function*>(nullptr))
#define MPI_TYPE_NULL_COPY_FN (static_cast<MPI_Type_copy_attr_function*>(nullptr))

// Handles.
#define WEIR_ABI_HANDLE(type, number) (reinterpret_cast<type>(std::uintptr_t{number}))

#define MPI_COMM_NULL WEIR_ABI_HANDLE(MPI_Comm, 0x100)
#define MPI_COMM_WORLD WEIR_ABI_HANDLE(MPI_Comm, 0x101)
#define MPI_COMM_SELF WEIR_ABI_HANDLE(MPI_Comm, 0x102)
#define MPI_GROUP_NULL WEIR_ABI_HANDLE(MPI_Group, 0x108)
#define MPI_FILE_NULL WEIR_ABI_HANDLE(MPI_File, 0x118)
#define MPI_INFO_NULL WEIR_ABI_HANDLE(MPI_Info, 0x130)
#define MPI_SESSION_NULL WEIR_ABI_HANDLE(MPI_Session, 0x120)
#define MPI_ERRHANDLER_NULL WEIR_ABI_HANDLE(MPI_Errhandler, 0x140)
#define MPI_ERRORS_ARE_FATAL WEIR_ABI_HANDLE(MPI_Errhandler, 0x141)
#define MPI_ERRORS_ABORT WEIR_ABI_HANDLE(MPI_Errhandler, 0x142)
#define MPI_ERRORS_RETURN WEIR_ABI_HANDLE(MPI_Errhandler, 0x143)
#define MPI_REQUEST_NULL WEIR_ABI_HANDLE(MPI_Request, 0x180)
#define MPI_SUM WEIR_ABI_HANDLE(MPI_Op, 0x21)
#define MPI_MIN WEIR_ABI_HANDLE(MPI_Op, 0x22)

#define MPI_DATATYPE_NULL WEIR_ABI_HANDLE(MPI_Datatype, 0x200)
#define MPI_AINT WEIR_ABI_HANDLE(MPI_Datatype, 0x201)
#define MPI_COUNT WEIR_ABI_HANDLE(MPI_Datatype, 0x202)
#define MPI_OFFSET WEIR_ABI_HANDLE(MPI_Datatype, 0x203)
#define MPI_PACKED WEIR_ABI_HANDLE(MPI_Datatype, 0x207)
#define MPI_SHORT WEIR_ABI_HANDLE(MPI_Datatype, 0x208)
#define MPI_INT WEIR_ABI_HANDLE(MPI_Datatype, 0x209)
#define MPI_LONG WEIR_ABI_HANDLE(MPI_Datatype, 0x20a)
#define MPI_LONG_LONG WEIR_ABI_HANDLE(MPI_Datatype, 0x20b)
#define MPI_UNSIGNED_SHORT WEIR_ABI_HANDLE(MPI_Datatype, 0x20c)
#define MPI_UNSIGNED WEIR_ABI_HANDLE(MPI_Datatype, 0x20d)
#define MPI_UNSIGNED_LONG WEIR_ABI_HANDLE(MPI_Datatype, 0x20e)
#define MPI_UNSIGNED_LONG_LONG WEIR_ABI_HANDLE(MPI_Datatype, 0x20f)
#define MPI_FLOAT WEIR_ABI_HANDLE(MPI_Datatype, 0x210)
#define MPI_C_COMPLEX WEIR_ABI_HANDLE(MPI_Datatype, 0x212)
#define MPI_C_FLOAT_COMPLEX WEIR_ABI_HANDLE(MPI_Datatype, 0x212)
#define MPI_CXX_FLOAT_COMPLEX WEIR_ABI_HANDLE(MPI_Datatype, 0x213)
#define MPI_DOUBLE WEIR_ABI_HANDLE(MPI_Datatype, 0x214)
#define MPI_C_DOUBLE_COMPLEX WEIR_ABI_HANDLE(MPI_Datatype, 0x216)
#define MPI_CXX_DOUBLE_COMPLEX WEIR_ABI_HANDLE(MPI_Datatype, 0x217)
#define MPI_LOGICAL WEIR_ABI_HANDLE(MPI_Datatype, 0x218)
#define MPI_INTEGER WEIR_ABI_HANDLE(MPI_Datatype, 0x219)
#define MPI_REAL WEIR_ABI_HANDLE(MPI_Datatype, 0x21a)
#define MPI_COMPLEX WEIR_ABI_HANDLE(MPI_Datatype, 0x21b)
#define MPI_DOUBLE_PRECISION WEIR_ABI_HANDLE(MPI_Datatype, 0x21c)
#define MPI_DOUBLE_COMPLEX WEIR_ABI_HANDLE(MPI_Datatype, 0x21d)
#define MPI_CHARACTER WEIR_ABI_HANDLE(MPI_Datatype, 0x21e)
#define MPI_LONG_DOUBLE WEIR_ABI_HANDLE(MPI_Datatype, 0x220)
#define MPI_C_LONG_DOUBLE_COMPLEX WEIR_ABI_HANDLE(MPI_Datatype, 0x224)
#define MPI_CXX_LONG_DOUBLE_COMPLEX WEIR_ABI_HANDLE(MPI_Datatype, 0x225)
#define MPI_FLOAT_INT WEIR_ABI_HANDLE(MPI_Datatype, 0x228)
#define MPI_DOUBLE_INT WEIR_ABI_HANDLE(MPI_Datatype, 0x229)
#define MPI_LONG_INT WEIR_ABI_HANDLE(MPI_Datatype, 0x22a)
#define MPI_2INT WEIR_ABI_HANDLE(MPI_Datatype, 0x22b)
#define MPI_SHORT_INT WEIR_ABI_HANDLE(MPI_Datatype, 0x22c)
#define MPI_LONG_DOUBLE_INT WEIR_ABI_HANDLE(MPI_Datatype, 0x22d)
#define MPI_2REAL WEIR_ABI_HANDLE(MPI_Datatype, 0x230)
#define MPI_2DOUBLE_PRECISION WEIR_ABI_HANDLE(MPI_Datatype, 0x231)
#define MPI_2INTEGER WEIR_ABI_HANDLE(MPI_Datatype, 0x232)
#define MPI_C_BOOL WEIR_ABI_HANDLE(MPI_Datatype, 0x238)
#define MPI_CXX_BOOL WEIR_ABI_HANDLE(MPI_Datatype, 0x239)
#define MPI_WCHAR WEIR_ABI_HANDLE(MPI_Datatype, 0x23c)
#define MPI_INT8_T WEIR_ABI_HANDLE(MPI_Datatype, 0x240)
#define MPI_UINT8_T WEIR_ABI_HANDLE(MPI_Datatype, 0x241)
#define MPI_CHAR WEIR_ABI_HANDLE(MPI_Datatype, 0x243)
#define MPI_SIGNED_CHAR WEIR_ABI_HANDLE(MPI_Datatype, 0x244)
#define MPI_UNSIGNED_CHAR WEIR_ABI_HANDLE(MPI_Datatype, 0x245)
#define MPI_BYTE WEIR_ABI_HANDLE(MPI_Datatype, 0x247)
#define MPI_INT16_T WEIR_ABI_HANDLE(MPI_Datatype, 0x248)
#define MPI_UINT16_T WEIR_ABI_HANDLE(MPI_Datatype, 0x249)
#define MPI_INT32_T WEIR_ABI_HANDLE(MPI_Datatype, 0x250)
#define MPI_UINT32_T WEIR_ABI_HANDLE(MPI_Datatype, 0x251)
#define MPI_INT64_T WEIR_ABI_HANDLE(MPI_Datatype, 0x258)
#define MPI_UINT64_T WEIR_ABI_HANDLE(MPI_Datatype, 0x259)
#define MPI_LOGICAL1 WEIR_ABI_HANDLE(MPI_Datatype, 0x2c0)
#define MPI_INTEGER1 WEIR_ABI_HANDLE(MPI_Datatype, 0x2c1)
#define MPI_LOGICAL2 WEIR_ABI_HANDLE(MPI_Datatype, 0x2c8)
#define MPI_INTEGER2 WEIR_ABI_HANDLE(MPI_Datatype, 0x2c9)
#define MPI_REAL2 WEIR_ABI_HANDLE(MPI_Datatype, 0x2ca)
#define MPI_LOGICAL4 WEIR_ABI_HANDLE(MPI_Datatype, 0x2d0)
#define MPI_INTEGER4 WEIR_ABI_HANDLE(MPI_Datatype, 0x2d1)
#define MPI_REAL4 WEIR_ABI_HANDLE(MPI_Datatype, 0x2d2)
#define MPI_LOGICAL8 WEIR_ABI_HANDLE(MPI_Datatype, 0x2d8)
#define MPI_INTEGER8 WEIR_ABI_HANDLE(MPI_Datatype, 0x2d9)
#define MPI_REAL8 WEIR_ABI_HANDLE(MPI_Datatype, 0x2da)
#define MPI_COMPLEX8 WEIR_ABI_HANDLE(MPI_Datatype, 0x2db)
#define MPI_INTEGER16 WEIR_ABI_HANDLE(MPI_Datatype, 0x2e1)
#define MPI_REAL16 WEIR_ABI_HANDLE(MPI_Datatype, 0x2e2)
#define MPI_COMPLEX16 WEIR_ABI_HANDLE(MPI_Datatype, 0x2e3)
#define MPI_COMPLEX32 WEIR_ABI_HANDLE(MPI_Datatype, 0x2eb)
