extension Diagnostic {
    /// The rule that a diagnostic is about. The texts are fixed; scripts compare them.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The fixed text, `area.rule`, as reports print it.
        public let rawValue: String

        /// Any text is taken, so that reports of other versions can be read.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ rawValue: String) { self.rawValue = rawValue }
    }
}

extension Diagnostic.Code {
    // What the file's own syntax can break.
    /// A CSV record breaks the quoting rules of RFC 4180.
    public static let csvSyntax = Self("csv.syntax")
    /// A CSV record has more or fewer fields than there are columns.
    public static let csvRagged = Self("csv.ragged")
    /// The source is not JSON (RFC 8259), or not of a shape that holds records.
    public static let jsonSyntax = Self("json.syntax")
    /// The source is not a property list, or not of a shape that holds records.
    public static let plistSyntax = Self("plist.syntax")
    /// A constant table has a term that is empty or holds a line end or the delimiter, or its numbers have gaps.
    public static let termsSyntax = Self("terms.syntax")
    /// Text has bytes that are no character in its encoding, is in another one than was said, or holds U+0000 where that
    /// is not allowed.
    public static let encodingInvalid = Self("encoding.invalid")
    /// Compressed data is damaged or ends in its middle.
    public static let sourceCompressed = Self("source.compressed")
    /// A limit of the reader's options, or one of the store, is passed; the message names it.
    public static let limitExceeded = Self("limit.exceeded")

    // Columns against properties.
    /// A column or member has no property that it could fill.
    public static let headerUnknown = Self("header.unknown")
    /// Two columns, or two members of one object, have the same name or fill the same property.
    public static let headerDuplicate = Self("header.duplicate")
    /// A header, a column's name, a mapped column or the column of a required property is missing.
    public static let headerMissing = Self("header.missing")

    // A value against its attribute.
    /// A value is not text of its attribute's type, or a list stands where one value belongs.
    public static let valueSyntax = Self("value.syntax")
    /// A value has two meanings: two dates in two date formats, or a local time that occurs twice in its time zone.
    public static let valueAmbiguous = Self("value.ambiguous")
    /// A value has more digits than its attribute, the store or the format keeps.
    public static let valuePrecision = Self("value.precision")
    /// Matching a regular expression took too many steps and was given up.
    public static let valuePatternLimit = Self("value.patternLimit")
    /// A value does not fit its type or the format: a number, a date or an ordinal that is too large, NaN.
    public static let valueRange = Self("value.range")
    /// NULL where a value or an object is required (NSValidationMissingMandatoryPropertyError, 1570).
    public static let valueMissing = Self("value.missing")
    /// A text is shorter than its minimum, in UTF-16 units (NSValidationStringTooShortError, 1670).
    public static let valueTooShort = Self("value.tooShort")
    /// A text is longer than its maximum, in UTF-16 units (NSValidationStringTooLongError, 1660).
    public static let valueTooLong = Self("value.tooLong")
    /// A text does not match its regular expression (NSValidationStringPatternMatchingError, 1680).
    public static let valuePattern = Self("value.pattern")
    /// A number is smaller than its minimum (NSValidationNumberTooSmallError, 1620).
    public static let valueTooSmall = Self("value.tooSmall")
    /// A number is larger than its maximum (NSValidationNumberTooLargeError, 1610).
    public static let valueTooLarge = Self("value.tooLarge")
    /// A date is earlier than its minimum (NSValidationDateTooSoonError, 1640).
    public static let valueTooEarly = Self("value.tooEarly")
    /// A date is later than its maximum (NSValidationDateTooLateError, 1630).
    public static let valueTooLate = Self("value.tooLate")
    /// A validation predicate, or a check of the object's own, fails (NSManagedObjectValidationError, 1550).
    public static let valuePredicate = Self("value.predicate")

