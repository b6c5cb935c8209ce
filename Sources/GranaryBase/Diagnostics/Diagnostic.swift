/// An error, a warning or a note, with its position and its rule.
///
/// All modules report problems with this type. It is printed as one line in the style of a compiler (``description``)
/// or as a flat JSON object (its `Codable` form, which the import report uses).
public struct Diagnostic: Sendable, Hashable, Error {
    /// The severity of a diagnostic.
    public enum Severity: String, Sendable, Hashable, Codable {
        /// With an error, the record is rejected; a warning is a likely mistake; a note is information.
        case error, warning, note
    }

    /// The severity.
    public var severity: Severity
    /// The rule, a stable text for scripts.
    public var code: Code
    /// One sentence: the problem and, if known, its correction.
    public var message: String
    /// The position in a file; nil if the problem is not in a file.
    public var position: SourcePosition?
    /// The name of the column or member, as the source spells it.
    public var field: String?
    /// The entity concerned; nil if there is none.
    public var entity: String?
    /// The property of the entity; nil if no single property is concerned.
    public var property: String?
    /// The URI of the ID of the object concerned; nil if there is none.
    public var object: String?
    /// The text found, cut after 80 characters.
    public var value: String?
    /// Core Data's code for a broken validation rule (1550 to 1690; 133020 for a conflict).
    public var coreDataCode: Int?
    /// Related positions, such as that of the other of two duplicates.
    public var related: [SourcePosition]
    /// The command-line option, with its value, that would accept the value, such as `--delimiter ';'`; nil if there is
    /// none.
    public var help: String?
    /// The rule of the model that the value breaks, for `NSError`s; nil for other problems. Not coded.
    package var rule: BrokenRule?

    /// Creates a diagnostic; by default an error without a position.
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

    /// Returns `text` cut after 80 characters, followed by its total size if it was cut.
    ///
    /// Invisible characters are escaped, so that a diagnostic stays on one line.
    package static func shortened(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(80)
        let result = VisibleText.escaped(String(shown))
        return shown.endIndex < text.unicodeScalars.endIndex ? result + "… (\(text.utf8.count) bytes)" : result
    }
}

extension Diagnostic: CustomStringConvertible {
    /// `patients.csv:57:12: error: Patient.age: "abc" is not an Integer 16 [value.syntax]`
    public var description: String {
        (place.map { "\($0): " } ?? "") + "\(severity.rawValue): \(statement)"
    }

    /// `patients.csv:57:12`; nil without a position.
    package var place: String? { position.map { "\($0.file):\($0.line):\($0.column)" } }

    /// The text after the severity: `Patient.age: "abc" is not an Integer 16 [value.syntax]`
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

/// The flat JSON object of the import report: the position's keys are on the same level as the others.
extension Diagnostic: Codable {
    private enum CodingKeys: String, CodingKey {
        case severity, file, field, entity, property, object, code, value, message, coreDataCode, related, help
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        severity = try container.decode(Severity.self, forKey: .severity)
        code = try container.decode(Code.self, forKey: .code)
        message = try container.decode(String.self, forKey: .message)
        position = container.contains(.file) ? try SourcePosition(from: decoder) : nil
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
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
        try position?.encode(to: encoder)
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

/// Coded as ``rawValue`` alone.
extension Diagnostic.Code: Codable {}
