/// Where the store of a test is.
public enum FixtureStorage: String, Sendable, Hashable, CaseIterable {
    /// In memory: the quickest. The tests share the rows until they change them. Decimals keep all their digits, and
    /// derived attributes are NULL.
    case inMemory
    /// In an SQLite file in a temporary folder, with Core Data's layout: derived attributes and external data are as in
    /// an app, and the copy of a store that has a persistent history continues it. The file is a copy of one that is
    /// built once; it shares its blocks where the file system supports it.
    case temporaryFile
}
