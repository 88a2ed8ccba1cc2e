// SPDX-License-Identifier: Apache-2.0
// POSIX files behind the interfaces of base/file.h.
#include <headroom/base/error.h>
#include <headroom/base/file.h>
#include <headroom/base/text.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace headroom {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

std::string shown(const std::filesystem::path& path) {
  return printable(path.string());
}

[[noreturn]] void throw_unwritable(const std::filesystem::path& path, int error) {
  const ErrorKind kind =
      error == ENOSPC || error == EDQUOT ? ErrorKind::Limit : ErrorKind::NotFound;
  throw Error(kind, fmt::format("cannot write '{}': {}", shown(path), std::strerror(error)));
}

void write_all(int descriptor, std::string_view content, const std::filesystem::path& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_unwritable(path, errno);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.value() < 0) {
    throw Error(ErrorKind::NotFound,
                fmt::format("cannot open '{}': {}", shown(path), std::strerror(errno)));
  }
  struct stat facts {};
  if (::fstat(file.value(), &facts) != 0) {
    throw Error(ErrorKind::NotFound,
                fmt::format("cannot stat '{}': {}", shown(path), std::strerror(errno)));
  }
  if (!S_ISREG(facts.st_mode)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("'{}' is {}; a regular file is needed", shown(path),
                            S_ISDIR(facts.st_mode) ? "a directory" : "not a regular file"));
  }
  size_ = static_cast<std::size_t>(facts.st_size);
  if (size_ == 0) return;
  void* data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.value(), 0);
  if (data == MAP_FAILED) {
    throw Error(ErrorKind::NotFound,
                fmt::format("cannot map '{}': {}", shown(path), std::strerror(errno)));
  }
  data_ = static_cast<const std::byte*>(data);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

std::string read_text_file(const std::filesystem::path& path, std::uint64_t limit) {
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  if (bytes.size() > limit) {
    throw Error(ErrorKind::BadInput, fmt::format("'{}' has {} bytes; at most {} are read",
                                                 shown(path), bytes.size(), limit));
  }
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  const std::filesystem::path temporary = path.string() + fmt::format(".{}.tmp", ::getpid());
  try {
    const Descriptor file(
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.value() < 0) throw_unwritable(path, errno);
    write_all(file.value(), content, path);
    if (::fsync(file.value()) != 0) throw_unwritable(path, errno);
    if (::rename(temporary.c_str(), path.c_str()) != 0) throw_unwritable(path, errno);
  } catch (const Error&) {
    ::unlink(temporary.c_str());
    throw;
  }
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const MappedFile file(path);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), file.bytes().data(), file.bytes().size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), digest.data(), &length) != 1)
    throw Error(ErrorKind::Internal, "OpenSSL could not compute a SHA-256 digest");
  std::string text;
  for (unsigned int i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

}  // namespace headroom
