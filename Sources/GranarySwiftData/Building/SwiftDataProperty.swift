import GranaryBase
import GranaryModel

/// A stored property of a class with `@Model`, as read from the source.
struct SwiftDataProperty {
    let name: String
    let position: SourcePosition
    var meaning: TypeMeaning
    /// The type as text, for messages.
    let typeText: String
    /// Whether `@Relationship` is written.
    var isAnnotated = false
    var isUnique = false
    /// Whether it is in the model, but neither stored nor hashed.
    var isTransient = false
    /// The value transformer of a Transformable; nil for that of SwiftData.
    var transformerName: String?
    var storesExternally = false
    var preservesValueOnDeletion = false
    var allowsCloudEncryption = false
    var isIndexedBySpotlight = false
    var originalName: String?
    var hashModifier: String?
    var deleteRule = RelationshipDescription.DeleteRule.nullify
    /// The property that `inverse:` names: its class as written, if it is, and its name.
    var explicitInverse: (type: SourceType?, name: String)?
    var initialValue: SourceExpression?
    /// The name of the inverse; nil for none.
    var inverse: String?
    /// The names of inverses to try, if the rules do not tell it. An empty text stands for none.
    var inverseCandidates: [String] = []
    var inverseQuestion: String?
    /// `minimumModelCount` and `maximumModelCount`; 0 for none.
    var minimumCount = 0
    var maximumCount = 0
    /// Whether the counts may be in the model, or may not.
    var areCountsUndecided = false

    /// The class at the other end; nil for an attribute.
    var destination: SourceTypeID? {
        switch meaning.shape {
        case .toOne(let id)?, .toMany(let id)?: id
        default: nil
        }
    }

    var isToMany: Bool {
        if case .toMany? = meaning.shape { true } else { false }
    }

    /// The property without the counts that its relationship has.
    var withoutCounts: Self {
        var property = self
        property.minimumCount = 0
        property.maximumCount = 0
        return property
    }

    var isUndecided: Bool { meaning.shape == nil || inverseQuestion != nil || areCountsUndecided }
}
