import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Parses fields as values of one attribute, strictly: only the options trim or replace text.
struct FieldParser {
    let attribute: Schema.Attribute
    let type: AttributeType
    /// Nil for most columns.
    let rules: ColumnRules?
    /// How numbers are written in text fields. Numbers of JSON and property lists follow the rules of their format.
    let numberFormat: NumberFormat
    let dateFormats: [ImportOptions.DateFormat]
    let hasTimeZone: Bool
    let isHex: Bool
    /// The files that the column's fields name; nil if the fields contain the values.
    let files: ValueFiles?
    let missingFiles: MissingFilePolicy
    private let nulls: NullTexts
    /// Whether a whole number can have a fraction of zeros.
    let allowsZeroFraction: Bool
    /// Whether the source is a property list; messages then name its elements.
    let isPropertyList: Bool
    private let acceptsSeconds: Bool
    private(set) var dates: DateTextReader

    /// - Parameter name: the column's name, for errors.
    /// - Throws: ``GranaryError`` with code `usage` if the options contradict each other or the attribute's type.
    init(
        _ attribute: Schema.Attribute, options: ImportOptions, column: ColumnOptions? = nil, name: String? = nil,
        isPropertyList: Bool = false
    ) throws(GranaryError) {
        let place = column == nil ? "" : Self.place(of: name, attribute)
        if let column, let reason = ColumnRules.contradiction(in: column, attribute.type) {
            throw GranaryError(.usage, place + reason)
        }
        self.attribute = attribute
        self.isPropertyList = isPropertyList
        type = attribute.type
        rules = ColumnRules(options, column, type)
        nulls = NullTexts(options, column)
        allowsZeroFraction = options.allowsZeroFraction
        numberFormat = try Self.numberFormat(options, column, place)
        let formats = column?.dateFormats ?? options.dateFormats
        dateFormats = formats.isEmpty ? [.iso8601] : formats
        acceptsSeconds = dateFormats.contains {
            [.seconds, .unix, .unixMilliseconds, .excel, .excel1904].contains($0)
        }
        isHex = (column?.binaryFormat ?? options.binaryFormat) == .hex
        missingFiles = options.missingFiles
        let isFile = name.map { options.valueFiles?.columns.contains($0) ?? false } ?? false
        // A mapped column, or a sidecar with a mistake, can name an attribute of another type.
        let holdsBytes = type == .binary || type == .transformable
        files = holdsBytes && isFile && column?.binaryFormat == nil ? options.valueFiles : nil
        let timeZone = column?.timeZone ?? options.timeZone
        hasTimeZone = timeZone != nil
        var forms: [DateTextReader.Form] = []
        for format in dateFormats {
            do { forms.append(try format.form(locale: options.locale)) } catch {
                throw GranaryError(.usage, "\(place)the date format \"\(format.optionText)\": \(error.reason)")
            }
        }
        dates = DateTextReader(forms, timeZone: timeZone, policy: options.daylightSaving)
        if let enumeration = column?.enumeration { try check(enumeration, place) }
    }

    /// Whether no option affects parsing: NULL is the unquoted empty field, and no text is changed.
    var isPlain: Bool {
        rules == nil && nulls.isPlain && numberFormat.isPlain
    }

    /// Whether spaces at the ends of a text are part of the value.
    var keepsSpaces: Bool { type == .string && (rules.map { !$0.trims && $0.enumeration == nil } ?? true) }

    /// Whether the field is NULL.
    func isNull(_ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        switch kind {
        case .null: return true
        case .text:
            if let rules, rules.trims { return nulls.contains(ColumnRules.trimmed(bytes)) }
            return nulls.contains(bytes)
        case .quoted:
            guard !nulls.areUnquoted else { return false }
            return nulls.contains(quoted: rules?.trims == true ? ColumnRules.trimmed(bytes) : bytes)
        case .number, .boolean, .date, .data, .emptyList, .object, .array, .json: return false
        }
    }

    /// Returns the value of a field. Text points into `bytes` or into the enumeration. Binary data is decoded into
    /// `scratch`, and the result is ``FieldValue/decoded``.
    ///
    /// - Throws: ``ValueTextError`` with a description of what would be valid.
    mutating func parse(
        _ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>, scratch: inout [UInt8]
    ) throws(ValueTextError) -> FieldValue {
        do throws(ValueTextError) {
            return try read(kind, bytes, &scratch)
        } catch {
            throw explained(error, kind, bytes)
        }
    }

    /// Whether the field is NULL or a value of the type. The attribute's validation rules are not checked.
    mutating func accepts(
        _ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>, scratch: inout [UInt8]
    ) -> Bool {
        if isNull(kind, bytes) || readsJSONText(kind, bytes) { return true }
        do throws(ValueTextError) {
            return holds(try read(kind, bytes, &scratch))
        } catch {
            return false
        }
    }

    /// Whether a text is the JSON of a value and not its bytes.
    func readsJSONText(_ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        attribute.takesJSON && rules?.enumeration == nil && (kind == .text || kind == .quoted)
            && CompactJSON.start(of: bytes) != nil
    }

    /// Whether an integer, which is parsed with 64 bits, is in the range of the type.
    func holds(_ value: FieldValue) -> Bool {
        guard case .value(.integer(let number)) = value, let range = type.integerRange else { return true }
        return range.contains(number)
    }

