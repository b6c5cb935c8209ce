import GranaryBase
import GranaryFormats
import Testing

/// Binary values that are copied from a source in pieces, against values that are written whole.
@Suite("Binary values in pieces") struct BinaryStreamTests {
    private static let sizes = [0, 1, 2, 3, 14, 15, 43, 44, 45, 46, 51, 52, 3071, 3072, 3073, 65_535, 65_537, 200_000]

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    /// The output of a table with a text, the values, and a text after them.
    private static func output<Writer: ValueWriter & BinaryStreamWriter>(
        inPieces: Bool, _ make: (ByteOutput) throws -> Writer
    ) throws -> [UInt8] {
        let output = ByteOutput.memory()
        let writer = try make(output)
        try writer.beginTable(entity: "Photo", columns: ["name", "data", "note"])
        for size in sizes {
            try writer.beginRow()
            try text("a") { (value) throws(GranaryError) in try writer.write(value, column: 0) }
            if inPieces {
                try writer.write(contentsOf: ByteSource(bytes: bytes(size), name: "data"), column: 1)
            } else {
                try bytes(size).withBorrowedBinary { (value) throws(GranaryError) in
                    try writer.write(value, column: 1)
                }
            }
            try text("b") { (value) throws(GranaryError) in try writer.write(value, column: 2) }
            try writer.endRow()
        }
        try writer.endTable()
        try writer.finish(model: nil)
        return output.buffer
    }

    private static func text(
        _ text: String, _ body: (BorrowedValue) throws(GranaryError) -> Void
    ) throws(GranaryError) {
        try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(GranaryError) in try body(.text(bytes)) }
    }

    @Test("Property lists", arguments: [PropertyListEncoding.xml, .binary])
    func propertyLists(encoding: PropertyListEncoding) throws {
        for shape in [PropertyListWriter.Shape.array, .document] {
            var options = PropertyListWriter.Options()
            (options.encoding, options.shape) = (encoding, shape)
            let whole = try Self.output(inPieces: false) { PropertyListWriter($0, options: options) }
            let pieces = try Self.output(inPieces: true) { PropertyListWriter($0, options: options) }
            #expect(whole == pieces)
            #expect(whole.count > 300_000)
        }
    }

    @Test("JSON and CSV", arguments: BinaryStyle.allCases)
    func texts(style: BinaryStyle) throws {
        var json = JSONWriter.Options()
        json.binary = style
        let whole = try Self.output(inPieces: false) { JSONWriter($0, options: json) }
        let pieces = try Self.output(inPieces: true) { JSONWriter($0, options: json) }
        #expect(whole == pieces)
        var csv = CSVWriter.Options()
        csv.binary = style
        let wholeTable = try Self.output(inPieces: false) { try CSVWriter($0, options: csv) }
        let tablePieces = try Self.output(inPieces: true) { try CSVWriter($0, options: csv) }
        #expect(wholeTable == tablePieces)
    }
}
