import Foundation
import GranaryBase
package import GranaryContexts

/// A snapshot beside a test file: `__Snapshots__/TESTFILE/NAME.txt`.
package struct SnapshotFile {
    /// The result of a comparison.
    package enum Outcome: Sendable, Equatable {
        case equal
        /// The file was written, because the run updates snapshots.
        case written(path: String)
        /// The text of the failure.
        case different(String)
    }

    /// Whether the environment variable `GRANARY_UPDATE` is set, so that snapshots are written.
    package static var updates: Bool {
        let value = ProcessInfo.processInfo.environment["GRANARY_UPDATE"] ?? ""
        return !value.isEmpty && value != "0"
    }

    package let name: String
    package let path: String

    /// - Parameter testFile: the path of the test's source file.
    /// - Throws: ``GranaryError`` with code `usage` if the name is not the name of a file.
    package init(_ name: String, besides testFile: String) throws {
        let allowed = name.utf8.allSatisfy { byte in
            ASCIIName.contains(byte) || byte >= 0x80
        }
        guard allowed, !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 200 else {
            throw GranaryError(
                .usage,
                "\"\(Diagnostic.shortened(name))\" cannot be the name of a snapshot; use letters, digits, spaces and - _ . ,"
            )
        }
        let file = URL(filePath: testFile)
        self.name = name
        path = file.deletingLastPathComponent().appending(path: "__Snapshots__")
            .appending(path: file.deletingPathExtension().lastPathComponent).appending(path: "\(name).txt")
            .path(percentEncoded: false)
    }

    /// Compares the objects of a container with the file.
    ///
    /// - Parameter updates: whether the file is written if it is missing or different.
    /// - Throws: ``GranaryError``, as ``StoreSnapshot/text(of:ignoring:)``; `inputOutput` if the file cannot be
    ///   written.
    package func compare(
        with container: PersistentContainer, ignoring ignored: [String] = [], updates: Bool = SnapshotFile.updates
    ) async throws -> Outcome {
        let text = try await StoreSnapshot.text(of: container, ignoring: ignored)
        let isMissing = FileKind(path) == .missing
        let new = LineDiff.lines(text)
        var old: [String] = []
        if !isMissing {
            let bytes = try ByteSource(path: path).readAll(limit: StoreSnapshot.maximumBytes * 2)
            old = LineDiff.lines(String(decoding: bytes, as: UTF8.self))
            if old.elementsEqual(new, by: LineDiff.isSame) { return .equal }
        }
        if updates {
            try write(text)
            return .written(path: path)
        }
        if isMissing {
            return .different(
                "there is no snapshot \(path); run the test with GRANARY_UPDATE=1 to write it from the store")
        }
        // The lines below then look the same.
        let note = old == new ? "; only the Unicode normalisation of texts differs" : ""
        return .different(
            """
            the store differs from the snapshot \(path) (- snapshot, + store)\(note); run the test with \
            GRANARY_UPDATE=1 to replace the snapshot
            \(LineDiff.text(from: old, to: new))
            """)
    }

    private func write(_ text: String) throws {
        let folder = URL(filePath: path).deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw GranaryError(
                .inputOutput, "\(path): the snapshot cannot be written: \(error.localizedDescription)",
                underlying: error)
        }
    }
}

/// The ASCII characters in names of snapshots.
private enum ASCIIName {
    static func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ","): true
        default: false
        }
    }
}
