import GranaryCoordination

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension SQLiteStore {
    /// All files and folders that belong to the store at a path, including those that do not exist: its file, its journal and
    /// log, the folder of its external data, and that of its runs.
    package static func files(ofStore path: String) -> [String] {
        [path] + PublishedFile.companionSuffixes.map { path + $0 }
            + [supportFolder(ofStore: path), RunFolder.root(ofStore: path)]
    }

    /// The file mode for outputs with a store's values: the store's own read and write permissions, and always read and write
    /// for the owner. For a store that does not exist, it is 0666; the umask is applied in any case.
    package static func permissions(ofStore path: String) -> UInt32 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0o666 }
        return UInt32(status.st_mode) & 0o666 | 0o600
    }
}
