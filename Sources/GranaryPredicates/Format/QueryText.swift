package import GranaryBase

/// The text of a query: `Patient`, or `Patient WHERE age > 60`.
package struct QueryText {
    /// The name of the entity, which may be unknown.
    package let entity: String
    /// The text of the predicate; nil if there is none.
    package let condition: String?
    package let predicate: ObjectPredicate?

    /// - Throws: ``GranaryError`` with code `usage` for a text of another form.
    package init(_ text: String) throws(GranaryError) {
        let query = text.drop { $0.isWhitespace }
        entity = String(query.prefix { !$0.isWhitespace })
        guard !entity.isEmpty else {
            throw GranaryError(.usage, "the query is empty; write an entity, or ENTITY WHERE PREDICATE")
        }
        let rest = query.dropFirst(entity.count).drop { $0.isWhitespace }
        guard !rest.isEmpty else {
            condition = nil
            predicate = nil
            return
        }
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        guard word.lowercased() == "where" else {
            let offset = text.utf8.distance(from: text.startIndex, to: rest.startIndex)
            throw GranaryError(
                .usage,
                PredicateText.marked("write ENTITY or ENTITY WHERE CONDITION (no SQL)", at: offset, in: text))
        }
        let condition = String(rest.dropFirst(word.count).drop { $0.isWhitespace })
        self.condition = condition
        predicate = try ObjectPredicate(condition)
    }
}
