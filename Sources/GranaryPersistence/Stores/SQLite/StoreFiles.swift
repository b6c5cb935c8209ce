extension SQLiteStore {
    /// All files and folders that belong to the store at a path, including those that do not exist: its file, its journal and
    /// log, the folder of its external data, and that of its runs.
    package static func files(ofStore path: String) -> [String] {
        [path] + PublishedFile.companionSuffixes.map { path + $0 }
            + [supportFolder(ofStore: path), RunFolder.root(ofStore: path)]
    }
}
