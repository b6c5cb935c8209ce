import Foundation
import GranaryBase

/// Who may write to a file and create files beside it, according to the file system.
enum WritePermission: Sendable {
    case byUs
    case byOthers
    /// Nobody, except the administrator.
    case byNobody

    /// - Parameter file: an absolute path without links.
    static func of(_ file: String) -> WritePermission {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.count > 1 ? parts.joined(separator: "/") : "/"
        // ST_RDONLY: the volume is mounted read-only.
        var medium = statvfs()
        if statvfs(file, &medium) == 0, medium.f_flag & 1 != 0 { return .byNobody }
        var (inner, outer) = (stat(), stat())
        if stat(file, &inner) == 0, stat(folder, &outer) == 0, (inner.st_mode | outer.st_mode) & 0o222 == 0 {
            return .byNobody
        }
        return access(file, W_OK) == 0 && access(folder, W_OK) == 0 ? .byUs : .byOthers
    }
}
