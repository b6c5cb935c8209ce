public import Foundation
package import GranaryBase
package import GranaryModel
package import GranaryPropertyLists

/// A kind of store: opens, creates and removes its stores. To add a kind, write one folder with a ``PersistentStore``
/// and its `StoreKind`, and a static member of ``StoreLocation`` that returns it.
package protocol StoreKind: Sendable, Hashable {
    /// The store's file; nil for a store without one.
    var url: URL? { get }

    /// The format of its files; nil for a store without a file.
    static var fileFormat: StoreFileFormat? { get }

    /// Opens the store. Creates it if it does not exist and the description is not read-only.
    ///
    /// - Throws: ``GranaryError``: `unreadable`, `uncreatable`, `refused`, `busy`, `inputOutput`.
    func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore

    /// Creates an empty store, under a temporary name until ``PersistentStore/publish()``.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable` if the name is taken.
    func create(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore

    /// Reads the metadata of a store that is not open, without its model.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if there is no file; `refused` for a file of another kind; `usage` for
    ///   a store without a file.
    func metadata() throws(GranaryError) -> StoreMetadata

    /// Replaces the app's entries in the metadata of a store that is not open.
    ///
    /// - Throws: ``GranaryError``, as ``metadata()``.
    func setUserMetadata(_ entries: [PropertyListEntry]) throws(GranaryError)

    /// Removes the store and all its files. Does nothing if there is no file.
    func destroy(timeout: Duration) throws(GranaryError)
}

/// The format of a store's file, recognised by its first bytes.
package enum StoreFileFormat: Sendable, Hashable {
    case sqlite
    case propertyList

    /// Nil if the file cannot be read, or has another format.
    init?(fileAt url: URL) {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16) else { return nil }
        if start == Data("SQLite format 3\0".utf8) {
            self = .sqlite
        } else if start.starts(with: Data("bplist".utf8)) || start.starts(with: Data("<?xml".utf8)) {
            self = .propertyList
        } else {
            return nil
        }
    }
}

extension StoreLocation {
    /// Opens the store of a description.
    ///
    /// - Throws: ``GranaryError``; its ``GranaryError/coreDataCode`` is 134010 (NSPersistentStoreInvalidTypeError) if
    ///   the file is a store of another kind.
    static func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any PersistentStore {
        let kind = description.location.kind
        do {
            return try kind.open(description, schema: schema)
        } catch {
            guard let url = kind.url, let format = StoreFileFormat(fileAt: url), format != type(of: kind).fileFormat
            else { throw error }
            var error = error
            error.specificCode = 134_010
            throw error
        }
    }

    /// Whether both locations are the same file, symbolic links resolved.
    func isSameFile(as other: StoreLocation) -> Bool {
        guard let url, let other = other.url else { return false }
        return ArchiveFile.resolved(url.path(percentEncoded: false))
            == ArchiveFile.resolved(other.path(percentEncoded: false))
    }
}

/// A store's kind and its file. (The type and URL of `NSPersistentStore`)
public struct StoreLocation: Sendable, Hashable {
    package let kind: any StoreKind

    package init(_ kind: any StoreKind) { self.kind = kind }

    /// The store's file; nil in memory.
    public var url: URL? { kind.url }

    public static func == (left: Self, right: Self) -> Bool { AnyHashable(left.kind) == AnyHashable(right.kind) }

    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(kind)) }
}
