/// One thing that is wrong, or worth knowing, with its place, its rule and what would be right.
///
/// Every module reports with this type, and every front end prints it: as one compiler-style line
/// (``description``) or as a flat JSON object (its `Codable` form, the keys of the import report).
public struct Diagnostic: Sendable, Hashable, Error {
    /// How much it matters: an error refuses the record, a warning and a note do not.
    public enum Severity: String, Sendable, Hashable, Codable {
        /// An error refuses the record; a warning is likely a mistake; a note is only information.
        case error, warning, note
    }

    /// How much it matters.
    public var severity: Severity
    /// What rule it is about; stable, for scripts.
    public var code: Code
    /// One sentence: what is wrong and, where it can be said, what would be right.
    public var message: String
    /// Where it stands; nil for what has no place in a file.
    public var position: SourcePosition?
    /// The column or member name as the source spells it.
    public var field: String?
    /// The model's entity and property that it is about.
    public var entity: String?
    /// The property of that entity; nil where it is about no single one.
    public var property: String?
    /// The URI of the ID of the object concerned; nil where no object is.
    public var object: String?
    /// The text as found, shortened visibly (``shortened(_:)``).
    public var value: String?
    /// Core Data's number for a broken validation rule (1550 to 1690; 133020 for a conflict).
    public var coreDataCode: Int?
    /// Other places that belong to it, such as the twin of a duplicate.
    public var related: [SourcePosition]
    /// The command-line option, with its value, that would accept what was refused, such as `--delimiter ';'`; nil if there is
    /// none.
    public var help: String?

    /// A diagnostic of the rule `code`; an error without a place unless said otherwise.
    public init(
        _ code: Code, _ message: String, severity: Severity = .error, at position: SourcePosition? = nil,
        field: String? = nil, entity: String? = nil, property: String? = nil, object: String? = nil,
        value: String? = nil, coreDataCode: Int? = nil, related: [SourcePosition] = [], help: String? = nil
    ) {
        self.severity = severity
        self.code = code
        self.message = message
        self.position = position
        self.field = field
        self.entity = entity
        self.property = property
        self.object = object
        self.value = value
        self.coreDataCode = coreDataCode
        self.related = related
        self.help = help
    }

    /// `text`, cut after 80 characters with a mark that says how much is missing.
    ///
    /// Control characters and bidirectional formatting characters are escaped, so that a diagnostic stays on one line.
    public static func shortened(_ text: String) -> String {
        let limit = 80
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            if count == limit {
                return result + "… (\(text.utf8.count) bytes)"
            }
            VisibleText.append(scalar, to: &result)
            count += 1
        }
        return result
    }
}

extension Diagnostic: CustomStringConvertible {
    /// `patients.csv:57:12: error: Patient.age: "abc" is not an Integer 16 [value.syntax]`
    public var description: String {
        (place.map { "\($0): " } ?? "") + "\(severity.rawValue): \(statement)"
    }

    /// `patients.csv:57:12`; nil for what has no place in a file.
    package var place: String? { position.map { "\($0.file):\($0.line):\($0.column)" } }

    /// What stands behind the severity: `Patient.age: "abc" is not an Integer 16 [value.syntax]`
    package var statement: String { subject + "\(message) [\(code.rawValue)]" }

    /// `Patient.age: `
    var subject: String {
        switch (entity, property) {
        case (let entity?, let property?): "\(entity).\(property): "
        case (let entity?, nil): "\(entity): "
        case (nil, let property?): "\(property): "
        case (nil, nil): ""
        }
    }
}

/// The flat JSON object of the import report: the position's keys stand beside the others.
extension Diagnostic: Codable {
    private enum CodingKeys: String, CodingKey {
        case severity, file, line, column, byteOffset, record, field, entity, property, object, code, value, message
        case coreDataCode, related, help
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        severity = try container.decode(Severity.self, forKey: .severity)
        code = Code(rawValue: try container.decode(String.self, forKey: .code))
        message = try container.decode(String.self, forKey: .message)
        if let file = try container.decodeIfPresent(String.self, forKey: .file) {
            position = SourcePosition(
                file: file, line: try container.decode(Int.self, forKey: .line),
                column: try container.decode(Int.self, forKey: .column),
                byteOffset: try container.decodeIfPresent(Int.self, forKey: .byteOffset),
                record: try container.decodeIfPresent(Int.self, forKey: .record))
        } else {
            position = nil
        }
        field = try container.decodeIfPresent(String.self, forKey: .field)
        entity = try container.decodeIfPresent(String.self, forKey: .entity)
        property = try container.decodeIfPresent(String.self, forKey: .property)
        object = try container.decodeIfPresent(String.self, forKey: .object)
        value = try container.decodeIfPresent(String.self, forKey: .value)
        coreDataCode = try container.decodeIfPresent(Int.self, forKey: .coreDataCode)
        related = try container.decodeIfPresent([SourcePosition].self, forKey: .related) ?? []
        help = try container.decodeIfPresent(String.self, forKey: .help)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(severity, forKey: .severity)
        try container.encode(code.rawValue, forKey: .code)
        try container.encode(message, forKey: .message)
        if let position {
            try container.encode(position.file, forKey: .file)
            try container.encode(position.line, forKey: .line)
            try container.encode(position.column, forKey: .column)
            try container.encodeIfPresent(position.byteOffset, forKey: .byteOffset)
            try container.encodeIfPresent(position.record, forKey: .record)
        }
        try container.encodeIfPresent(field, forKey: .field)
        try container.encodeIfPresent(entity, forKey: .entity)
        try container.encodeIfPresent(property, forKey: .property)
        try container.encodeIfPresent(object, forKey: .object)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encodeIfPresent(coreDataCode, forKey: .coreDataCode)
        if !related.isEmpty { try container.encode(related, forKey: .related) }
        try container.encodeIfPresent(help, forKey: .help)
    }
}

/// The rule's text alone.
extension Diagnostic.Code: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
