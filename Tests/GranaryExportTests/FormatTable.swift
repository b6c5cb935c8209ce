import Foundation
import GranaryModel
import GranaryPredicates
import TestSupport

/// The table "Examples" of docs/file-formats.md.
struct FormatTable {
    /// A cell of the table that shows a format.
    enum Cell: Sendable {
        case text(String)
        /// The export is refused.
        case refused
        /// The row is not about this format.
        case notShown
    }

    struct Row: Sendable, CustomStringConvertible {
        let description: String
        let type: String
        /// Options of the export, such as `--binary hex`.
        let option: String?
        /// The code of the value; nil for NULL.
        let value: String?
        let delimited: Cell
        let json: Cell
        let xml: Cell
    }

    static let rows: [Row] = {
        let document = Samples.root.deletingLastPathComponent().appending(path: "docs/file-formats.md")
        guard let text = try? String(contentsOf: document, encoding: .utf8) else { return [] }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "### Examples") else { return [] }
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
        return section.filter { $0.hasPrefix("| ") }.dropFirst().compactMap { row(String($0)) }
    }()

    private static func row(_ line: String) -> Row? {
        let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        guard cells.count == 5 else { return nil }
        let type = String(cells[0].prefix { $0 != "," })
        return Row(
            description: "\(cells[0]) \(cells[1])", type: type, option: code(cells[0]), value: code(cells[1]),
            delimited: cell(cells[2]), json: cell(cells[3]), xml: cell(cells[4]))
    }

    private static func cell(_ text: String) -> Cell {
        switch text {
        case "refused": .refused
        case "—": .notShown
        // NULL in CSV and in a property list.
        case "nothing", "no key": .text("")
        default: .text(shown(code(text) ?? text))
        }
    }

    /// The text between the first and the last backtick.
    private static func code(_ cell: String) -> String? {
        guard let first = cell.firstIndex(of: "`"), let last = cell.lastIndex(of: "`"), first < last else { return nil }
        return String(cell[cell.index(after: first)..<last])
    }

    /// The text with control characters in place of their pictures.
    private static func shown(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isPicture = (0x2400...0x241F).contains(scalar.value)
            scalars.append(isPicture ? Unicode.Scalar(UInt8(scalar.value - 0x2400)) : scalar)
        }
        return String(scalars)
    }
}

extension FormatTable.Row {
    struct Unreadable: Error {
        let value: String
    }

    var attributeType: AttributeType? { AttributeType(name: type) }

    /// The value that the row is about; nil for NULL.
    ///
    /// - Throws: ``Unreadable`` if it is not in the notation of its type.
    func attributeValue() throws -> AttributeValue? {
        guard let value else { return nil }
        guard let found = Self.value(value, attributeType) else { throw Unreadable(value: "\(type) \(value)") }
        return found
    }

    private static func value(_ text: String, _ type: AttributeType?) -> AttributeValue? {
        switch type {
        case .integer16, .integer32, .integer64: return Int64(text).map { .integer($0) }
        case .boolean: return Bool(text).map { .boolean($0) }
        case .decimal: return Decimal(string: text).map { .decimal($0) }
        case .double: return bits(text).map { .double(Double(bitPattern: $0)) }
        case .float: return bits(text).flatMap { UInt32(exactly: $0) }.map { .float(Float(bitPattern: $0)) }
        case .date:
            return bits(text).map { .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0))) }
        case .string: return (try? JSONDecoder().decode(String.self, from: Data(text.utf8))).map { .string($0) }
        case .uri: return URL(string: text).map { .uri($0) }
        case .uuid: return UUID(uuidString: text).map { .uuid($0) }
        case .binary, .transformable: return bytes(text).map { .binary($0) }
        default: return nil
        }
    }

    /// `0x3FE0000000000000`
    private static func bits(_ text: String) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
    }

    /// `x'00FF'`
    private static func bytes(_ text: String) -> Data? {
        guard text.hasPrefix("x'"), text.hasSuffix("'") else { return nil }
        var rest = text.dropFirst(2).dropLast()
        var data = Data()
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            data.append(byte)
            rest = rest.dropFirst(2)
        }
        return data
    }
}
