import GranaryModel

/// What a Swift type becomes in a model.
indirect enum PropertyShape: Hashable {
    /// An attribute of one type; for a Transformable with the class of its values.
    case attribute(AttributeType, className: String? = nil)
    /// An enum with raw values: a composite of one element with the name of the property. Without the raw values if
    /// they are not known.
    case rawEnum(name: String, AttributeType, values: [RawValue]?)
    /// An enum without raw values and payloads: a composite with an element for each case.
    case caseEnum(name: String, cases: [String])
    /// A Codable struct: a composite with an element for each stored property.
    case structure(name: String, [ShapeElement])
    case toOne(SourceTypeID)
    case toMany(SourceTypeID)
    /// Not stored.
    case absent

    /// The number of attributes in it. The elements of a struct were counted when it was read, so this takes time
    /// proportional to the limit at most.
    var size: Int {
        switch self {
        case .structure(_, let elements): elements.reduce(1) { $0 + $1.shape.size }
        case .caseEnum(_, let cases): cases.count
        default: 1
        }
    }

    var isRelationship: Bool {
        switch self {
        case .toOne, .toMany: true
        default: false
        }
    }
}
