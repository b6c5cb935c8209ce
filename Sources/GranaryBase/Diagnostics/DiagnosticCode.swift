extension Diagnostic {
    /// The rule of a diagnostic. The texts are fixed, so that scripts can compare them.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The fixed text, `area.rule`.
        public let rawValue: String

        /// Accepts any text, so that reports of other versions can be read.
        public init(rawValue: String) { self.rawValue = rawValue }

        private init(_ rawValue: String) { self.rawValue = rawValue }
    }
}

extension Diagnostic.Code {
    // The syntax of files.
    /// A CSV record violates the quoting rules of RFC 4180.
    public static let csvSyntax = Self("csv.syntax")
    /// A CSV record has more or fewer fields than there are columns.
    public static let csvRagged = Self("csv.ragged")
    /// The source is not JSON (RFC 8259), or its structure has no records.
    public static let jsonSyntax = Self("json.syntax")
    /// The source is not a property list, or its structure has no records.
    public static let plistSyntax = Self("plist.syntax")
    /// A constant table has an empty term, a term with a line end or the delimiter, or numbers with gaps.
    public static let termsSyntax = Self("terms.syntax")
    /// Text has invalid bytes, has another encoding than the given one, or contains U+0000 where that is not allowed.
    public static let encodingInvalid = Self("encoding.invalid")
    /// Compressed data is damaged or truncated.
    public static let sourceCompressed = Self("source.compressed")
    /// A limit of the reader's options or of the store is exceeded. The message names the limit.
    public static let limitExceeded = Self("limit.exceeded")

    // Columns and properties.
    /// No property has the name of a column or member.
    public static let headerUnknown = Self("header.unknown")
    /// Two columns, or two members of one object, have the same name or set the same property.
    public static let headerDuplicate = Self("header.duplicate")
    /// A header, a column's name, a mapped column or the column of a required property is missing.
    public static let headerMissing = Self("header.missing")

    // Values and attributes.
    /// A value is not valid text of its attribute's type, or is a list instead of one value.
    public static let valueSyntax = Self("value.syntax")
    /// A value has two meanings: two dates in two date formats, or a local time that occurs twice in its time zone.
    public static let valueAmbiguous = Self("value.ambiguous")
    /// A value has more digits than its attribute, the store or the format can hold.
    public static let valuePrecision = Self("value.precision")
    /// Matching a regular expression was stopped because it took too many steps.
    public static let valuePatternLimit = Self("value.patternLimit")
    /// A value does not fit its type or the format: a number, a date or an ordinal that is too large, NaN.
    public static let valueRange = Self("value.range")
    /// A required value or object is missing (NSValidationMissingMandatoryPropertyError, 1570).
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
    /// Texts of a natural key or of references begin or end with spaces (a warning, once for each column).
    public static let valueSpaces = Self("value.spaces")
    /// A validation predicate or a validation method of the object fails (NSManagedObjectValidationError, 1550).
    public static let valuePredicate = Self("value.predicate")

