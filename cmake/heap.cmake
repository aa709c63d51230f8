find_package(mimalloc REQUIRED)

# For programs that make worlds by the thousand: a sixth of a world's time goes to the heap, and with
# mimalloc's the whole takes a tenth less. Sanitizers bring a heap of their own.
function(drydock_heap program)
    if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
        target_link_libraries(${program} PRIVATE -Wl,--push-state,--no-as-needed mimalloc
            -Wl,--pop-state)
    endif()
endfunction()
