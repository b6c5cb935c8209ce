/// The number of diagnostics of one rule about one property: a line of a summary.
public struct DiagnosticGroup: Sendable, Hashable, Codable {
    /// The rule; ``furtherCode`` for the group of all diagnostics past the limit of groups.
    public var code: Diagnostic.Code
    /// The severity.
    public var severity: Diagnostic.Severity
    /// The entity concerned; nil if there is none.
    public var entity: String?
    /// The property of the entity; nil if no single property is concerned.
    public var property: String?
    /// The number of diagnostics, including those not kept.
    public var count: Int
    /// The first positions, at most 5, in the order added.
    public var first: [SourcePosition]

    /// The maximum number of positions in a group.
    package static let placeLimit = 5
    /// The code `more` of the group that counts the diagnostics past the limit of groups.
    public static let furtherCode = Diagnostic.Code(rawValue: "more")

    /// Creates a group.
    public init(
        _ code: Diagnostic.Code, severity: Diagnostic.Severity = .error, entity: String? = nil,
        property: String? = nil, count: Int = 0, first: [SourcePosition] = []
    ) {
        self.code = code
        self.severity = severity
        self.entity = entity
        self.property = property
        self.count = count
        self.first = first
    }

    mutating func add(at position: SourcePosition?) {
        count += 1
        if let position, first.count < Self.placeLimit { first.append(position) }
    }
}
