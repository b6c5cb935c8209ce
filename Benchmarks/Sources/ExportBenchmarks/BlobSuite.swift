import Foundation
import Measuring

/// Exports of one object whose value is a large file outside of the database: what counts is the memory.
struct BlobSuite {
    private static let title = "one value with external storage"

    static var isSelected: Bool { Selection.includes(title) }

    let binary: String
    let megabytes: Int
    private let folder: Workplace
    private let model: String
    private let store: String

    /// Makes the store: imports a short value, and makes its file long.
    init(binary: String, folder: URL, megabytes: Int) throws {
        self.binary = binary
        self.megabytes = megabytes
        self.folder = Workplace(folder: folder)
        model = self.folder.path("Blob.xcdatamodel")
        store = self.folder.path("Blob.sqlite")
        try makeStore()
    }

    func run() throws {
        print("\nA file of \(megabytes) MB; as text it is a third longer.")
        let table = MarkdownTable([
            "export of \(Self.title)", "MB", "seconds", "user+sys", "peak MB", "MB/s", "times as long as cp",
        ])
        let cases: [(title: String, format: String, options: [String])] = [
            ("CSV", "csv", []), ("JSON", "json", []), ("property list, XML", "plist", []),
            ("property list, binary", "plist", ["--plist-encoding", "binary"]),
        ]
        for element in cases {
            var found: [Measured] = []
            var ratios: [Double] = []
            for _ in 0..<Selection.runs {
                let own = try export(element.format, element.options)
                found.append(own)
                if let copy = try copy() { ratios.append(own.seconds / copy.seconds) }
            }
            let median = Measured.median(found)
            table.add(
                [element.title, "\(megabytes)"] + median.cells + [
                    String(format: "%.0f", Double(megabytes) / median.seconds), Spread(ratios).description,
                ])
        }
    }

    private func export(_ format: String, _ options: [String]) throws -> Measured {
        let output = folder.path("out.\(format)")
        try folder.remove(output)
        defer { try? folder.remove(output) }
        let command =
            [binary, "export", "--store", store, "--entity", "Photo", "--format", format, "--output", output] + options
        guard let measured = try Measured.run(command, output: folder.log) else {
            throw BenchmarkFailure("granary export ended with status 69")
        }
        let size = try FileManager.default.attributesOfItem(atPath: output)[.size] as? Int ?? 0
        guard size >= megabytes * 1_000_000 else { throw BenchmarkFailure("\(output) has \(size) bytes only") }
        return measured
    }

    /// The same file by `cp`; nil if there is none.
    private func copy() throws -> Measured? {
        guard let program = Measured.find("cp") else { return nil }
        let output = folder.path("copy")
        defer { try? folder.remove(output) }
        return try Measured.run([program, try externalFile(), output], output: folder.log)
    }

    // MARK: The store

    private func makeStore() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
            <entity name="Photo">
            <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <attribute name="name" optional="YES" attributeType="String"/>
            </entity>
            </model>
            """
        let package = URL(filePath: model)
        try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: package.appending(path: "contents"))
        // Long enough for a file of its own.
        let short = Data(repeating: 0x47, count: 200_000).base64EncodedString()
        let rows = folder.path("photos.json")
        try Data("[{\"name\": \"large\", \"data\": \"\(short)\"}]".utf8).write(to: URL(filePath: rows))
        _ = try Measured.run(
            [binary, "import", rows, "--entity", "Photo", "--model", model, "--store", store, "--quiet"],
            output: folder.log)
        try lengthen(try externalFile())
    }

    private func externalFile() throws -> String {
        let external = folder.path(".Blob_SUPPORT/_EXTERNAL_DATA")
        let names = try FileManager.default.contentsOfDirectory(atPath: external)
        guard names.count == 1, let name = names.first else {
            throw BenchmarkFailure("\(external) has \(names.count) files, not one")
        }
        return external + "/" + name
    }

    /// Replaces the file's bytes by others that do not compress.
    private func lengthen(_ path: String) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        defer { try? file.close() }
        try file.truncate(atOffset: 0)
        var state: UInt64 = 42
        var chunk = [UInt8](repeating: 0, count: 1_000_000)
        for index in chunk.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            chunk[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
        let data = Data(chunk)
        for _ in 0..<megabytes { try file.write(contentsOf: data) }
    }
}
