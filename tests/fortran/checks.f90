! Counting failures, and telling them with the rank's number.
module checks
  implicit none
  integer :: failures = 0
  integer :: my_rank = -1
contains
  subroutine expect(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what
    if (holds) return
    failures = failures + 1
    print '(a,i0,a,a)', '[rank ', my_rank, '] FAILED: ', what
  end subroutine expect

  subroutine expect_equal(found, expected, what)
    integer, intent(in) :: found, expected
    character(*), intent(in) :: what
    if (found == expected) return
    failures = failures + 1
    print '(a,i0,a,a,a,i0,a,i0)', '[rank ', my_rank, '] FAILED: ', what, ': ', found, ', expected ', expected
  end subroutine expect_equal
end module checks
