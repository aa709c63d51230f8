# drydock_layer(NAME [PUBLIC targets...] [PRIVATE targets...])
#
# Makes drydock_NAME (alias drydock::NAME) from every .cpp below folder NAME. Public headers are in
# NAME/include; private ones stand beside their sources and are included as "topic/x.hpp".
# A folder that has no sources yet becomes an interface library, so that it can be linked anyway.
function(drydock_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PUBLIC;PRIVATE")
    set(target drydock_${name})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
    list(REMOVE_ITEM sources
        ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp ${CMAKE_CURRENT_SOURCE_DIR}/asio/asio.cpp)

    if(sources)
        add_library(${target} STATIC ${sources})
        target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
        target_link_libraries(${target} PRIVATE ${arg_PRIVATE})
        target_precompile_headers(${target} REUSE_FROM drydock_asio)
        set(public PUBLIC)
    else()
        add_library(${target} INTERFACE)
        set(public INTERFACE)
    endif()
    target_link_libraries(${target} ${public} ${arg_PUBLIC})
    target_include_directories(${target} ${public}
        $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
    target_compile_features(${target} ${public} cxx_std_20)

    add_library(drydock::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    set_property(GLOBAL APPEND PROPERTY DRYDOCK_LAYERS ${name})
endfunction()
