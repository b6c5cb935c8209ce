/// A type, an extension or a typealias.
package struct SourceDeclaration: Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
        case `class`, `struct`, `enum`, actor, `protocol`, `extension`, `typealias`
    }

    package var kind: Kind
    /// The name; of an extension the name of the extended type, with dots.
    package var name: String
    package var place: SourcePlace
    /// The conditions of the `#if` clauses around it, all of which have to hold.
    package var conditions: [SourceCondition] = []
    package var attributes: [SourceAttribute] = []
    /// The types after the colon.
    package var inherited: [SourceType] = []
    /// The names of its generic parameters.
    package var genericParameters: [String] = []
    /// The type of a typealias.
    package var aliased: SourceType?
    /// Properties in the order of the source, those of the type itself included.
    package var variables: [SourceVariable] = []
    package var cases: [SourceCase] = []
    /// Macros that are used as members, such as `#Unique`.
    package var macros: [SourceMacro] = []
    /// The types, extensions and typealiases in it.
    package var members: [SourceDeclaration] = []
    /// Whether it declares `encode(to:)`.
    package var encodesItself = false

    package init(kind: Kind, name: String, place: SourcePlace) {
        self.kind = kind
        self.name = name
        self.place = place
    }
}
