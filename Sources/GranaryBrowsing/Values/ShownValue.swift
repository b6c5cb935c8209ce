import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// A value of an attribute, as much of it as pages show.
enum ShownValue {
    case null
    case number(String)
    case text(CutText, bytes: Int)
    /// Seconds since 2001.
    case date(Double)
    case boolean(Bool)
    case plain(String)
    case binary(ImageKind?, bytes: Int)
    /// The cell cannot be read as a value of its attribute.
    case unreadable(String)

    /// Reads a cell.
    ///
    /// - Parameter limit: the maximum number of scalars of a text.
    init(_ batch: borrowing RowBatch, row: Int, of attribute: Schema.Attribute, limit: Int) {
        if let path = batch.externalFile(row: row, slot: attribute.slot) {
            self = Self.file(path)
            return
        }
        do {
            self = try batch.withValue(row: row, of: attribute) { value in
                switch value {
                case .null: .null
                case .boolean(let flag): .boolean(flag)
                case .date(let seconds): .date(seconds)
                case .text(let bytes), .uri(let bytes):
                    .text(CutText(bytes, limit: limit), bytes: bytes.count)
                case .binary(let bytes): .binary(ImageKind(bytes), bytes: bytes.count)
                case .uuid: .plain(Self.text(of: value))
                case .integer, .float, .double, .decimal: .number(Self.text(of: value))
                }
            }
        } catch {
            self = .unreadable("\(error)")
        }
    }

    private static func text(of value: BorrowedValue) -> String {
        var bytes: [UInt8] = []
        do throws(GranaryError) {
            try ValueText.append(value, dates: .iso8601, binary: .base64, nonFinite: .text, to: &bytes)
        } catch {
            return error.message
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func file(_ path: String) -> ShownValue {
        guard let status = FileStatus(path: path), status.isRegular else {
            return .unreadable("the file of the value is missing")
        }
        var start = [UInt8](repeating: 0, count: ImageKind.signatureLength)
        let count = start.withUnsafeMutableBytes { bytes in
            (try? ByteSource(path: path).read(into: bytes)) ?? 0
        }
        return .binary(ImageKind(start.prefix(count)), bytes: Int(clamping: status.size))
    }
}
