import Foundation
import GranaryModel
import GranaryPredicates

/// The meaning of a cell for an attribute: a slow and simple second implementation, to compare with Granary's.
enum PlainValue {
    case value(AttributeValue?)
    /// The cell is not of the attribute's type.
    case invalid
    /// The value's external file is missing.
    case missingFile

    init(_ cell: PlainCell, type: AttributeType, isTagged: Bool, storePath: String) {
        if case .null = cell {
            self = .value(nil)
            return
        }
        if isTagged {
            switch cell {
            case .text(let bytes), .blob(let bytes):
                self = Self.external(bytes, type, storePath)
                return
            case .null, .integer, .real: break
            }
        }
        self = Self.meaning(of: cell, type).map { .value($0) } ?? .invalid
    }

    private static func meaning(of cell: PlainCell, _ type: AttributeType) -> AttributeValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            return integer(cell).map { .integer($0) }
        case .boolean:
            if let number = integer(cell), number == 0 || number == 1 { return .boolean(number == 1) }
        case .double: return number(cell).map { .double($0) }
        case .float: return number(cell).map { .float(Float($0)) }
        // Seconds since the beginning of 2001; SQLite stores whole numbers as integers.
        case .date: return number(cell).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .decimal: return decimal(cell).map { .decimal($0) }
        case .string: return text(cell).map { .string($0) }
        case .uri:
            return text(cell).flatMap { URL(string: $0, encodingInvalidCharacters: false) }.map { .uri($0) }
        case .uuid:
            return bytes(cell).flatMap(uuid).map { .uuid($0) }
        case .binary, .transformable:
            return bytes(cell).map { .binary(Data($0)) }
        case .undefined, .objectID, .composite: break
        }
        return nil
    }

    /// The bytes of a cell that SQLite converts to a text or a blob. The text of a real number is not known here.
    private static func bytes(_ cell: PlainCell) -> [UInt8]? {
        switch cell {
        case .text(let bytes), .blob(let bytes): bytes
        case .integer(let number): Array("\(number)".utf8)
        case .null, .real: nil
        }
    }

    /// The number that a text or blob spells.
    private static func spelled(_ cell: PlainCell) -> String {
        (text(cell) ?? "").trimmingCharacters(in: CharacterSet(charactersIn: " \t\n\u{B}\u{C}\r"))
    }

    private static func integer(_ cell: PlainCell) -> Int64? {
        switch cell {
        case .integer(let number): number
        case .real(let number): Int64(exactly: number)
        case .text, .blob: Int64(spelled(cell))
        case .null: nil
        }
    }

    private static func number(_ cell: PlainCell) -> Double? {
        switch cell {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .text, .blob:
            spelled(cell).allSatisfy { "0123456789.+-eE".contains($0) }
                ? Double(spelled(cell)).flatMap { $0.isFinite ? $0 : nil } : nil
        case .null: nil
        }
    }

    private static func decimal(_ cell: PlainCell) -> Decimal? {
        let digits: String
        switch cell {
        case .integer(let number): digits = "\(number)"
        // The shortest digits that give this double.
        case .real(let number): digits = "\(number)"
        case .text, .blob: digits = text(cell) ?? ""
        case .null: return nil
        }
        guard let value = Decimal(string: digits, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN else {
            return nil
        }
        return value
    }

    private static func text(_ cell: PlainCell) -> String? {
        bytes(cell).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func uuid(_ bytes: [UInt8]) -> UUID? {
        guard bytes.count == 16 else { return nil }
        var digits = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { digits += "-" }
            let hexadecimal = String(byte, radix: 16, uppercase: true)
            digits += hexadecimal.count == 1 ? "0" + hexadecimal : hexadecimal
        }
        return UUID(uuidString: digits)
    }

    /// Reads a tagged value: a byte 1 and the value, or a byte 2, the name of a file in the support folder and a zero.
    private static func external(_ bytes: [UInt8], _ type: AttributeType, _ storePath: String) -> PlainValue {
        switch bytes.first {
        case 1: return meaning(of: .blob(Array(bytes.dropFirst())), type).map { .value($0) } ?? .invalid
        case 2:
            guard let name = String(validating: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self),
                UUID(uuidString: name) != nil
            else { return .invalid }
            let store = URL(filePath: storePath)
            let support = ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT"
            let file = store.deletingLastPathComponent().appending(path: "\(support)/_EXTERNAL_DATA/\(name)")
            guard let content = FileManager.default.contents(atPath: file.path(percentEncoded: false)) else {
                return .missingFile
            }
            return meaning(of: .blob(Array(content)), type).map { .value($0) } ?? .invalid
        default: return .invalid
        }
    }
}
