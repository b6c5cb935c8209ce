/// All diagnostics of one rule about one property, counted: a line of the summary of a long list.
public struct DiagnosticGroup: Sendable, Hashable, Codable {
    /// The rule; ``furtherCode`` for the group that stands for all rules past the limit.
    public var code: Diagnostic.Code
    /// How much it matters.
    public var severity: Diagnostic.Severity
    /// The entity that it is about; nil where it is about none.
    public var entity: String?
    /// The property of that entity; nil where it is about no single one.
    public var property: String?
    /// How many there were, whether they were kept or not.
    public var count: Int
    /// The first places, in the order they came: at most ``placeLimit``.
    public var first: [SourcePosition]

    /// How many places a group keeps.
    public static let placeLimit = 5
    /// The code `more` of the one group that counts all that found no group of its own.
    public static let furtherCode = Diagnostic.Code(rawValue: "more")

    /// A group with a count and places of the caller's.
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
