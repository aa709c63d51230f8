# drydock_embed(TARGET FILE SYMBOL)
#
# Puts a text file into TARGET as `extern const std::string_view SYMBOL` in drydock::embedded, to be
# included as "embedded/SYMBOL.hpp". Done while configuring, which an edit of FILE repeats, so that
# tools that only parse the sources find the header too.
function(drydock_embed target file symbol)
    get_filename_component(file ${file} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})

    # Bytes, not a string literal: compilers need not accept a literal over 65535 characters, and a
    # raw one could meet its own delimiter.
    file(READ ${file} hex HEX)
    string(REPEAT "[0-9a-f]" 32 line)
    string(REGEX REPLACE "(${line})" "\\1\n" bytes "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")

    set(folder ${CMAKE_CURRENT_BINARY_DIR}/generated)
    foreach(ending hpp cpp)
        set(output ${folder}/embedded/${symbol}.${ending})
        configure_file(${PROJECT_SOURCE_DIR}/cmake/embedded.${ending}.in ${output} @ONLY)
        target_sources(${target} PRIVATE ${output})
    endforeach()
    target_include_directories(${target} PRIVATE ${folder})
endfunction()
