# What `cmake --install` puts where, relative to the prefix:
#   bin/weir                              the command
#   LIBDIR/weir/MPI/libweir.so            the library, one per host MPI
#   LIBDIR/weir/MPI/workloads, replay, b_eff_io, machine   the programs of `weir bench` and `weir doctor`, one each per MPI
#   share/weir/report                     pages that `weir report` and `weir reproduce` fill in, where they were made
#   share/weir/b_eff_io                   hints files of `weir bench b_eff_io --methods shipping`
#   share/weir/reproduction.md            what explains claims that disagree, for `weir reproduce`
#   LIBDIR/cmake/weir                     find_package(weir): weir::MPI
#   LIBDIR/pkgconfig/weir-MPI.pc          to link a program with weir ahead of its MPI library
#   include/weir, share/man, share/doc    headers, manual page, licence
# Nothing installed names the prefix: a tree may be moved as a whole. COMPONENT says which package a file goes to
# (WeirPackages.cmake): tool, dev, or the name of the host MPI.

include(CMakePackageConfigHelpers)

install(TARGETS weir_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
install(FILES ${CMAKE_BINARY_DIR}/share/weir/report/page.html ${CMAKE_BINARY_DIR}/share/weir/report/claims.html
        DESTINATION ${CMAKE_INSTALL_DATADIR}/weir/report COMPONENT tool OPTIONAL)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/src/model/machines DESTINATION ${CMAKE_INSTALL_DATADIR}/weir COMPONENT tool)
install(DIRECTORY ${CMAKE_BINARY_DIR}/share/weir/b_eff_io DESTINATION ${CMAKE_INSTALL_DATADIR}/weir COMPONENT tool)
install(FILES docs/reproduction.md DESTINATION ${CMAKE_INSTALL_DATADIR}/weir COMPONENT tool)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/weir DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool
        FILES_MATCHING PATTERN "*.1")
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT tool)

# weir_linked_ahead(OUT DIRECTORY): the linker words that keep libweir.so of DIRECTORY as a needed library even where
# only another library (HDF5, say) makes file calls, and that let it be found at run time.
function(weir_linked_ahead out directory)
  set(${out} "-Wl,--push-state,--no-as-needed,${directory}/libweir.so,--pop-state -Wl,-rpath,${directory}" PARENT_SCOPE)
endfunction()

set(WEIR_INSTALLED_MPIS)
file(RELATIVE_PATH WEIR_PREFIX_FROM_PC ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(mpi IN LISTS WEIR_LIBRARIES)
  list(APPEND WEIR_INSTALLED_MPIS ${mpi})
  # An MPI outside of the system's directories is found again by the path it was linked by.
  set(programs)
  if(mpi IN_LIST HOST_MPIS)
    set(programs workloads_${mpi} replay_${mpi} b_eff_io_${mpi} machine_${mpi})
  endif()
  if(NOT mpi STREQUAL "abi")
    set_target_properties(weir_${mpi} ${programs} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
  install(TARGETS weir_${mpi} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/weir/${mpi} COMPONENT ${mpi})
  install(TARGETS ${programs} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/weir/${mpi}
          COMPONENT ${mpi})
  set(WEIR_MPI ${mpi})
  weir_linked_ahead(WEIR_LINK_WORDS "\${library_dir}")
  configure_file(${CMAKE_SOURCE_DIR}/cmake/weir.pc.in ${CMAKE_BINARY_DIR}/weir-${mpi}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/weir-${mpi}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

if("mpich" IN_LIST WEIR_INSTALLED_MPIS)
  install(TARGETS bench_idle LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/weir/mpich COMPONENT mpich)
endif()

set(WEIR_LIBRARY_DIR ${CMAKE_INSTALL_LIBDIR}/weir)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/weirConfig.cmake.in ${CMAKE_BINARY_DIR}/weirConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weir
                              PATH_VARS WEIR_LIBRARY_DIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/weirConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/weirConfig.cmake ${CMAKE_BINARY_DIR}/weirConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weir COMPONENT dev)

include(WeirPackages)
