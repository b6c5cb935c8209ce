internal import CSystem
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

enum FileNames {
    /// Exchanges two names. File systems that cannot do it in one step get three renames.
    static func exchange(_ first: String, _ second: String) -> Bool {
        if granary_exchange_names(first, second) == 0 { return true }
        guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP else { return false }
        let aside = "\(second).\(UUID().uuidString).old"
        guard rename(second, aside) == 0 else { return false }
        guard rename(first, second) == 0 else {
            let code = errno
            rename(aside, second)
            errno = code
            return false
        }
        return rename(aside, first) == 0
    }

    /// Gives a file a name that must be free. A file system without hard links gets a look and a rename.
    ///
    /// - Returns: false where the name is taken, or with the reason in `errno`.
    static func moveToFreeName(_ first: String, _ second: String) -> Bool {
        // A hard link fails where the name is taken.
        if link(first, second) == 0 {
            unlink(first)
            return true
        }
        if errno == EEXIST { return false }
        guard FileKind(second) == .missing else {
            errno = EEXIST
            return false
        }
        return rename(first, second) == 0
    }
}
