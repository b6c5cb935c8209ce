extension Diagnostic {
    /// The rule that a diagnostic is about. The texts are fixed; scripts compare them.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ rawValue: String) { self.rawValue = rawValue }
    }
}

extension Diagnostic.Code {
    // What the file's own syntax can break.
    public static let csvSyntax = Self("csv.syntax")
    public static let csvRagged = Self("csv.ragged")
    public static let jsonSyntax = Self("json.syntax")
    public static let plistSyntax = Self("plist.syntax")
    public static let termsSyntax = Self("terms.syntax")
    public static let encodingInvalid = Self("encoding.invalid")
    public static let limitExceeded = Self("limit.exceeded")

    // Columns against properties.
    public static let headerUnknown = Self("header.unknown")
    public static let headerDuplicate = Self("header.duplicate")
    public static let headerMissing = Self("header.missing")

    // A value against its attribute.
    public static let valueSyntax = Self("value.syntax")
    public static let valuePrecision = Self("value.precision")
    public static let valuePatternLimit = Self("value.patternLimit")
    public static let valueRange = Self("value.range")
    public static let valueMissing = Self("value.missing")
    public static let valueTooShort = Self("value.tooShort")
    public static let valueTooLong = Self("value.tooLong")
    public static let valuePattern = Self("value.pattern")
    public static let valueTooSmall = Self("value.tooSmall")
    public static let valueTooLarge = Self("value.tooLarge")
    public static let valueTooEarly = Self("value.tooEarly")
    public static let valueTooLate = Self("value.tooLate")
    public static let valuePredicate = Self("value.predicate")

    // An object against others.
    public static let uniqueDuplicate = Self("unique.duplicate")
    public static let uniqueExists = Self("unique.exists")
    public static let relationshipNotFound = Self("relationship.notFound")
    public static let relationshipAmbiguous = Self("relationship.ambiguous")
    public static let relationshipTooFew = Self("relationship.tooFew")
    public static let relationshipTooMany = Self("relationship.tooMany")
    public static let relationshipTaken = Self("relationship.taken")
    public static let relationshipDenied = Self("relationship.denied")
    public static let objectConflict = Self("object.conflict")
    public static let entityAbstract = Self("entity.abstract")
    public static let entityUnknown = Self("entity.unknown")

    // Models, and stores against models.
    public static let modelSyntax = Self("model.syntax")
    public static let modelName = Self("model.name")
    public static let modelDuplicate = Self("model.duplicate")
    public static let modelReference = Self("model.reference")
    public static let modelInverse = Self("model.inverse")
    public static let modelInheritance = Self("model.inheritance")
    public static let modelDefault = Self("model.default")
    public static let modelRule = Self("model.rule")
    public static let modelType = Self("model.type")
    public static let modelConflict = Self("model.conflict")
    public static let modelUnknown = Self("model.unknown")
    public static let storeMismatch = Self("store.mismatch")
    public static let storeLayout = Self("store.layout")
    public static let storeCorrupt = Self("store.corrupt")
}
