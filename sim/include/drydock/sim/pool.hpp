#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <vector>

namespace drydock::sim {

/// Recycled memory for whatever the kernel allocates per event. One Pool may serve many Worlds one
/// after the other, so that a campaign does not pay malloc per run; it must outlive them. Not
/// thread-safe. With DRYDOCK_NO_POOL every block is a plain `new`, so that sanitizers see it.
class Pool {
public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool();

    /// Memory that starts a cache line. Give it back with the same size.
    void* take(std::size_t bytes) {
        ++live_;
#ifndef DRYDOCK_NO_POOL
        const std::size_t size_class = class_of(bytes);
        if (size_class < class_count) {
            if (Free* block = free_[size_class]) {
                free_[size_class] = block->next;
                return block;
            }
            return carve(size_class * grain);
        }
#endif
        return ::operator new(bytes, std::align_val_t{grain});
    }

    void give(void* memory, std::size_t bytes) noexcept {
        --live_;
#ifndef DRYDOCK_NO_POOL
        const std::size_t size_class = class_of(bytes);
        if (size_class < class_count) {
            auto* block = static_cast<Free*>(memory);
            block->next = free_[size_class];
            free_[size_class] = block;
            return;
        }
#endif
        ::operator delete(memory, bytes, std::align_val_t{grain});
    }

    /// Blocks taken and not given back: 0 between worlds, else something leaked.
    std::size_t live() const noexcept { return live_; }

private:
    struct Free {
        Free* next;
    };
    // Whole cache lines: with many clients an op is cold when its turn comes, and a line that it
    // shares with another one is a line more to fetch.
    static constexpr std::size_t grain = 64;
    static constexpr std::size_t class_count = 17;  // blocks of up to 1 KiB
    static constexpr std::size_t smallest_chunk = 4096;
    static constexpr std::size_t largest_chunk = 256 * 1024;

    static constexpr std::size_t class_of(std::size_t bytes) {
        return bytes == 0 ? 1 : (bytes + grain - 1) / grain;
    }
    void* carve(std::size_t bytes);

#ifndef DRYDOCK_NO_POOL
    std::array<Free*, class_count> free_{};
    std::byte* cursor_ = nullptr;
    std::size_t left_ = 0;
    std::size_t next_chunk_ = smallest_chunk;
    std::vector<void*> chunks_;
#endif
    std::size_t live_ = 0;
};

/// Lets a standard container live in a Pool.
template <class T>
class PoolAllocator {
public:
    using value_type = T;

    explicit PoolAllocator(Pool& pool) noexcept : pool_(&pool) {}
    template <class U>
    PoolAllocator(const PoolAllocator<U>& other) noexcept : pool_(other.pool()) {}

    T* allocate(std::size_t count) { return static_cast<T*>(pool_->take(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t count) noexcept {
        pool_->give(memory, count * sizeof(T));
    }
    Pool* pool() const noexcept { return pool_; }

    template <class U>
    bool operator==(const PoolAllocator<U>& other) const noexcept {
        return pool_ == other.pool();
    }

private:
    Pool* pool_;
};

}  // namespace drydock::sim
