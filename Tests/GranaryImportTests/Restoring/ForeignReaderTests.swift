import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryExport
@testable import SeedingTestSupport

/// Python's readers find in an export the values that the store has.
@Suite(.enabled(if: Python.isPresent, "python3 is not there")) struct ForeignReaderTests {
    private static let types: [(name: String, type: AttributeType)] = [
        ("small", .integer16), ("large", .integer64), ("exact", .double), ("name", .string), ("flag", .boolean),
        ("data", .binary), ("code", .uuid),
    ]

    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Thing", types.map { .attribute($0.name, $0.type) }),
        EntityDescription("Note", [.attribute("name", .string)]),
    ])

    /// Reads an export and prints each value as `entity<TAB>$id<TAB>property<TAB>value`.
    private static let script = """
        import base64, csv, glob, json, os, plistlib, struct, sys
        form, path = sys.argv[1], sys.argv[2]
        types = json.loads(sys.argv[3])
        if form in ("csv", "tsv"):
            tables = {}
            for file in glob.glob(os.path.join(path, "*." + form)):
                with open(file, newline="", encoding="utf-8") as source:
                    rows = list(csv.reader(source, delimiter="," if form == "csv" else "\\t", strict=True))
                name = os.path.basename(file)[:-4]
                tables[name] = [dict(zip(rows[0], row)) for row in rows[1:]]
        elif form == "ndjson":
            tables = {}
            for file in glob.glob(os.path.join(path, "*.ndjson")):
                # Texts can contain line ends of Unicode, which are none here.
                with open(file, "rb") as source:
                    lines = source.read().decode("utf-8").split("\\n")
                tables[os.path.basename(file)[:-7]] = [json.loads(line) for line in lines if line]
        elif form == "json":
            with open(path, encoding="utf-8") as source:
                tables = json.load(source)["entities"]
        else:
            with open(path, "rb") as source:
                tables = plistlib.load(source)["entities"]
        def text(kind, value):
            if value is None or form in ("csv", "tsv") and value == "":
                return "-"
            if kind == "integer":
                return str(int(value))
            if kind == "double":
                return struct.pack(">d", float(value)).hex()
            if kind == "boolean":
                return str(value).lower()
            if kind == "binary":
                return (value if isinstance(value, bytes) else base64.b64decode(value, validate=True)).hex() + "."
            if kind == "uuid":
                return value.upper()
            return value.encode("utf-8").hex() + "."
        for name, rows in tables.items():
            for row in rows:
                for key, kind in types[name].items():
                    print(name, row["$id"], key, text(kind, row.get(key)), sep="\\t")
        """

    private static func kind(_ type: AttributeType) -> String {
        switch type {
        case .integer16, .integer64: "integer"
        case .double: "double"
        case .boolean: "boolean"
        case .binary: "binary"
        case .uuid: "uuid"
        default: "text"
        }
    }

    private static func store() throws -> InMemoryStore {
        let store = try ExportSamples.store(model)
        let texts = GeneratedValues.texts(isXML: true)
        var random = SeededGenerator(seed: 20)
        for key in 1...200 {
            var values: [String: AttributeValue] = [:]
            for (name, type) in types { values[name] = GeneratedValues.value(of: type, texts, &random) }
            try ExportSamples.insert("Thing", Int64(key), values, into: store)
        }
        for (index, text) in texts.enumerated() {
            try ExportSamples.insert("Note", Int64(index + 1), ["name": .string(text)], into: store)
        }
        return store
    }

    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// - Parameter isCSV: whether Python's reader takes an empty text for NULL.
    private static func text(_ value: AttributeValue?, isCSV: Bool) -> String {
        switch value {
        case nil: return "-"
        case .integer(let number)?: return "\(number)"
        case .double(let number)?:
            return hex((0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (56 - 8 * UInt64($0))) })
        case .boolean(let flag)?: return "\(flag)"
        case .uuid(let id)?: return id.uuidString
        case .binary(let data)?: return isCSV && data.isEmpty ? "-" : hex(data) + "."
        case .string(let text)?: return isCSV && text.isEmpty ? "-" : hex(text.utf8) + "."
        default: return "?"
        }
    }

    private static func expected(_ store: any StoreBackend, isCSV: Bool) throws -> [String] {
        var lines: [String] = []
        for entity in store.schema.entities {
            try store.read(entities: entity.index..<entity.index + 1, batchSize: 100) { batch in
                for row in batch.rows.indices {
                    let id = batch.objectName(row: row, store.schema)
                    for attribute in entity.attributes {
                        let value = try batch.value(row: row, of: attribute)
                        lines.append("\(entity.name)\t\(id)\t\(attribute.name)\t\(text(value, isCSV: isCSV))")
                    }
                }
                return true
            }
        }
        return lines.sorted()
    }

    @Test(arguments: [RestoreFormat.csv, .json])
    func `Python reads the values of the store`(_ format: RestoreFormat) throws {
        let folder = try TemporaryFolder()
        let store = try Self.store()
        let path = format.path("out", in: folder)
        try format.export(store, to: path, reference: .id)
        try Self.check(path, format.rawValue, isCSV: format == .csv, store, in: folder)
    }

    @Test(arguments: [DataFormat.tsv])
    func `Python reads the values in the files of a folder`(_ format: DataFormat) throws {
        let folder = try TemporaryFolder()
        let store = try Self.store()
        let path = folder.url.appending(path: "out").path
        var options = ExportOptions()
        options.identifiers = .always
        let exporter = Exporter(options: options)
        _ = try exporter.run(store, to: .path(path + "/", format: format, replacing: false))
        try Self.check(path, format.rawValue, isCSV: format != .ndjson, store, in: folder)
    }

    /// Compares what Python reads with the values of the store.
    private static func check(
        _ path: String, _ form: String, isCSV: Bool, _ store: any StoreBackend, in folder: TemporaryFolder
    ) throws {
        var kinds = ["Note": ["name": "text"], "Thing": [:]]
        for (name, type) in types { kinds["Thing"]?[name] = kind(type) }
        let json = String(decoding: try JSONEncoder().encode(kinds), as: UTF8.self)
        let (code, output) = try Python.run(["-c", script, form, path, json], in: folder)
        #expect(code == 0, "\(output.suffix(2000))")
        let found = output.split(separator: "\n").map(String.init).sorted()
        let expected = try Self.expected(store, isCSV: isCSV)
        #expect(found.count == expected.count)
        #expect(zip(found, expected).first { $0 != $1 }.map { "\($0.0) is not \($0.1)" } == nil)
    }

    @Test func `Python's json.tool accepts a document`() throws {
        let folder = try TemporaryFolder()
        let path = RestoreFormat.json.path("out", in: folder)
        try RestoreFormat.json.export(try Self.store(), to: path, reference: nil)
        let (code, output) = try Python.run(["-m", "json.tool", path], in: folder)
        #expect(code == 0, "\(output.suffix(2000))")
    }
}

/// The Python of the machine, an independent reader of the formats.
enum Python {
    static let isPresent: Bool = {
        guard let folder = try? TemporaryFolder(), let result = try? run(["-c", "pass"], in: folder) else {
            return false
        }
        return result.code == 0
    }()

    /// Runs Python with its output and errors in a file: a pipe could fill up.
    static func run(_ arguments: [String], in folder: TemporaryFolder) throws -> (code: Int32, output: String) {
        let file = try folder.write("", to: "python-output.txt")
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        process.standardOutput = handle
        process.standardError = handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }
}

@Suite(.enabled(if: Python.isPresent, "python3 is not there")) struct ForeignReaderLongTests {
    @Test(arguments: [RestoreFormat.xml, .binary])
    func `Python reads the values of the store`(_ format: RestoreFormat) throws {
        try ForeignReaderTests().`Python reads the values of the store`(format)
    }

    @Test(arguments: [DataFormat.csv, .ndjson])
    func `Python reads the values in the files of a folder`(_ format: DataFormat) throws {
        try ForeignReaderTests().`Python reads the values in the files of a folder`(format)
    }
}
