#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Who may write a file and make others beside it, as far as the file system tells.
enum WritePermission: Sendable {
    case byUs
    case byOthers
    /// Nobody, the system's administrator aside.
    case byNobody

    /// - Parameter file: an absolute path without links.
    static func of(_ file: String) -> WritePermission {
        let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let folder = parts.count > 1 ? parts.joined(separator: "/") : "/"
        // ST_RDONLY: a medium that is mounted for reading only.
        var medium = statvfs()
        if statvfs(file, &medium) == 0, medium.f_flag & 1 != 0 { return .byNobody }
        var (inner, outer) = (stat(), stat())
        if stat(file, &inner) == 0, stat(folder, &outer) == 0, (inner.st_mode | outer.st_mode) & 0o222 == 0 {
            return .byNobody
        }
        return access(file, W_OK) == 0 && access(folder, W_OK) == 0 ? .byUs : .byOthers
    }
}
