#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>

namespace repose::optimized {

/// An array for large, aligned, trivially copyable data: starts on a cache line (or a huge page, if it is that large),
/// grows without initializing and never runs constructors.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() { std::free(data_); }

  /// Makes room for `count` elements and keeps the first size() of them.
  void resize(std::size_t count);

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return capacity_ * sizeof(T); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Memory aligned for vectors and, from 4 MiB on, for transparent huge pages. @throws std::bad_alloc
void* allocate_aligned(std::size_t bytes);
void copy_bytes(void* to, const void* from, std::size_t bytes);

template <class T>
void Buffer<T>::resize(std::size_t count) {
  if (count > capacity_) {
    // A first allocation is exact; growth leaves room, so that a slowly growing set does not copy every step.
    const std::size_t room = capacity_ == 0 ? count : count + count / 8;
    T* fresh = static_cast<T*>(allocate_aligned(room * sizeof(T)));
    if (size_ > 0) copy_bytes(fresh, data_, size_ * sizeof(T));
    std::free(data_);
    data_ = fresh;
    capacity_ = room;
  }
  size_ = count;
}

}  // namespace repose::optimized
