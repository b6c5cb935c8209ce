import Foundation
import Granary
import TestSupport
import Testing

/// Commands on a store that another process has locked: this one.
@Suite struct LockedStoreTests {
    /// An exclusive lock of SQLite on a file (https://www.sqlite.org/lockingv3.html).
    private final class Lock {
        private let descriptor: Int32

        init(_ path: String) throws {
            descriptor = open(path, O_RDWR)
            var lock = flock()
            lock.l_type = Int16(F_WRLCK)
            lock.l_whence = Int16(SEEK_SET)
            lock.l_start = 0x4000_0000
            lock.l_len = 512
            try #require(fcntl(descriptor, F_SETLK, &lock) == 0)
        }

        deinit { close(descriptor) }
    }

    @Test func `A dry run and an output read a copy and say so; a store is replaced only when it is free`() throws {
        let folder = try TemporaryFolder()
        let title = PropertyDescription.attribute("title", .string)
        let added = PropertyDescription.attribute("year", .integer16)
        for (name, properties) in [("Old", [title]), ("New", [title, added])] {
            try ManagedObjectModel(entities: [EntityDescription("Book", properties)])
                .write(to: folder.url.appending(path: "\(name).json"))
        }
        let made = try Granary.run(
            ["import", "-", "--format", "csv", "--entity", "Book", "--model", "Old.json", "--store", "S.sqlite"],
            input: "title\nA\n", in: folder.url)
        try #require(made.status == 0, "\(made.errors)")
        let note = "read from a temporary copy: another process has locked the store"
        func migrate(_ more: String...) throws -> Granary {
            try Granary.run(
                ["store", "migrate", "S.sqlite", "--model", "New.json", "--busy-timeout", "0"] + more, in: folder.url)
        }
        do {
            let lock = try Lock(folder.url.appending(path: "S.sqlite").path)
            try withExtendedLifetime(lock) {
                let dry = try migrate("--dry-run", "--report", "-")
                #expect(dry.status == 0 && dry.errors.contains("note: S.sqlite: \(note)"), "\(dry.errors)")
                #expect(dry.output.contains(note))
                #expect(try migrate("--output", "New.sqlite").status == 0)
                let replaced = try migrate()
                #expect(replaced.status == 75 && !replaced.errors.contains(note), "\(replaced.errors)")
                let export = try Granary.run(
                    ["export", "--store", "S.sqlite", "--format", "csv", "--output", "-", "--busy-timeout", "0"],
                    in: folder.url)
                #expect(export.status == 0 && export.errors.contains(note), "\(export.errors)")
            }
        }
        let free = try migrate()
        #expect(free.status == 0 && !free.errors.contains(note), "\(free.errors)")
    }
}
