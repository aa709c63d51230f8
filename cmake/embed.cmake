# drydock_embed(TARGET FILE SYMBOL)
#
# Puts a text file into TARGET as `extern const std::string_view SYMBOL` in drydock::embedded, to be
# included as "embedded/SYMBOL.hpp". The file is read at build time; editing it rebuilds one object.
function(drydock_embed target file symbol)
    get_filename_component(file ${file} ABSOLUTE)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/generated)
    set(stem ${folder}/embedded/${symbol})
    set(script ${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake)
    add_custom_command(
        OUTPUT ${stem}.cpp ${stem}.hpp
        COMMAND ${CMAKE_COMMAND} -D FILE=${file} -D SYMBOL=${symbol} -D STEM=${stem} -P ${script}
        DEPENDS ${file} ${script}
        COMMENT "Embedding ${symbol}"
        VERBATIM)
    target_sources(${target} PRIVATE ${stem}.cpp ${stem}.hpp)
    target_include_directories(${target} PRIVATE ${folder})
endfunction()
