import GranaryBase
import GranaryCoordination
import GranaryModel

/// The primary keys of objects that are restored as they are.
extension RecordIntake {
    /// Gives the row the primary key in the current object's `$id`.
    ///
    /// - Parameter yields: whether the row can have another key (``ImportOptions/yieldsKeys``).
    /// - Returns: the reason why the row has another key; nil if it has that key, or can have another one.
    func takeRestoredKey(of entity: Schema.Entity, _ row: Int, yields: Bool) -> Diagnostic? {
        func problem(_ code: Diagnostic.Code, _ message: String) -> Diagnostic {
            Diagnostic(code, message, entity: entity.name, property: "$id")
        }
        guard !context.identifier.isEmpty else {
            // A field that cannot be an identifier is reported already.
            if restoresParts || context.diagnostics.contains(where: { $0.property == "$id" }) { return nil }
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

/// The name of an object in an export: `Doctor/p3`.
struct ExportedName: Equatable {
    let entity: String
    /// The primary key, which is positive.
    let key: Int64

    /// Reads the bytes of a key with one text, as ``NaturalKeyBytes`` encodes it. Nil for any text that an export does
    /// not write.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let text = NaturalKeyBytes.text(bytes) else { return nil }
        self.init(text)
    }

    init?(_ text: String) {
        // The name of an entity can contain a slash.
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")), slash > text.startIndex else { return nil }
        let digits = text[slash...].dropFirst(2)
        guard text[slash...].hasPrefix("/p"), let key = Int64(digits), key > 0, String(key) == digits else {
            return nil
        }
        entity = String(text[..<slash])
        self.key = key
    }

    /// Whether the name is that of an object of exactly this entity, compared byte for byte.
    func isNameOfObject(of other: Schema.Entity) -> Bool { entity.utf8.elementsEqual(other.name.utf8) }

    /// The entity of the name in the family of another; nil if there is none.
    func entity(in family: Range<Int>, of schema: Schema) -> Schema.Entity? {
        family.lazy.map { schema.entities[$0] }.first { isNameOfObject(of: $0) }
    }
}
