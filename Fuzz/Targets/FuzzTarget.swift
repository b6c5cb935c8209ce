import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryModelFiles
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryPropertyLists

/// The readers of bytes that strangers may have made: what libFuzzer and the tests feed.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// Keyed archives: as a tree, and as the value of a Transformable attribute.
    case archive
    /// Model caches. After a byte 0 stands what a store has, after a 1 what is compressed first: no fuzzer finds its way
    /// through DEFLATE.
    case cache
    /// Texts of predicates. What is printed of one that is read is read again.
    case predicate
    /// Xcode's model XML.
    case xml

    private static let source = "fuzz"
    /// How many values a tree may have here: the standard limit would take more memory than a fuzzer may have.
    private static let treeSize = 200_000

    /// Reads the bytes; what is wrong with them is an error, and nothing worse.
    ///
    /// - Returns: whether they were taken.
    @discardableResult
    package func run(_ bytes: [UInt8]) -> Bool {
        do {
            switch self {
            case .archive: try Self.readArchive(bytes)
            case .cache: try Self.readCache(bytes)
            case .predicate: try Self.readPredicate(bytes)
            case .xml: try Self.readXML(bytes)
            }
            return true
        } catch {
            return false
        }
    }

    private static func readArchive(_ bytes: [UInt8]) throws {
        // It refuses app classes, which a tree takes.
        _ = try? AttributeTransformer.secureUnarchiveFromData.decode(Data(bytes))
        var limits = PropertyListLimits.standard
        limits.treeSize = treeSize
        let archive = try KeyedArchive(bytes, source: source, limits: limits)
        for key in try archive.topKeys() {
            if let item = try archive.top(key) { _ = try archive.tree(item, limits: limits) }
        }
    }

    private static func readCache(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        let content = try bytes.first == 1 ? Deflate.compress(rest) : rest
        var diagnostics = DiagnosticCollector(limit: 100)
        let model = try ModelCache.read(content, source: source, diagnostics: &diagnostics)
        try resolve(model)
    }

    private static func readPredicate(_ bytes: [UInt8]) throws {
        let text = try ObjectPredicate(String(decoding: bytes, as: UTF8.self)).description
        guard try ObjectPredicate(text).description == text else {
            throw GranaryError(.internalDefect, "a predicate is printed as another one")
        }
    }

    private static func readXML(_ bytes: [UInt8]) throws {
        // The reader of models tells forms by their first bytes; the others have their own targets.
        guard bytes.first == UInt8(ascii: "<") else { throw GranaryError(.refused, "no XML") }
        var diagnostics = DiagnosticCollector(limit: 100)
        let model = try ManagedObjectModel(bytes: bytes, source: source, diagnostics: &diagnostics)
        try resolve(model)
    }

    /// A model that was read can be refused, and written, without harm.
    private static func resolve(_ model: ManagedObjectModel) throws {
        _ = try? ModelCache.write(model)
        _ = try model.resolved()
    }
}
