! The file chapter through one Fortran interface, chosen when compiling: -DWITH_MPIF_H, -DWITH_MPI or -DWITH_MPI_F08.
#if defined(WITH_MPI_F08)
#define USE_MPI use mpi_f08
#define HANDLE(name) type(name)
#define STATUS type(MPI_Status)
#define NUMBER(handle) handle%MPI_VAL
#elif defined(WITH_MPI)
#define USE_MPI use mpi
#define HANDLE(name) integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define NUMBER(handle) handle
#else
#define USE_MPI
#define HANDLE(name) integer
#define STATUS integer, dimension(MPI_STATUS_SIZE)
#define NUMBER(handle) handle
#endif
#if defined(WITH_MPIF_H)
#define INCLUDE_MPI include 'mpif.h'
#else
#define INCLUDE_MPI
#endif

! The error handler of the test, and what it was called with.
module handlers
  USE_MPI
  implicit none
  INCLUDE_MPI
  integer :: handler_calls = 0
  integer :: handler_file = -1
  integer :: handler_code = 0
contains
  subroutine on_error(file, code)
    HANDLE(MPI_File) :: file
    integer :: code
    handler_calls = handler_calls + 1
    handler_file = NUMBER(file)
    handler_code = code
  end subroutine on_error
end module handlers

module chapter
  USE_MPI
  use, intrinsic :: iso_c_binding, only: c_int
  use checks
  use handlers, only: on_error, handler_calls, handler_file, handler_code
  implicit none
  INCLUDE_MPI
  integer, parameter :: elements = 8
  integer :: ranks = 0

  interface
    integer(c_int) function c_write_int(file, offset, value) bind(c)
      import :: c_int
      integer(c_int), value :: file, offset, value
    end function c_write_int
    integer(c_int) function c_round_trip(file) bind(c)
      import :: c_int
      integer(c_int), value :: file
    end function c_round_trip
    integer(c_int) function c_null_file() bind(c)
      import :: c_int
    end function c_null_file
  end interface

contains

  ! Blocks of two integers, dealt out to the ranks in turn.
  subroutine view_and_collective_access(file)
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Datatype) :: blocks, etype, file_type
    STATUS :: status
    integer(MPI_OFFSET_KIND) :: displacement
    integer :: values(elements), found(elements), code, count, i
    character(len=MPI_MAX_DATAREP_STRING) :: datarep
    call MPI_Type_vector(elements / 2, 2, 2 * ranks, MPI_INTEGER, blocks, code)
    call MPI_Type_commit(blocks, code)
    displacement = 8 * my_rank
    call MPI_File_set_view(file, displacement, MPI_INTEGER, blocks, 'native', MPI_INFO_NULL, code)
    call expect_equal(code, MPI_SUCCESS, 'set_view')
    call MPI_Type_free(blocks, code)
    values = [(1000 * my_rank + i, i = 1, elements)]
    displacement = 0
    call MPI_File_write_at_all(file, displacement, values, elements, MPI_INTEGER, status, code)
    call expect_equal(code, MPI_SUCCESS, 'write_at_all')
    call MPI_Get_count(status, MPI_INTEGER, count, code)
    call expect_equal(count, elements, 'count of write_at_all')
    found = -1
    call MPI_File_read_at_all(file, displacement, found, elements, MPI_INTEGER, status, code)
    call expect_equal(code, MPI_SUCCESS, 'read_at_all')
    call expect(all(found == values), 'what read_at_all found')
    call MPI_File_get_view(file, displacement, etype, file_type, datarep, code)
    call expect_equal(code, MPI_SUCCESS, 'get_view')
    call expect_equal(int(displacement), 8 * my_rank, 'displacement of the view')
    call expect(datarep == 'native', 'data representation of the view')
    call expect(NUMBER(etype) == NUMBER(MPI_INTEGER), 'etype of the view')
    call MPI_Type_free(file_type, code)
  end subroutine view_and_collective_access

  subroutine check_interleaving(file)
    HANDLE(MPI_File) :: file
    STATUS :: status
    integer(MPI_OFFSET_KIND) :: zero
    integer, allocatable :: all_values(:)
    integer :: code, i, expected, block
    zero = 0
    allocate(all_values(elements * ranks))
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call MPI_File_set_view(file, zero, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, code)
    call MPI_File_read_at(file, zero, all_values, elements * ranks, MPI_INTEGER, status, code)
    do i = 0, elements * ranks - 1
      block = i / 2
      expected = 1000 * mod(block, ranks) + 2 * (block / ranks) + mod(i, 2) + 1
      call expect_equal(all_values(i + 1), expected, 'an element of the shared array')
    end do
    call MPI_Barrier(MPI_COMM_WORLD, code)
  end subroutine check_interleaving

  subroutine nonblocking_and_split_access(file)
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Request) :: request, requests(2)
    STATUS :: status