    private mutating func read(
        _ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>, _ scratch: inout [UInt8]
    ) throws(ValueTextError) -> FieldValue {
        guard let rules else { return try readPlain(kind, bytes, &scratch) }
        let isText = kind == .text || kind == .quoted
        let text = rules.trims && isText ? ColumnRules.trimmed(bytes) : bytes
        guard let enumeration = rules.enumeration else { return try readRuled(kind, text, rules, &scratch) }
        guard kind != .null, kind != .emptyList, kind != .json else { throw .syntax(Self.name(of: kind)) }
        guard let replacement = enumeration.replacement(for: text) else {
            throw .syntax("none of the column's values")
        }
        // Read as quoted text, because a result of an enumeration is never NULL.
        return try readRuled(.quoted, replacement, rules, &scratch)
    }

    /// Reads a text after the enumeration is applied: boolean words, scale, or the type's text.
    mutating func readRuled(
        _ kind: Record.Kind, _ text: UnsafeBufferPointer<UInt8>, _ rules: ColumnRules, _ scratch: inout [UInt8]
    ) throws(ValueTextError) -> FieldValue {
        // JSON's true and false are not words.
        if let words = rules.words, kind == .text || kind == .quoted || kind == .number {
            return .value(.boolean(try words.value(of: text)))
        }
        // The numbers of JSON and property lists have nothing around them.
        if kind == .text || kind == .quoted, let number = rules.affixes?.number(in: text) {
            return try number.withUnsafeBufferPointer { number throws(ValueTextError) in
                try readNumber(kind, number, rules, &scratch)
            }
        }
        return try readNumber(kind, text, rules, &scratch)
    }

    private mutating func readNumber(
        _ kind: Record.Kind, _ text: UnsafeBufferPointer<UInt8>, _ rules: ColumnRules, _ scratch: inout [UInt8]
    ) throws(ValueTextError) -> FieldValue {
        guard let scale = rules.scale else { return try readPlain(kind, text, &scratch) }
        guard fits(kind) else { throw .syntax(Self.name(of: kind)) }
        return .value(try scaled(text, by: scale, format: format(of: kind)))
    }

    private func scaled(
        _ text: UnsafeBufferPointer<UInt8>, by scale: ExactDecimal, format: NumberFormat
    ) throws(ValueTextError) -> BorrowedValue {
        let product = try DecimalText.parse(text, format: format).multiplied(by: scale)
        switch type {
        case .double: return .double(product.nearestDouble)
        case .float: return .float(try product.nearestFloat())
        case .integer16, .integer32, .integer64:
            if let number = product.int64 { return .integer(number) }
            if product.exponent < 0 { throw .precision("not a whole number when scaled") }
            throw .range("more than 64 bits hold")
        default: return .decimal(product)
        }
    }

    private mutating func readPlain(
        _ kind: Record.Kind, _ bytes: UnsafeBufferPointer<UInt8>, _ scratch: inout [UInt8]
    ) throws(ValueTextError) -> FieldValue {
        guard fits(kind) else { throw .syntax(Self.name(of: kind)) }
        switch type {
        case .integer16, .integer32, .integer64:
            let format = format(of: kind)
            return .value(
                .integer(try IntegerText.parse(bytes, format: format, allowsZeroFraction: allowsZeroFraction)))
        case .boolean: return .value(.boolean(try BooleanText.parse(bytes)))
        case .double: return .value(.double(try FloatingText.parse(bytes, format: format(of: kind))))
        case .float: return .value(.float(try FloatingText.parseFloat(bytes, format: format(of: kind))))
        case .decimal: return .value(.decimal(try DecimalText.parse(bytes, format: format(of: kind))))
        case .date:
            return .value(.date(kind == .date ? try FloatingText.parse(bytes) : try dates.parse(bytes)))
        case .string: return .value(.text(bytes))
        case .uri:
            try URIText.check(bytes)
            return .value(.uri(bytes))
        case .uuid: return .value(.uuid(try UUIDText.parse(bytes)))
        case .binary, .transformable:
            scratch.removeAll(keepingCapacity: true)
            // The data elements of a property list are always in Base64.
            if isHex, kind != .data {
                try HexText.decode(bytes, into: &scratch)
            } else {
                try Base64Text.decode(bytes, into: &scratch)
            }
            return .decoded
        case .undefined, .objectID, .composite: throw .syntax("the type cannot be imported")
        }
    }

    func format(of kind: Record.Kind) -> NumberFormat { kind == .number ? .plain : numberFormat }

    /// Whether a kind of field can be a value of the type. Text can be any type; other kinds only their own.
    private func fits(_ kind: Record.Kind) -> Bool {
        switch kind {
        case .text, .quoted: true
        case .null, .emptyList, .object, .array, .json: false
        case .boolean: type == .boolean
        case .date: type == .date
        case .data: type == .binary || type == .transformable
        case .number:
            switch type {
            case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
            case .date: acceptsSeconds
            default: false
            }
        }
    }

    private static func name(of kind: Record.Kind) -> String {
        switch kind {
        case .text, .quoted: "text"
        case .number: "a number"
        case .boolean: "a Boolean"
        case .date: "a date"
        case .data: "data"
        case .null: "null"
        case .emptyList, .array: "a list"
        case .object: "an object"
        case .json: "an object or a list"
        }
    }
}

/// The result of ``FieldParser/parse(_:_:scratch:)``.
enum FieldValue {
    case value(BorrowedValue)
    /// Binary data in the scratch buffer.
    case decoded
}
