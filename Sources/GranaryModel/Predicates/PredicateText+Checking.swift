package import GranaryBase
package import GranaryPredicates

extension PredicateText {
    /// Checks a predicate against its entity.
    ///
    /// - Parameter text: the text of the predicate.
    /// - Throws: ``GranaryError`` with code `usage`, whose message shows the place in the text if it is known.
    package static func check(
        _ predicate: ObjectPredicate, _ text: String, entity name: String, in schema: Schema
    ) throws(GranaryError) {
        // The caller reports an unknown entity.
        guard let entity = schema.entity(named: name) else { return }
        do throws(GranaryError) {
            _ = try PredicateResolver(schema: schema, entity: entity).refusingTransformed.resolve(predicate)
        } catch {
            throw marked(error, in: text)
        }
    }
}
