import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists
import GranarySQLite
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Every predicate and expression in the model of a real store, which has all kinds that are known: fetched
/// properties, a derived attribute, validation predicates.
@Suite(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
struct StoredPredicatesTests {
    @Test func areReadAndWrittenAgain() throws {
        let archive = try Self.archive()
        var predicates: Set<String> = []
        for property in try Self.properties(archive) {
            var items = try archive.items("NSValidationPredicates", of: property) ?? []
            if let request = try archive.field("NSFetchRequest", of: property) {
                if let item = try archive.field("NSPredicate", of: request) { items.append(item) }
                for item in try archive.items("NSSortDescriptors", of: request) ?? [] {
                    #expect(try SortDescriptorNode(item, in: archive).text == "rating:asc")
                }
            }
            for item in items {
                var reader = PredicateArchiveReader(archive)
                let node = try reader.predicate(item)
                let text = node.description
                predicates.insert(text)
                #expect(try PredicateFormat.predicate(text) == node)
                var builder = KeyedArchiveBuilder()
                let root = try PredicateArchiveWriter.add(node, to: &builder)
                let again = try KeyedArchive(builder.bytes(root: root), source: "again")
                let top = try #require(try again.top())
                #expect(try Self.lines(of: top, again) == Self.lines(of: item, archive))
            }
            if let item = try archive.field("NSDerivationExpression", of: property) {
                var reader = PredicateArchiveReader(archive)
                let node = try reader.expression(item)
                #expect(PredicateFormat.derivationText(of: node) == "pages.@count")
                #expect(try PredicateFormat.derivation("pages.@count") == node)
                var builder = KeyedArchiveBuilder()
                let root = try PredicateArchiveWriter.add(node, to: &builder)
                let again = try KeyedArchive(builder.bytes(root: root), source: "again")
                let top = try #require(try again.top())
                #expect(try Self.lines(of: top, again) == Self.lines(of: item, archive))
            }
        }
        #expect(
            predicates == [
                "authorAlias == $FETCH_SOURCE.alias",
                "authorAlias == $FETCH_SOURCE.alias AND comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search",
                "length >= 3 AND length <= 50", "SELF CONTAINS \"title\"",
            ])
    }

    @Test func becomeRules() throws {
        let archive = try Self.archive()
        let found = try Self.properties(archive).first { property in
            try archive.field("NSValidationPredicates", of: property) != nil
        }
        let property = try #require(found)
        let predicates = try archive.items("NSValidationPredicates", of: property) ?? []
        let warnings = try archive.items("NSValidationWarnings", of: property) ?? []
        #expect(predicates.count == warnings.count)
        var entries: [ValidationEntry] = []
        for (predicate, warning) in zip(predicates, warnings) {
            guard case .string(let text) = try archive.value(warning) else {
                Issue.record("a warning that is no text")
                return
            }
            var reader = PredicateArchiveReader(archive)
            entries.append(ValidationEntry(predicate: try reader.predicate(predicate), warning: .string(text)))
        }
        var attribute = AttributeDescription(name: "title", type: .string)
        let notes = ValidationPredicates.apply(entries, to: &attribute)
        #expect(notes == [])
        let messages = ["Title must have a length between 3 and 50 chars.", "Title must contain 'title'."]
        #expect(attribute.validationRules.map(\.message) == messages)
    }

    /// Every object below one, in a line each: its classes, its field names in order of the alphabet, what they hold.
    private static func lines(of item: KeyedArchive.Item, _ archive: KeyedArchive) throws -> [String] {
        var lines: [String] = []
        var stack = [item]
        while let next = stack.popLast() {
            switch try archive.value(next) {
            case .object:
                let fields = try archive.fields(of: next).sorted { $0.name < $1.name }
                let names = try archive.classNames(of: next).joined(separator: " ")
                lines.append("\(names): \(fields.map(\.name).joined(separator: " "))")
                stack.append(contentsOf: fields.map(\.item))
            case .array(let items):
                let names = try archive.classNames(of: next).joined(separator: " ")
                lines.append("\(names): \(items.count)")
                stack.append(contentsOf: items)
            case let value: lines.append("\(value)")
            }
        }
        return lines
    }

    private static func properties(_ archive: KeyedArchive) throws -> [KeyedArchive.Item] {
        let root = try #require(try archive.top())
        let entities = try #require(try archive.field("NSEntities", of: root))
        var properties: [KeyedArchive.Item] = []
        for entity in try archive.items("values", of: entities) ?? [] {
            guard try archive.className(of: entity) == "NSEntityDescription" else { continue }
            properties.append(contentsOf: try archive.entries("NSProperties", of: entity)?.map(\.item) ?? [])
        }
        return properties
    }

    private static func archive() throws -> KeyedArchive {
        let folder = try TemporaryFolder()
        let source = try SharedFiles.url("coredata/stores/alemar11__CoreDataPlus/SampleModel2_V2.sqlite")
        let copy = folder.url.appending(path: "Store.sqlite")
        try FileManager.default.copyItem(at: source, to: copy)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
        let connection = try Connection(path: copy.path, mode: .readWrite)
        let content = try connection.withStatement("SELECT Z_CONTENT FROM Z_MODELCACHE") { statement in
            try statement.step() ? Array(try statement.blob(at: 0)) : []
        }
        return try KeyedArchive(try Deflate.decompress(content, limit: 10_000_000), source: "model cache")
    }
}