#if defined(WITH_MPI_F08)
    type(MPI_Status) :: statuses(2)
#else
    integer :: statuses(MPI_STATUS_SIZE, 2)
#endif
    integer(MPI_OFFSET_KIND) :: place
    integer :: first(4), second(4), found(8), code, count
    first = my_rank
    second = -my_rank
    place = 8 * my_rank
    call MPI_File_iwrite_at(file, place, first, 4, MPI_INTEGER, requests(1), code)
    call MPI_File_iwrite_at(file, place + 4, second, 4, MPI_INTEGER, requests(2), code)
    call MPI_Waitall(2, requests, statuses, code)
    call expect_equal(code, MPI_SUCCESS, 'waitall')
#if defined(WITH_MPI_F08)
    call MPI_Get_count(statuses(2), MPI_INTEGER, count, code)
#else
    call MPI_Get_count(statuses(:, 2), MPI_INTEGER, count, code)
#endif
    call expect_equal(count, 4, 'count of the second iwrite_at')
    call MPI_File_iread_at_all(file, place, found, 8, MPI_INTEGER, request, code)
    call MPI_Wait(request, status, code)
    call expect_equal(code, MPI_SUCCESS, 'wait')
    call expect(all(found(1:4) == my_rank) .and. all(found(5:8) == -my_rank), 'what iread_at_all found')
    call expect(NUMBER(request) == NUMBER(MPI_REQUEST_NULL), 'the request afterwards')
    call MPI_File_seek(file, place, MPI_SEEK_SET, code)
    call MPI_File_write_all_begin(file, second, 4, MPI_INTEGER, code)
    call MPI_File_write_all_end(file, second, status, code)
    call expect_equal(code, MPI_SUCCESS, 'write_all_end')
    call MPI_File_get_position(file, place, code)
    call expect_equal(int(place), 8 * my_rank + 4, 'position after a split write')
  end subroutine nonblocking_and_split_access

  subroutine shared_pointers(file)
    HANDLE(MPI_File) :: file
    STATUS :: status
    integer(MPI_OFFSET_KIND) :: place
    integer :: code, value, found
    place = 0
    value = 7 + my_rank
    call MPI_File_seek_shared(file, place, MPI_SEEK_SET, code)
    call MPI_File_write_ordered(file, value, 1, MPI_INTEGER, status, code)
    call expect_equal(code, MPI_SUCCESS, 'write_ordered')
    call MPI_File_write_shared(file, value, 1, MPI_INTEGER, status, code)
    call MPI_Barrier(MPI_COMM_WORLD, code)
    call MPI_File_get_position_shared(file, place, code)
    call expect_equal(int(place), 2 * ranks, 'shared position')
    place = my_rank
    call MPI_File_read_at(file, place, found, 1, MPI_INTEGER, status, code)
    call expect_equal(found, value, 'what write_ordered wrote')
    call MPI_Barrier(MPI_COMM_WORLD, code)
  end subroutine shared_pointers

  subroutine error_handlers(file)
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Errhandler) :: handler, current
    STATUS :: status
    integer(MPI_OFFSET_KIND) :: zero
    integer :: code, class, value, ignored
    zero = 0
    value = 0
    call MPI_File_create_errhandler(on_error, handler, code)
    call expect_equal(code, MPI_SUCCESS, 'create_errhandler')
    call MPI_File_set_errhandler(file, handler, code)
    call MPI_File_get_errhandler(file, current, code)
    call expect(NUMBER(current) == NUMBER(handler), 'get_errhandler')
    call MPI_File_write_at(file, zero, value, -1, MPI_INTEGER, status, code)
    call MPI_Error_class(code, class, ignored)
    call expect_equal(class, MPI_ERR_COUNT, 'class of a negative count')
    call expect_equal(handler_calls, 1, 'calls of the error handler')
    call expect_equal(handler_file, NUMBER(file), 'file given to the error handler')
    call MPI_File_call_errhandler(file, MPI_ERR_NO_SPACE, code)
    call expect_equal(handler_calls, 2, 'calls of the error handler after call_errhandler')
    call expect_equal(handler_code, MPI_ERR_NO_SPACE, 'code given to the error handler')
    call MPI_File_set_errhandler(file, MPI_ERRORS_RETURN, code)
    call MPI_Errhandler_free(handler, code)
  end subroutine error_handlers

  subroutine facts(file)
    HANDLE(MPI_File) :: file
    HANDLE(MPI_Info) :: info
    character(len=MPI_MAX_INFO_KEY) :: key
    integer :: code, keys, i, amode
    logical :: is_weir
    call MPI_File_get_amode(file, amode, code)
    call expect_equal(amode, MPI_MODE_CREATE + MPI_MODE_RDWR, 'amode')
    call MPI_File_get_info(file, info, code)
    call expect_equal(code, MPI_SUCCESS, 'get_info')
    call MPI_Info_get_nkeys(info, keys, code)
    is_weir = .false.
    do i = 0, keys - 1
      call MPI_Info_get_nthkey(info, i, key, code)
      if (key(1:5) == 'weir_') is_weir = .true.
    end do
    call expect(is_weir, 'a hint of weir in the info: is it weir at all?')
    call MPI_Info_free(info, code)
  end subroutine facts

  subroutine conversions(file)
    HANDLE(MPI_File) :: file
    HANDLE(MPI_File) :: null_file
    STATUS :: status
    integer(MPI_OFFSET_KIND) :: place
    integer :: code, found
    null_file = MPI_FILE_NULL
    call expect_equal(int(c_round_trip(NUMBER(file))), NUMBER(file), 'a handle after a trip to C')
    call expect_equal(int(c_null_file()), NUMBER(null_file), 'the null handle from C')
    call expect_equal(int(c_write_int(NUMBER(file), my_rank, 4711 + my_rank)), 0, 'a write from C')
    place = my_rank
    call MPI_File_read_at(file, place, found, 1, MPI_INTEGER, status, code)
    call expect_equal(found, 4711 + my_rank, 'what C wrote')
  end subroutine conversions

