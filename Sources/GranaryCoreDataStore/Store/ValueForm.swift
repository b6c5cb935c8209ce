import GranaryBase
import GranaryModel
import GranarySQLite

/// The storage classes in which a column holds the values of an attribute, and how a value of another class is read.
///
/// Core Data asks SQLite for the class that it needs, with `sqlite3_column_int64`, `_double`, `_text` or `_blob`, and
/// SQLite converts the value. Only conversions that use the whole value are done here: SQLite reads the text `12 kg` as
/// the number 12, and `abc` as 0.
enum ValueForm: UInt8, Sendable {
    /// All classes: nothing is converted.
    case any
    case integer
    case real
    /// Numbers, and the digits of a number as text.
    case decimal
    case text
    case bytes

    init(_ type: AttributeType) {
        self =
            switch type {
            case .integer16, .integer32, .integer64, .boolean: .integer
            case .double, .float, .date: .real
            case .decimal: .decimal
            case .string, .uri: .text
            case .uuid, .binary, .transformable: .bytes
            case .undefined, .objectID, .composite: .any
            }
    }

    /// Whether integers are values of this form.
    @inline(__always) var takesIntegers: Bool { self != .text && self != .bytes }
    /// Whether numbers with a fraction are values of this form, or cannot be converted to it: an integer column may
    /// hold a number with decimals, which is not shortened.
    @inline(__always) var takesReals: Bool { self == .real || self == .decimal || self == .any }
    @inline(__always) var takesText: Bool { self == .text || self == .decimal || self == .any }
    @inline(__always) var takesBlobs: Bool { self == .bytes || self == .any }

    /// The SQL conditions that find values of another storage class in a column. SQL would compare such a value by
    /// other rules than the value that is read. Each condition is a range, for which SQLite uses an index if there is
    /// one: NULL, numbers, texts and blobs follow each other in this order.
    func conditions(column: String) -> [String] {
        switch self {
        case .any: []
        case .integer, .real, .decimal: ["\(column) >= ''"]
        case .text: ["\(column) < ''", "\(column) >= x''"]
        case .bytes: ["\(column) < x''"]
        }
    }
}
