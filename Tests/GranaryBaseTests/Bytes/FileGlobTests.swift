import Foundation
import GranaryBase
import TestSupport
import Testing

@Suite struct FileGlobTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["b.csv", "a.csv", "Z.csv", "ä.csv", "c[1].csv", ".hidden.csv", "a.json"] {
            _ = try folder.write("", to: name)
        }
    }

    @Test(arguments: [
        ("*.csv", ["Z.csv", "a.csv", "b.csv", "c[1].csv", "ä.csv"]), ("[ab].csv", ["a.csv", "b.csv"]),
        ("?.json", ["a.json"]), ("a.csv", ["a.csv"]), ("none.csv", ["none.csv"]), ("c[1].csv", ["c[1].csv"]),
        (".h*", [".hidden.csv"]),
    ])
    func expands(_ pattern: String, _ names: [String]) throws {
        let found = try FileGlob.expand(folder.url.path + "/" + pattern)
        #expect(found == names.map { folder.url.path + "/" + $0 })
    }

    @Test func whatMatchesNothingIsUnreadable() {
        let pattern = folder.url.path + "/*.tsv"
        let error = #expect(throws: GranaryError.self) { try FileGlob.expand(pattern) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains(pattern) == true)
    }

    @Test func aNameIsItself() throws {
        #expect(try FileGlob.expand("-") == ["-"])
        #expect(try FileGlob.expand("") == [""])
    }
}
