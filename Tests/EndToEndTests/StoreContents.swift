import Foundation
import GranarySQLite
import Testing

/// What stores hold. The binary checks and exports each different file once; the same bytes hold the same.
final class StoreContents {
    private let model: String
    private var documents: [Data: String] = [:]

    init(model: String) { self.model = model }

    /// The store as a JSON document, after its next writer has put right what a dead process left behind.
    func document(of store: String) throws -> String {
        let identifier = try recover(store)
        var bytes = try Data(contentsOf: URL(filePath: store))
        // Two stores that were made alike differ in their UUIDs, which lie in one of the first pages.
        let start = bytes.startIndex..<min(bytes.endIndex, bytes.startIndex + 1 << 18)
        if let place = bytes.range(of: Data(identifier.utf8), in: start) {
            bytes.replaceSubrange(place, with: Data(repeating: 0x30, count: place.count))
        }
        if let known = documents[bytes] { return known }
        let check = try Granary.run(["store", "check", store, "--model", model])
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.errors.hasSuffix(": 0 errors, 0 warnings\n"), "\(check.errors)")
        let export = try Granary.run([
            "export", "--store", store, "--model", model, "--format", "json", "--output", "-",
        ])
        #expect(export.status == 0, "\(export.errors)")
        documents[bytes] = export.output
        return export.output
    }

    /// Opens it as a writer does, and moves a write-ahead log into the file.
    ///
    /// - Returns: the store's UUID.
    private func recover(_ store: String) throws -> String {
        let writer = try Connection(path: store, mode: .readWrite)
        let identifier = try writer.text("SELECT Z_UUID FROM Z_METADATA") ?? ""
        if try writer.text(pragma: "journal_mode") == "wal" { try writer.checkpoint() }
        try writer.close()
        return identifier
    }
}
