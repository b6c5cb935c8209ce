import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists
import Testing

@testable import GranaryModelFiles

/// Parts of compiled models that the files beside the checkout do not have.
struct CompiledModelReaderTests {
    @Test func defaultsOfEveryType() throws {
        let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        let tenth = try #require(Decimal(string: "0.1"))
        let url = try #require(URL(string: "http://a.example"))
        let values: [(Int64, PropertyListValue, AttributeValue)] = [
            (100, .integer(-5), .integer(-5)), (200, .real(7), .integer(7)), (300, .boolean(true), .integer(1)),
            (400, .real(0.1), .decimal(tenth)), (400, .integer(12), .decimal(12)),
            (500, .integer(3), .double(3)), (500, .real(1.5), .double(1.5)), (600, .real(0.5), .float(0.5)),
            (700, .string("text"), .string("text")), (800, .integer(0), .boolean(false)),
            (800, .boolean(true), .boolean(true)), (1000, .data([1, 2]), .binary(Data([1, 2]))),
            (1100, .string(uuid.uuidString), .uuid(uuid)),
            (1200, .string("http://a.example"), .uri(url)),
        ]
        for (type, archived, expected) in values {
            let (model, diagnostics) = try CompiledSamples.read { samples in
                let value = samples.builder.add(archived)
                return [("a", samples.attribute("a", type: type, [.init("NSDefaultValue", value)]))]
            }
            #expect(model.entities.first?.attributes.first?.defaultValue == expected, "\(type)")
            #expect(diagnostics.isEmpty)
        }
    }

    @Test func aDefaultOfAnAppsOwnClassIsNoted() throws {
        let (model, diagnostics) = try CompiledSamples.read { samples in
            let value = samples.builder.add(classNames: ["App.Cover", "NSObject"], fields: [])
            return [("a", samples.attribute("a", type: 1800, [.init("NSDefaultValue", value)]))]
        }
        let attribute = try #require(model.entities.first?.attributes.first)
        #expect(attribute.defaultValue == nil)
        #expect(attribute.notes == ["NSDefaultValue": "App.Cover"])
        #expect(diagnostics.map(\.severity) == [.note])
        #expect(diagnostics.first?.entity == "E" && diagnostics.first?.property == "a")
    }

    /// As SwiftData archives a property of a Codable structure that has a value in the declaration.
    @Test func anEmptyDictionaryIsNoDefaultOfAComposite() throws {
        for entries in [[], [("x", PropertyListValue.integer(1))]] {
            let (model, diagnostics) = try CompiledSamples.read { samples in
                let element = samples.attribute("x")
                let elements = samples.array([element])
                let value = samples.dictionary(entries)
                let composite = samples.attribute(
                    "a", type: 2100, className: "NSCompositeAttributeDescription",
                    [.init("NSCompositeElements", elements), .init("NSDefaultValue", value)])
                return [("a", composite)]
            }
            #expect(model.entities.first?.attributes.first?.type == .composite)
            #expect(diagnostics.count == entries.count, "\(diagnostics)")
        }
    }

    @Test func versionIdentifiersMayBeOfAnyClass() throws {
        var samples = CompiledSamples()
        let entity = samples.entity("E")
        let number = samples.builder.add(.integer(7))
        let object = samples.builder.add(classNames: ["App.Version", "NSObject"], fields: [])
        let identifiers = samples.array([samples.text("1.0"), number, object])
        let (model, diagnostics) = try CompiledSamples.read(
            samples.bytes([("E", entity)], [.init("NSVersionIdentifiers", identifiers)]))
        #expect(model.versionIdentifiers == ["1.0", "7"])
        #expect(diagnostics.map(\.severity) == [.warning, .warning])
    }

    @Test func equalCompositesAreOne() throws {
        let (model, diagnostics) = try CompiledSamples.read { samples in
            var properties: [(String, PropertyListValue)] = []
            for (name, leaf) in [("home", "city"), ("work", "city"), ("other", "land")] {
                let elements = samples.array([samples.attribute(leaf), samples.attribute("zip")])
                properties.append(
                    (
                        name,
                        samples.attribute(
                            name, type: 2100, className: "NSCompositeAttributeDescription",
                            [.init("NSCompositeElements", elements)])
                    ))
            }
            return properties
        }
        #expect(diagnostics.isEmpty)
        #expect(model.composites.map(\.name) == ["EHome", "EOther"])
        #expect(model.entities.first?.attributes.map(\.compositeName) == ["EHome", "EOther", "EHome"])
        #expect(model.composites.first?.elements.map(\.name) == ["city", "zip"])
        _ = try model.resolved()
    }

