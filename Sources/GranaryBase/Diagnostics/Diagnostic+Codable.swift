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
