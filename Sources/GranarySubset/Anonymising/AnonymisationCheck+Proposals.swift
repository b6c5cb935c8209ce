import GranaryBase
import GranaryGeneration
import GranaryModel

extension AnonymisationCheck {
    /// What is proposed for an attribute by its name and type.
    static func proposal(_ attribute: Schema.Attribute, _ entity: Schema.Entity) -> Undecided {
        let kind = PropertyNames(attribute: attribute.name, entity: entity.name).textKind
        let (proposal, reason): (String, String)
        switch attribute.type {
        case .string, .uri:
            switch kind {
            case .name, .firstName, .lastName, .username, .email, .phone, .street, .postcode, .city, .url:
                (proposal, reason) = ("replace", "its name looks personal (\(kind.rawValue))")
            default: (proposal, reason) = ("replace", "a text can contain anything")
            }
        case .binary:
            (proposal, reason) =
                attribute.description.isOptional
                ? ("null", "binary data can be a picture or a document")
                : ("replace", "binary data can be a picture or a document")
        case .transformable, .composite, .undefined, .objectID:
            (proposal, reason) =
                attribute.description.isOptional
                ? ("null", "the values are objects of the app") : ("keep", "the values are objects of the app")
        case .date: (proposal, reason) = ("replace", "a date can identify a person")
        case .uuid: (proposal, reason) = ("replace", "an identifier can be known elsewhere")
        default: (proposal, reason) = ("keep", "numbers and Booleans alone rarely name a person")
        }
        return Undecided(
            attribute: "\(entity.name).\(attribute.name)", type: attribute.type.name, proposal: proposal, reason: reason
        )
    }
}