    // Objects and relationships.
    /// Two objects have the same unique key or `$id` (NSManagedObjectConstraintValidationError, 1551).
    public static let uniqueDuplicate = Self("unique.duplicate")
    /// The store already has an object with this unique key (NSManagedObjectConstraintValidationError, 1551).
    public static let uniqueExists = Self("unique.exists")
    /// A reference names an object that does not exist or is of another entity.
    public static let relationshipNotFound = Self("relationship.notFound")
    /// Several objects have the key of a reference; a warning if all their attributes are equal.
    public static let relationshipAmbiguous = Self("relationship.ambiguous")
    /// A relationship has fewer objects than its minimum (NSValidationRelationshipLacksMinimumCountError, 1580).
    public static let relationshipTooFew = Self("relationship.tooFew")
    /// A relationship has more objects than its maximum (NSValidationRelationshipExceedsMaximumCountError, 1590).
    public static let relationshipTooMany = Self("relationship.tooMany")
    /// The referenced object already belongs to another object in this relationship.
    public static let relationshipTaken = Self("relationship.taken")
    /// An object with a Deny delete rule still has related objects (NSValidationRelationshipDeniedDeleteError, 1600).
    public static let relationshipDenied = Self("relationship.denied")
    /// The object was changed in the store after it was read (NSManagedObjectMergeError, 133020).
    public static let objectConflict = Self("object.conflict")
    /// The object was deleted from the store (NSManagedObjectReferentialIntegrityError, 133000).
    public static let objectGone = Self("object.gone")
    /// A value cannot be saved with the transformer that the model names (NSCoreDataError, 134060).
    public static let transformerInsecure = Self("transformer.insecure")
    /// A relationship connects objects in different stores.
    public static let relationshipStores = Self("relationship.stores")
    /// Transactions after a token were deleted from the persistent history
    /// (NSPersistentHistoryTokenExpiredError, 134301).
    public static let historyExpired = Self("history.expired")
    /// Objects of an abstract entity were requested. Only its subentities have objects.
    public static let entityAbstract = Self("entity.abstract")
    /// A record's entity is missing, not in the model, or not the requested one.
    public static let entityUnknown = Self("entity.unknown")

    // Seed plans.
    /// A plan is not YAML, or a key has an invalid value, such as a missing file.
    public static let planSyntax = Self("plan.syntax")
    /// A plan has an unknown key.
    public static let planUnknown = Self("plan.unknown")

    // Models and stores.
    /// A model file cannot be read, or a model cannot be written as one.
    public static let modelSyntax = Self("model.syntax")
    /// A name in the model is empty, not an identifier, or reserved by managed objects.
    public static let modelName = Self("model.name")
    /// The model has a name twice, entities whose names differ only in case, or a constraint with repeated attributes.
    public static let modelDuplicate = Self("model.duplicate")
    /// The model names an entity, property or composite that it does not have.
    public static let modelReference = Self("model.reference")
    /// Two relationships are not each other's inverse.
    public static let modelInverse = Self("model.inverse")
    /// An entity inherits from itself, or a composite contains itself or nests too deep.
    public static let modelInheritance = Self("model.inheritance")
    /// A default value has another type than its attribute or violates the attribute's rules.
    public static let modelDefault = Self("model.default")
    /// A validation rule, count or constraint contradicts itself or is not valid for its property.
    public static let modelRule = Self("model.rule")
    /// An attribute without a type is not transient.
    public static let modelType = Self("model.type")
    /// Two merged models have different definitions of the same entity or template.
    public static let modelConflict = Self("model.conflict")
    /// Swift sources do not tell how SwiftData stores a property, or which schema is meant.
    public static let modelUndecided = Self("model.undecided")
    /// A released version of the model, which a lock has, changed.
    public static let modelFrozen = Self("model.frozen")
    /// A model file has an unknown element, which is kept unchanged (a warning).
    public static let modelUnknown = Self("model.unknown")
    /// The store was written for another model: an entity is missing or its version hash differs.
    public static let storeMismatch = Self("store.mismatch")
    /// A table or column is missing, or a part of the schema prevents writing, such as a trigger of another program.
    public static let storeLayout = Self("store.layout")
    /// A migration would drop objects, values or links that the newer version of the model cannot hold.
    public static let migrationDrop = Self("migration.drop")
    /// Core Data infers no mapping for a change of the model.
    public static let migrationMapping = Self("migration.mapping")
    /// A step of a migration could not be checked, because an earlier one was refused.
    public static let migrationUnchecked = Self("migration.unchecked")
    /// The store refused a row by a rule that is not in the model.
    public static let storeRefused = Self("store.refused")
    /// Objects that no row mentions were not pruned, because a record was rejected (a warning).
    public static let pruneSkipped = Self("prune.skipped")
    /// The store is damaged: a value of the wrong type, a relationship without its inverse, a truncated file.
    public static let storeCorrupt = Self("store.corrupt")
}
