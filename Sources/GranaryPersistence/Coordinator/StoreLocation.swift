public import Foundation
public import GranaryFormats

/// Where a container's objects are kept, and in which form. (A store's type and URL)
public struct StoreLocation: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case inMemory
        case sqlite(URL)
        case archive(URL, PropertyListEncoding)
    }

    let kind: Kind

    /// In memory only: gone with the container. (`NSInMemoryStoreType`)
    public static let inMemory = Self(kind: .inMemory)

    /// In an SQLite file of Core Data's layout, made when it does not exist. (`NSSQLiteStoreType`)
    public static func sqlite(_ url: URL) -> Self { Self(kind: .sqlite(url)) }

    /// In one property list, read as a whole and written as a whole by every save; made when it does not exist.
    /// (`NSBinaryStoreType`, whose place it takes; the form is Granary's own export.)
    public static func archive(_ url: URL, _ encoding: PropertyListEncoding = .binary) -> Self {
        Self(kind: .archive(url, encoding))
    }

    /// The file; nil in memory.
    public var url: URL? {
        switch kind {
        case .inMemory: nil
        case .sqlite(let url), .archive(let url, _): url
        }
    }
}
