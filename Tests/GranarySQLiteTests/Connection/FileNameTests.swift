import Testing

@testable import GranarySQLite

struct FileNameTests {
    /// With a folder before it a name is neither a URI nor `:memory:` to SQLite.
    @Test(arguments: [
        ("/a/b.sqlite", "/a/b.sqlite"), ("b.sqlite", "./b.sqlite"), (":memory:", "./:memory:"),
        ("file:x?mode=memory", "./file:x?mode=memory"), ("file:/a", "./file:/a"), ("../b", "./../b"), (" ", "./ "),
    ])
    func name(_ path: String, name: String) throws {
        #expect(try FileName.checked(path, origin: SQLiteError.Origin(path: path, mode: .create)) == name)
    }
}
