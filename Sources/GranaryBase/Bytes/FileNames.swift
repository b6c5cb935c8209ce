internal import GranaryCSystem
import Foundation

/// Operations on file names that POSIX `rename` alone does not offer.
package enum FileNames {
    /// Exchanges two names atomically. On file systems that do not support this, it uses three renames.
    package static func exchange(_ first: String, _ second: String) -> Bool {
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

    /// Renames a file to a name that must not exist, atomically if the file system supports it. Otherwise it makes a
    /// hard link and removes the old name; on file systems without hard links, it checks the name and then renames.
    ///
    /// - Returns: false if the name exists (`errno` is `EEXIST`) or the rename failed (`errno` has the reason).
    package static func moveToFreeName(_ first: String, _ second: String) -> Bool {
        if granary_rename_to_free_name(first, second) == 0 { return true }
        guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP else { return false }
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