    @Test func otherCompositesOfOneNameGetNumbers() throws {
        let (model, diagnostics) = try CompiledSamples.read { samples in
            var properties: [(String, PropertyListValue)] = []
            for name in ["a", "b", "c"] {
                let leaf = samples.array([samples.attribute("leaf" + name)])
                let inner = samples.attribute(
                    "x", type: 2100, className: "NSCompositeAttributeDescription", [.init("NSCompositeElements", leaf)])
                let outer = samples.array([inner])
                properties.append(
                    (
                        name,
                        samples.attribute(
                            name, type: 2100, className: "NSCompositeAttributeDescription",
                            [.init("NSCompositeElements", outer)])
                    ))
            }
            return properties
        }
        #expect(diagnostics.isEmpty)
        #expect(model.composites.map(\.name) == ["EA", "EB", "EC", "EX", "EX2", "EX3"])
    }

    @Test func flagsAndNames() throws {
        let (model, diagnostics) = try CompiledSamples.read { samples in
            [
                (
                    "b",
                    samples.attribute(
                        "b", type: 1000,
                        [
                            .init("NSFlagsKey", .integer(4 | 16 | 64)), .init("NSIsOptional", .boolean(true)),
                            .init("NSRenamingIdentifier", samples.text("old")), .init("NSFuture", .integer(7)),
                        ])
                ),
                ("A", samples.attribute("A", [.init("NSRenamingIdentifier", samples.text("A"))])),
            ]
        }
        let attributes = try #require(model.entities.first?.attributes)
        #expect(attributes.map(\.name) == ["A", "b"])
        #expect(attributes[0].renamingIdentifier == nil && attributes[1].renamingIdentifier == "old")
        #expect(attributes[1].isOptional && attributes[1].allowsExternalBinaryDataStorage)
        #expect(attributes[1].preservesValueInHistoryOnDeletion)
        #expect(attributes[1].notes == ["NSFlagsKey": "84", "NSFuture": "7"])
        #expect(diagnostics.count == 2)
    }

    @Test func whatCachesRepeatIsLeftOut() throws {
        var samples = CompiledSamples()
        let parent = samples.builder.reserve()
        let child = samples.builder.reserve()
        let proxy = samples.builder.add(classNames: ["_NSPropertyDescriptionProxy", "NSObject"], fields: [])
        let inherited = samples.attribute("a", entity: .uid(parent))
        let copy = samples.attribute("b", entity: .uid(child))
        let other = samples.attribute("c", type: 100, entity: .uid(child))
        let own = samples.attribute("d", entity: .uid(child))
        let parentReference = samples.entity(
            "P", at: parent,
            properties: [
                ("a", inherited), ("b", samples.attribute("b", entity: .uid(parent))),
                ("c", samples.attribute("c", type: 200, entity: .uid(parent))),
            ])
        let childReference = samples.entity(
            "C", at: child, properties: [("a", inherited), ("b", copy), ("c", other), ("d", own), ("e", proxy)],
            [.init("NSSuperentity", .uid(parent))])
        let (model, diagnostics) = try CompiledSamples.read(
            samples.bytes([("P", parentReference), ("C", childReference)]))
        #expect(model.entities.map(\.name) == ["C", "P"])
        #expect(model.entity(named: "C")?.attributes.map(\.name) == ["d"])
        #expect(model.entity(named: "P")?.attributes.map(\.name) == ["a", "b", "c"])
        #expect(diagnostics.map(\.property) == ["c"])
        _ = try model.resolved()
    }

    @Test func foldersOfSeveralVersionsNeedAName() throws {
        let folder = try TemporaryCompiledFolder(versions: ["M", "M 2"], current: nil)
        let lines = ModelSamples.refusal { _ = try ManagedObjectModel(contentsOf: folder.url) }
        #expect(lines?.first?.contains("name one of M.mom, M 2.mom") == true, "\(lines ?? [])")
        #expect(try ManagedObjectModel.versions(in: folder.url).allSatisfy { !$0.isCurrent })
        let one = try TemporaryCompiledFolder(versions: ["M"], current: nil)
        #expect(try ManagedObjectModel(contentsOf: one.url).entities.map(\.name) == ["M"])
        let named = try TemporaryCompiledFolder(versions: ["M", "N"], current: "N")
        #expect(try ManagedObjectModel(contentsOf: named.url).entities.map(\.name) == ["N"])
        let missing = try TemporaryCompiledFolder(versions: ["M", "N"], current: "O")
        let missingLines = ModelSamples.refusal { _ = try ManagedObjectModel(contentsOf: missing.url) }
        #expect(
            missingLines?.first?.contains("the current version is \"O\", but the folder holds M.mom, N.mom") == true)
    }

    @Test func hashesBesideAreCompared() throws {
        let folder = try TemporaryCompiledFolder(
            versions: ["M"], current: "M",
            hashes: [PropertyListEntry("M", .data([1])), PropertyListEntry("Gone", .data([2]))])
        var diagnostics = DiagnosticCollector()
        _ = try ManagedObjectModel(contentsOf: folder.url, diagnostics: &diagnostics)
        #expect(diagnostics.diagnostics.map(\.entity) == ["Gone", "M"])
        #expect(diagnostics.errorCount == 0)
    }
}
