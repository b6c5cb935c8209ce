package import Foundation
package import GranaryBase

/// The contents of a keyed archive as a tree, at most ``PropertyListLimits/depth`` levels deep.
package enum KeyedArchiveTree: Sendable {
    case null
    case string(String)
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case real(Double)
    case decimal(ExactDecimal)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data([UInt8])
    case uuid(UUID)
    case url(relative: String, base: String?)
    case array([KeyedArchiveTree])
    case set([KeyedArchiveTree])
    case orderedSet([KeyedArchiveTree])
    case dictionary([Entry])
    /// An object of another class, with its archived fields.
    case object(classNames: [String], fields: [Field])

    package struct Entry: Sendable {
        package var key: KeyedArchiveTree
        package var value: KeyedArchiveTree

        package init(_ key: KeyedArchiveTree, _ value: KeyedArchiveTree) {
            self.key = key
            self.value = value
        }
    }

    package struct Field: Sendable {
        package var name: String
        package var value: KeyedArchiveTree

        package init(_ name: String, _ value: KeyedArchiveTree) {
            self.name = name
            self.value = value
        }
    }
}
