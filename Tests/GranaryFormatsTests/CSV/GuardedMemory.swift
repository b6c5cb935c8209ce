import Foundation
import Testing

/// Memory that is followed by a page that can be neither read nor written, so that each access behind the end shows.
final class GuardedMemory {
    let end: UnsafeMutablePointer<UInt8>
    private let start: UnsafeMutableRawPointer
    private let length: Int

    /// - Parameter count: the number of bytes before the end that can be used.
    init(_ count: Int) throws {
        let page = Int(getpagesize())
        let usable = (count + page - 1) / page * page
        length = usable + page
        #if canImport(Darwin)
            let flags = MAP_PRIVATE | MAP_ANON
        #else
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
        #endif
        let mapped: UnsafeMutableRawPointer? = mmap(nil, length, PROT_READ | PROT_WRITE, flags, -1, 0)
        start = try #require(mapped)
        // Fails too if no memory was mapped.
        let isGuarded = mprotect(start + usable, page, PROT_NONE) == 0
        try #require(isGuarded)
        end = (start + usable).assumingMemoryBound(to: UInt8.self)
    }

    deinit { munmap(start, length) }
}