#if defined(LARGE_COUNTS)
  ! The same names with counts of 64 bits: the large-count functions of C.
  subroutine large_counts(file)
    HANDLE(MPI_File) :: file
    STATUS :: status
    integer(MPI_COUNT_KIND) :: many, count
    integer(MPI_OFFSET_KIND) :: place
    integer :: values(elements), code
    ! Open MPI 6.0.0rc2 declares the buffers of large reads as if they were not changed.
    integer, volatile :: found(elements)
    many = elements
    place = elements * my_rank
    values = 500 + my_rank
    call MPI_File_set_view(file, 0_MPI_OFFSET_KIND, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, code)
    call MPI_File_write_at_all(file, place, values, many, MPI_INTEGER, status, code)
    call expect_equal(code, MPI_SUCCESS, 'large write_at_all')
    call MPI_Get_count(status, MPI_INTEGER, count, code)
    call expect_equal(int(count), elements, 'large count')
    found = 0
    call MPI_File_read_at(file, place, found, many, MPI_INTEGER, status, code)
    call expect_equal(code, MPI_SUCCESS, 'large read_at')
    call expect(all(found == values), 'large values')
  end subroutine large_counts
#endif

  subroutine failing_open(path)
    character(*), intent(in) :: path
    HANDLE(MPI_File) :: file
    integer :: code, class, ignored
    call MPI_File_open(MPI_COMM_WORLD, path // '.missing', MPI_MODE_RDONLY, MPI_INFO_NULL, file, code)
    call MPI_Error_class(code, class, ignored)
    call expect_equal(class, MPI_ERR_NO_SUCH_FILE, 'class of an open that failed')
  end subroutine failing_open
end module chapter

program file_chapter
  use chapter  ! and MPI with it
  use checks
  implicit none
  HANDLE(MPI_File) :: file
  HANDLE(MPI_Info) :: info
  character(len=1000) :: directory
  character(len=:), allocatable :: path
  integer(MPI_OFFSET_KIND) :: bytes
  integer :: code, all_failures
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, my_rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, code)
  call get_environment_variable('TEST_DIR', directory)
  path = trim(directory) // '/fortran_file'
  call MPI_Info_create(info, code)
  call MPI_Info_set(info, 'cb_buffer_size', '1048576', code)
  ! A name with blanks at its end, as Fortran strings have them.
  call MPI_File_open(MPI_COMM_WORLD, path // '   ', MPI_MODE_CREATE + MPI_MODE_RDWR, info, file, code)
  call expect_equal(code, MPI_SUCCESS, 'open')
  call MPI_Info_free(info, code)
  call view_and_collective_access(file)
  call check_interleaving(file)
  call nonblocking_and_split_access(file)
  call MPI_Barrier(MPI_COMM_WORLD, code)
  call shared_pointers(file)
  call error_handlers(file)
  call facts(file)
  call conversions(file)
#if defined(LARGE_COUNTS)
  call large_counts(file)
#endif
  call failing_open(path)
  call MPI_File_sync(file, code)
  call MPI_File_get_size(file, bytes, code)
  call expect_equal(int(bytes), 32 * ranks, 'size')
  call MPI_File_close(file, code)
  call expect_equal(code, MPI_SUCCESS, 'close')
  call MPI_Barrier(MPI_COMM_WORLD, code)
  if (my_rank == 0) call MPI_File_delete(path, MPI_INFO_NULL, code)
  call MPI_Allreduce(failures, all_failures, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  if (my_rank == 0) print '(i0,a,i0,a)', all_failures, ' failures on ', ranks, ' ranks'
  call MPI_Finalize(code)
  if (all_failures > 0) call exit(1)
end program file_chapter
