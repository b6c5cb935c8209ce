public import Foundation

/// Where a container's objects are kept.
public struct StoreLocation: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case inMemory
        case sqlite(URL)
    }

    let kind: Kind

    /// In memory only: gone with the container. (`NSInMemoryStoreType`)
    public static let inMemory = Self(kind: .inMemory)

    /// In an SQLite file of Core Data's layout, made when it does not exist. (`NSSQLiteStoreType`)
    public static func sqlite(_ url: URL) -> Self { Self(kind: .sqlite(url)) }
}
