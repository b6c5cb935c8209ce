public import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension StoreLocation {
    /// Opens the store of a description.
    ///
    /// - Throws: ``GranaryError``; its ``GranaryError/coreDataCode`` is 134010 (NSPersistentStoreInvalidTypeError) if
    ///   the file is a store of another kind.
    static func open(
        _ description: PersistentStoreDescription, schema: Schema
    ) throws(GranaryError) -> sending any StoreBackend {
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
