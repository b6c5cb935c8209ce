/// What a type means for a schema, and how sure that is.
struct TypeMeaning {
    /// Whether the type is optional.
    var isOptional = false
    /// Nil if it is not known; ``question`` then tells why.
    var shape: PropertyShape?
    /// The reason why the rules do not tell the shape.
    var question: String?
    /// What the user can name with `--type` to decide.
    var subject: String?
    /// The shapes to try against a store, the likeliest first.
    var candidates: [PropertyShape] = []
    /// The reason why the shape is likely but not confirmed by a store.
    var inference: String?

    static func known(_ shape: PropertyShape) -> Self { Self(shape: shape) }

    static func inferred(_ shape: PropertyShape, _ reason: String) -> Self { Self(shape: shape, inference: reason) }

    static func unknown(_ question: String, subject: String?, candidates: [PropertyShape] = []) -> Self {
        Self(question: question, subject: subject, candidates: candidates)
    }
}
