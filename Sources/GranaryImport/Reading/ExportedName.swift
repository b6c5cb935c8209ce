import GranaryBase
import GranaryCoordination
import GranaryModel

/// The name of an object in an export: `Doctor/p3`.
package struct ExportedName: Equatable {
    package let entity: String
    /// The primary key, which is positive.
    let key: Int64

    /// Reads the bytes of a key with one text, as ``NaturalKeyBytes`` encodes it. Nil for any text that an export does
    /// not write.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let text = NaturalKeyBytes.text(bytes) else { return nil }
        self.init(text)
    }

    package init?(_ text: String) {
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
