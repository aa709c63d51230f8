# After installation, find_package(drydock) gives drydock::lib and the layers above it. The command
# line is an executable, not a library to link.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

function(drydock_install)
    get_property(layers GLOBAL PROPERTY DRYDOCK_LAYERS)
    list(REMOVE_ITEM layers cli)
    set(package ${CMAKE_INSTALL_LIBDIR}/cmake/drydock)

    list(TRANSFORM layers PREPEND drydock_ OUTPUT_VARIABLE targets)
    install(TARGETS drydock_asio ${targets} EXPORT drydock)
    foreach(layer ${layers})
        if(EXISTS ${PROJECT_SOURCE_DIR}/${layer}/include)
            install(DIRECTORY ${layer}/include/ TYPE INCLUDE)
        endif()
    endforeach()

    install(EXPORT drydock NAMESPACE drydock:: FILE drydock-targets.cmake DESTINATION ${package})
    write_basic_package_version_file(drydock-config-version.cmake COMPATIBILITY SameMinorVersion)
    install(FILES ${PROJECT_SOURCE_DIR}/cmake/drydock-config.cmake
        ${CMAKE_CURRENT_BINARY_DIR}/drydock-config-version.cmake DESTINATION ${package})
endfunction()