    // An object against others.
    /// Two objects have one unique key or `$id` (NSManagedObjectConstraintValidationError, 1551).
    public static let uniqueDuplicate = Self("unique.duplicate")
    /// The store has an object of this unique key already (NSManagedObjectConstraintValidationError, 1551).
    public static let uniqueExists = Self("unique.exists")
    /// A reference names an object that does not exist or is of another entity.
    public static let relationshipNotFound = Self("relationship.notFound")
    /// Several objects have the key of a reference; a warning where they are equal in every attribute.
    public static let relationshipAmbiguous = Self("relationship.ambiguous")
    /// A relationship has fewer objects than its minimum (NSValidationRelationshipLacksMinimumCountError, 1580).
    public static let relationshipTooFew = Self("relationship.tooFew")
    /// A relationship has more objects than its maximum (NSValidationRelationshipExceedsMaximumCountError, 1590).
    public static let relationshipTooMany = Self("relationship.tooMany")
    /// The object that a reference wants has another owner in this relationship already.
    public static let relationshipTaken = Self("relationship.taken")
    /// Deleting is denied while a relationship has objects (NSValidationRelationshipDeniedDeleteError, 1600).
    public static let relationshipDenied = Self("relationship.denied")
    /// The store's object has changed since it was read (NSManagedObjectMergeError, 133020).
    public static let objectConflict = Self("object.conflict")
    /// The store does not have the object any more (NSManagedObjectReferentialIntegrityError, 133000).
    public static let objectGone = Self("object.gone")
    /// A value cannot be saved with the transformer that the model names (NSCoreDataError, 134060).
    public static let transformerInsecure = Self("transformer.insecure")
    /// An object and one that it is linked to are, or would be, in different stores.
    public static let relationshipStores = Self("relationship.stores")
    /// Transactions that a token asks for are no longer in the persistent history
    /// (NSPersistentHistoryTokenExpiredError, 134301).
    public static let historyExpired = Self("history.expired")
    /// Objects are wanted of an abstract entity, which has none of its own.
    public static let entityAbstract = Self("entity.abstract")
    /// A record's entity is not said, not in the model, or not the one that was asked for.
    public static let entityUnknown = Self("entity.unknown")

    // Seed plans.
    /// A plan is no YAML, or a key of it has a value that it cannot take, such as a file that is not there.
    public static let planSyntax = Self("plan.syntax")
    /// A plan has a key that plans do not have in that place.
    public static let planUnknown = Self("plan.unknown")

    // Models, and stores against models.
    /// A model file cannot be read, or a model cannot be written as one.
    public static let modelSyntax = Self("model.syntax")
    /// A name in the model is empty, no identifier, or one that managed objects use themselves.
    public static let modelName = Self("model.name")
    /// The model has a name twice, entities that differ only in case, or a constraint that repeats itself.
    public static let modelDuplicate = Self("model.duplicate")
    /// The model names an entity, property or composite that it does not have.
    public static let modelReference = Self("model.reference")
    /// Two relationships are not each other's inverse.
    public static let modelInverse = Self("model.inverse")
    /// An entity inherits from itself, or a composite contains itself or nests too deep.
    public static let modelInheritance = Self("model.inheritance")
    /// A default value is of another type than its attribute or breaks the attribute's rules.
    public static let modelDefault = Self("model.default")
    /// A validation rule, count or constraint contradicts itself or does not suit its property.
    public static let modelRule = Self("model.rule")
    /// An attribute without a type is not transient.
    public static let modelType = Self("model.type")
    /// Two models that are merged define one thing differently.
    public static let modelConflict = Self("model.conflict")
    /// A model file has an element that is not known; it is kept as it is (a warning).
    public static let modelUnknown = Self("model.unknown")
    /// The store was written for another model: an entity is missing or its version hash differs.
    public static let storeMismatch = Self("store.mismatch")
    /// A table or column is missing, or the store has something that forbids writing, such as a foreign trigger.
    public static let storeLayout = Self("store.layout")
    /// The store itself has refused a row, by a rule of its own that the model does not have.
    public static let storeRefused = Self("store.refused")
    /// Objects that no row speaks of were not pruned, because a record was rejected (a warning).
    public static let pruneSkipped = Self("prune.skipped")
    /// The store holds what cannot be: a cell of the wrong kind, a reference one way only, a file cut off.
    public static let storeCorrupt = Self("store.corrupt")
}
