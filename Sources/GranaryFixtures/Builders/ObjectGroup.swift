import Foundation
import GranaryContexts

/// Objects of one entity that a test describes.
struct ObjectGroup: Sendable {
    enum Target: Sendable {
        case entity(String)
        case objectClass(ManagedObject.Type)
        /// The destination of the relationship that the objects are linked by.
        case destination
    }

    /// Code of a test that changes each object, given its place among them, from 0.
    ///
    /// Code cannot be compared, so the identity distinguishes it from all others.
    struct Configuration: Sendable {
        let identity = UUID()
        let body: @Sendable (ManagedObject, Int) throws -> Void
    }

    var target: Target
    var count: Int
    var values: [String: SeedValue] = [:]
    var variants: [SeedVariant] = []
    var links: [String: SeedLink] = [:]
    var configuration: Configuration?
    var randomSeed: UInt64 = 0

    /// The values of the variants and the group's own, which win.
    var allValues: [String: SeedValue] {
        variants.reduce(into: [:]) { $0.merge($1.values) { _, later in later } }.merging(values) { _, own in own }
    }

    /// The links of the variants and the group's own, which win.
    var allLinks: [String: SeedLink] {
        variants.reduce(into: [:]) { $0.merge($1.links) { _, later in later } }.merging(links) { _, own in own }
    }
}

extension ObjectGroup: CustomStringConvertible {
    /// `3 Patient (a minor, without an address)`
    var description: String {
        let name =
            switch target {
            case .entity(let name): name
            case .objectClass(let type): "\(type)"
            case .destination: "objects"
            }
        return "\(count) \(name)" + (variants.isEmpty ? "" : " (\(variants.map(\.name).joined(separator: ", ")))")
    }
}
