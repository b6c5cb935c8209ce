package import GranaryBase
package import GranaryModel

extension Schema {
    /// The error for the name of an entity that the model does not have.
    package func unknownEntity(_ name: String) -> GranaryError {
        let names = entities.map(\.name)
        let hint = NearestText.hint(for: name, in: names)
        return GranaryError(
            .usage,
            "the model has no entity \"\(name)\""
                + (hint.isEmpty ? "; its entities are \(names.joined(separator: ", "))" : hint))
    }
}
