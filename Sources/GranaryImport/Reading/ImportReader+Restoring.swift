import GranaryBase
import GranaryCoordination
import GranaryModel

/// The primary keys of objects that are restored as they are.
extension ImportReader {
    /// Gives the row the primary key in the current object's `$id`.
    ///
    /// - Parameter yields: whether the row can have another key (``ImportOptions/yields``).
    /// - Returns: the reason why the row has another key; nil if it has that key, or can have another one.
    func takeRestoredKey(of entity: Schema.Entity, _ row: Int, yields: Bool) -> Diagnostic? {
        func problem(_ code: Diagnostic.Code, _ message: String) -> Diagnostic {
            Diagnostic(code, message, entity: entity.name, property: "$id")
        }
        guard !context.identifier.isEmpty else {
            // A field that cannot be an identifier is reported already.
            if rules.restoresParts || context.diagnostics.contains(where: { $0.property == "$id" }) { return nil }
            return problem(
                .valueMissing, "an object that is restored as it is needs its $id, such as \(entity.name)/p1")
        }
        guard let name = ExportedName(context.identifier[...]), name.isNameOfObject(of: entity) else {
            let found = NaturalKeyBytes.display(context.identifier[...])
            return problem(
                .valueSyntax, "\(found) does not name an object of \(entity.name), as \(entity.name)/p1 does")
        }
        batch.origins[row].askedKey = name.key
        guard primaryKeys.take(name.key, insteadOf: batch.rows.rows[row].key, root: entity.root) else {
            if yields { return nil }
            return problem(
                .uniqueDuplicate,
                "another object of \(schema.entities[entity.root].name) or its subentities has the primary key "
                    + "\(name.key)")
        }
        batch.rows.rows[row].key = name.key
        return nil
    }
}
