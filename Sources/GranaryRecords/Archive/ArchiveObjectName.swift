import GranaryBase
import GranaryModel

/// The names of objects in an archive: `Patient/p57`.
enum ArchiveObjectName {
    /// - Returns: the index of the entity and the key; nil if the text is not an object name.
    static func parse(_ text: UnsafeBufferPointer<UInt8>, _ schema: Schema) -> (entity: Int, key: Int64)? {
        guard let slash = text.lastIndex(of: UInt8(ascii: "/")), slash + 2 < text.count,
            text[slash + 1] == UInt8(ascii: "p"), (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(text[slash + 2]),
            let key = try? IntegerText.parse(UnsafeBufferPointer(rebasing: text[(slash + 2)...])),
            let entity = schema.entity(named: String(decoding: text[..<slash], as: UTF8.self))
        else { return nil }
        return (entity.index, key)
    }
}
