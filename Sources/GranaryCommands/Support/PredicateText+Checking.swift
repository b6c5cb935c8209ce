import GranaryBase
import GranaryModel

extension PredicateText {
    /// Checks a predicate against its entity.
    ///
    /// - Parameter text: the text of the predicate.
    /// - Throws: ``GranaryError`` with code `usage`, whose message shows the place in the text if it is known.
    static func check(
        _ predicate: ObjectPredicate, _ text: String, entity name: String, in schema: Schema
    ) throws(GranaryError) {
        // The export reports an unknown entity.
        guard let entity = schema.entity(named: name) else { return }
        do throws(GranaryError) {
            _ = try PredicateResolver(schema: schema, entity: entity).resolve(predicate)
        } catch {
            throw marked(error, in: text)
        }
    }

    /// The error with the text and a mark under the key path that the message names.
    private static func marked(_ error: GranaryError, in text: String) -> GranaryError {
        guard error.code == .usage, !error.message.contains("\n") else { return error }
        var message = error.message[...]
        if let hint = message.firstRange(of: "; did you mean ") { message = message[..<hint.lowerBound] }
        // Names are in quotes, except the left side of a comparison, which follows the entity.
        var names = message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        // A whole key path rather than one of its keys.
        names.sort { $0.utf8.count > $1.utf8.count }
        if let colon = message.firstRange(of: ": ") {
            names.append(String(message[colon.upperBound...].prefix { $0 != " " }))
        }
        guard let offset = names.lazy.filter({ !$0.isEmpty }).compactMap({ place(ofKeyPath: $0, in: text) }).first
        else { return error }
        var copy = error
        copy.message = marked(error.message, at: offset, in: text)
        return copy
    }
}
