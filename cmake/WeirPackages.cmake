# Debian packages, made by `cpack` in the build directory, of what WeirInstall.cmake installs: weir (the command),
# libweir-MPI for each host MPI it was built with, and weir-dev.

# weir_package(COMPONENT NAME DESCRIPTION): the package NAME of a component, with its licence.
function(weir_package component name description)
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_FILE_NAME DEB-DEFAULT PARENT_SCOPE)
  set(CPACK_COMPONENT_${key}_DESCRIPTION "${description}" PARENT_SCOPE)
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${name} RENAME copyright
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endfunction()

# weir_distribution(OUT): "~deb12" on Debian 12, so that packages of a later suite are newer; nothing where the suite has
# no number.
function(weir_distribution out)
  set(${out} "" PARENT_SCOPE)
  if(EXISTS /etc/os-release)
    file(STRINGS /etc/os-release line REGEX "^VERSION_ID=")
    if(line MATCHES "\"([0-9.]+)\"")
      set(${out} "~deb${CMAKE_MATCH_1}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

weir_distribution(distribution)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weir)
set(CPACK_PACKAGE_VENDOR weir)
set(CPACK_PACKAGE_CONTACT "weir maintainers <weir@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "MPI-IO for the MPI you already have")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1${distribution})
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

set(CPACK_COMPONENTS_ALL tool dev ${WEIR_INSTALLED_MPIS})
list(TRANSFORM WEIR_INSTALLED_MPIS PREPEND libweir- OUTPUT_VARIABLE libraries)
list(TRANSFORM libraries APPEND " (= ${version})")
list(JOIN libraries " | " any_library)

weir_package(tool weir
  "The weir command: runs MPI programs with weir's MPI-IO under them, measures and explains it.")
set(CPACK_DEBIAN_TOOL_PACKAGE_RECOMMENDS "${any_library}")
weir_package(dev weir-dev "Headers, pkg-config and CMake files to link programs with weir ahead of their MPI library.")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${any_library}")
foreach(mpi IN LISTS WEIR_INSTALLED_MPIS)
  weir_package(${mpi} libweir-${mpi} "Every MPI_File_* function for programs linked to ${mpi}, to be preloaded or linked.")
  string(TOUPPER ${mpi} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_RECOMMENDS "weir (= ${version})")
endforeach()
# No package need have libmpi_abi.so.1 here, which is whichever MPI's the program finds: shlibdeps would look for it.
set(CPACK_DEBIAN_ABI_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_ABI_PACKAGE_DEPENDS libc6)
include(CPack)
