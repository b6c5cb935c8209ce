internal import CSystem
import Foundation

/// Operations on file names that POSIX `rename` alone does not offer.
enum FileNames {
    /// Exchanges two names atomically. On file systems that do not support this, it uses three renames.
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

    /// Renames a file to a name that must not exist. On file systems without hard links, it checks the name and then
    /// renames, which is not atomic.
    ///
    /// - Returns: false if the name exists (`errno` is `EEXIST`) or the rename failed (`errno` has the reason).
    static func moveToFreeName(_ first: String, _ second: String) -> Bool {
        // `link` fails if the name exists; `rename` would replace the file.
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
