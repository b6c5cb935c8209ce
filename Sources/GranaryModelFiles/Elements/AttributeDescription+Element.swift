import GranaryModel
import GranaryPredicates

extension AttributeDescription: ModelElement {
    static let elementName = "attribute"

    static let fields: [ElementField<Self>] = [
        .written("name") { $0.name },
        .flag("optional", \.isOptional),
        .flag("transient", \.isTransient),
        .written("attributeType") { $0.type == .undefined ? nil : $0.type.name },
        .text("valueTransformerName", \.valueTransformerName),
        .text("customClassName", \.valueClassName),
        date("minDateTimeInterval", \.minimumValue),
        bound("minValueString", \.minimumLength, \.minimumValue),
        date("maxDateTimeInterval", \.maximumValue),
        bound("maxValueString", \.maximumLength, \.maximumValue),
        date("defaultDateTimeInterval", \.defaultValue),
        ElementField(
            name: "defaultValueString",
            read: { if $1.type != .date { $1.defaultValue = $0.defaultValue("defaultValueString", $1.type) } },
            text: { $0.defaultValue.flatMap(ModelValueText.text) }),
        .text("regularExpressionString", \.regularExpression),
        ElementField(
            name: "usesScalarValueType", read: { $1.usesScalarValueType = $0.boolean("usesScalarValueType") },
            text: { $0.usesScalarValueType.map { $0 ? "YES" : "NO" } }),
        .written("derived") { $0.derivationExpression == nil ? nil : "YES" },
        ElementField(
            name: "derivationExpression",
            read: { if $0.flag("derived") { $1.derivationExpression = $0.required("derivationExpression") } },
            text: { $0.derivationExpression }),
        .flag("allowsExternalBinaryDataStorage", \.allowsExternalBinaryDataStorage),
        .flag("allowsCloudEncryption", \.allowsCloudEncryption),
        .flag("preserveAfterDeletion", \.preservesValueInHistoryOnDeletion),
        .flag("spotlightIndexingEnabled", \.isIndexedBySpotlight),
        .flag("storedInTruthFile", \.isStoredInExternalRecord),
        .flag("indexed", \.isIndexed),
        .text("composite", \.compositeName),
        .text("elementID", \.renamingIdentifier),
        .text("versionHashModifier", \.versionHashModifier),
        .flag("syncable", \.isSyncable),
    ]

    init(required attributes: inout ElementAttributes) {
        let type = attributes.choice("attributeType", "an attribute type", AttributeType.init(name:)) ?? .undefined
        self.init(name: attributes.required("name"), type: type)
    }

    /// A value of a Date attribute.
    private static func date(
        _ name: String, _ path: any WritableKeyPath<Self, AttributeValue?> & Sendable
    ) -> ElementField<Self> {
        ElementField(
            name: name,
            read: {
                guard $1.type == .date else { return }
                $1[keyPath: path] = $0.choice(name, "a number of seconds since 2001", ModelValueText.date)
            },
            text: { ModelValueText.seconds($0[keyPath: path]) })
    }

    /// A bound of the length of text, or of a number.
    private static func bound(
        _ name: String, _ length: any WritableKeyPath<Self, Int?> & Sendable,
        _ value: any WritableKeyPath<Self, AttributeValue?> & Sendable
    ) -> ElementField<Self> {
        ElementField(
            name: name,
            read: {
                switch $1.type {
                // The model editor writes an empty text if its field was cleared.
                case .string where $0.text(name) != "": $1[keyPath: length] = $0.integer(name, in: 0...Int.max)
                case .integer16, .integer32, .integer64, .decimal, .double, .float:
                    $1[keyPath: value] = $0.value(name, $1.type)
                default: break
                }
            },
            text: { $0[keyPath: length].map(String.init) ?? $0[keyPath: value].flatMap(ModelValueText.text) })
    }

    mutating func removeChildren() {
        userInfo = [:]
        validationRules = []
    }
}
