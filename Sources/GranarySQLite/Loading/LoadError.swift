import Foundation

/// An error of loading.
package struct LoadError: Error, Sendable {
    package let path: String
    package let message: String
    /// Whether the disk is full or the file has reached its maximum size.
    package let isFull: Bool
    /// Whether two rows have the same values in a unique index.
    package let isUnique: Bool

    init(path: String, _ message: String, isUnique: Bool = false) {
        self.path = path
        self.message = message
        self.isUnique = isUnique
        isFull = false
    }

    init(path: String, errno: Int32) {
        self.path = path
        message = String(cString: strerror(errno))
        isUnique = false
        isFull = errno == ENOSPC || errno == EFBIG || errno == EDQUOT
    }
}
