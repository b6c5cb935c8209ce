public import Foundation
import GranaryBase
public import GranaryFormats
import GranaryModel
import GranaryPropertyLists

extension StoreLocation {
    /// In one property list, which is read as a whole, and written as a whole by every save. Created if it does not exist.
    /// It takes the place of `NSBinaryStoreType`; the format is that of Granary's property-list export.
    public static func archive(_ url: URL, _ encoding: PropertyListEncoding = .binary) -> Self {
        Self(ArchiveStoreKind(file: url, encoding: encoding))
    }
}

private struct ArchiveStoreKind: StoreKind {
    static let fileFormat: StoreFileFormat? = .propertyList
    let file: URL
    let encoding: PropertyListEncoding

    var url: URL? { file }
    private var path: String { file.path(percentEncoded: false) }

    func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore {
        try ArchiveStore.openOrCreate(
            path: path, schema: schema, encoding: encoding, readOnly: description.isReadOnly)
    }

    func create(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore {
        try ArchiveStore.create(path: path, schema: schema, encoding: encoding)
    }

    func metadata() throws(GranaryError) -> StoreMetadata { try ArchiveStore.metadata(path: path) }

    func setUserMetadata(_ entries: [PropertyListEntry]) throws(GranaryError) {
        try ArchiveStore.setUserMetadata(entries, path: path)
    }

    func destroy(timeout: Duration) throws(GranaryError) { try ArchiveStore.destroy(path: path) }
}
