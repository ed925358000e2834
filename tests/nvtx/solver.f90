! SPDX-License-Identifier: MIT
! A Fortran program that is annotated the way Fortran programs are: interfaces to C functions, and a
! library to link with.
program solver
	use, intrinsic :: iso_c_binding
	implicit none

	interface
		integer(c_int) function nvtxRangePushA(name) bind(c, name='nvtxRangePushA')
			import :: c_int, c_char
			character(kind=c_char), intent(in) :: name(*)
		end function
		integer(c_int) function nvtxRangePop() bind(c, name='nvtxRangePop')
			import :: c_int
		end function
	end interface

	integer :: sweep
	integer(c_int) :: depth

	depth = nvtxRangePushA('solve' // c_null_char)
	do sweep = 1, 3
		depth = nvtxRangePushA('sweep' // c_null_char)
		depth = nvtxRangePop()
	end do
	depth = nvtxRangePop()
	print '(a,i0)', 'depth ', depth
end program
