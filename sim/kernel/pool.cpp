#include <drydock/sim/pool.hpp>

#include <algorithm>

namespace drydock::sim {

#ifdef DRYDOCK_NO_POOL

Pool::~Pool() = default;

#else

Pool::~Pool() {
    for (void* chunk : chunks_) {
        ::operator delete(chunk, std::align_val_t{grain});
    }
}

void* Pool::carve(std::size_t bytes) {
    if (left_ < bytes) {
        // What is left of the old chunk stays unused: less than one block.
        chunks_.push_back(::operator new(next_chunk_, std::align_val_t{grain}));
        cursor_ = static_cast<std::byte*>(chunks_.back());
        left_ = next_chunk_;
        next_chunk_ = std::min(next_chunk_ * 2, largest_chunk);
    }
    void* block = cursor_;
    cursor_ += bytes;
    left_ -= bytes;
    return block;
}

#endif

}  // namespace drydock::sim
