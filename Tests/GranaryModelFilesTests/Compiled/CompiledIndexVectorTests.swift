import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists
import TestSupport
import Testing

@testable import GranaryModelFiles

/// The compiled forms of elements and predicates in `fetch-index-vectors.json`, read and written again.
@Suite("Compiled indexes of public stores") struct CompiledIndexVectorTests {
    @Test(
        "The compiled form of the published vectors", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func vectors() throws {
        let data = try Data(contentsOf: try SharedFiles.url("coredata/fetch-index-vectors.json"))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let vectors = try #require(root["compiled"] as? [String: [String: Any]])
        #expect(vectors.count >= 12)
        for (name, vector) in vectors {
            var samples = CompiledSamples()
            let item = try Self.add(vector, to: &samples)
            var elements: [PropertyListValue] = []
            var predicate = KeyedArchiveBuilder.null
            if name.hasPrefix("element") { elements = [item] } else { predicate = item }
            let elementList = samples.array(elements)
            let index = samples.builder.add(
                classNames: ["NSFetchIndexDescription", "NSObject"],
                fields: [
                    .init("NSIndexName", samples.text("i")), .init("NSIndexElements", elementList),
                    .init("NSPartialIndexPredicate", predicate), .init("NSEntity", KeyedArchiveBuilder.null),
                ])
            let indexes = samples.array([index])
            let entity = samples.entity("E", [.init("NSFetchIndexDescriptions", indexes)])
            let (model, diagnostics) = try CompiledSamples.read(samples.bytes([("E", entity)]))
            #expect(diagnostics == [], "\(name)")
            // What is read is written with the same classes and fields.
            let again = try PropertyList.read(try CompiledModelWriter.bytes(of: model), source: "again")
            let objects = try #require(again["$objects"]?.array)
            let written = objects.compactMap { Self.plain($0, objects, depth: 0) as? [String: Any] }
            let className = try #require(vector["$class"] as? String)
            let found = written.filter { $0["$class"] as? String == className }
            let expected = Self.text(Self.renumbered(vector))
            let texts = found.map { Self.text(Self.renumbered($0)) }
            #expect(texts.contains(expected), "\(name): \(texts)\nreally \(expected)")
        }
    }

    /// Adds a vector's object to an archive.
    private static func add(_ value: Any, to samples: inout CompiledSamples) throws -> PropertyListValue {
        switch value {
        case let object as [String: Any]:
            let name = try #require(object["$class"] as? String)
            var fields: [PropertyListEntry] = []
            for (key, field) in object.sorted(by: { $0.key < $1.key }) where key != "$class" {
                switch field {
                case let number as NSNumber where key != "NSConstantValue":
                    let isFlag = ["NSIsOptional", "NSIsReadOnly", "NSAscending", "NSNegate"].contains(key)
                    fields.append(.init(key, isFlag ? .boolean(number.boolValue) : .integer(number.int64Value)))
                default: fields.append(.init(key, try add(field, to: &samples)))
                }
            }
            var names = [name, "NSObject"]
            if name == "NSExpressionDescription" { names.insert("NSPropertyDescription", at: 1) }
            return samples.builder.add(classNames: names, fields: fields)
        case let list as [Any]:
            var members: [PropertyListValue] = []
            for member in list { members.append(try add(member, to: &samples)) }
            return samples.array(members)
        case let text as String: return samples.text(text)
        case let number as NSNumber: return samples.builder.add(.integer(number.int64Value))
        default: return KeyedArchiveBuilder.null
        }
    }

    /// An object of an archive as the vectors write it.
    private static func plain(_ value: PropertyListValue, _ objects: [PropertyListValue], depth: Int) -> Any {
        guard depth < 30 else { return "deep" }
        switch value {
        case .uid(let number):
            return number == 0 || number >= UInt64(objects.count)
                ? NSNull() : plain(objects[Int(number)], objects, depth: depth + 1)
        case .string(let text): return text
        case .integer(let number): return Int(number)
        case .boolean(let truth): return truth
        case .dictionary(let entries):
            guard case .uid(let type)? = value["$class"], type < UInt64(objects.count),
                let name = objects[Int(type)]["$classname"]?.string
            else { return "class" }
            if let members = value["NS.objects"]?.array, value["NS.keys"] == nil {
                return members.map { plain($0, objects, depth: depth + 1) }
            }
            var object: [String: Any] = ["$class": name]
            for entry in entries where !["$class", "NSFetchIndexDescription"].contains(entry.key) {
                object[entry.key] = plain(entry.value, objects, depth: depth + 1)
            }
            return object
        default: return "other"
        }
    }

    /// The names `expression17` as `expression1`.
    private static func renumbered(_ value: Any) -> Any {
        switch value {
        case let object as [String: Any]: object.mapValues(renumbered)
        case let list as [Any]: list.map(renumbered)
        case let text as String: text.hasPrefix("expression") ? "expression1" : text
        default: value
        }
    }

    /// A value as text in one order.
    private static func text(_ value: Any) -> String {
        switch value {
        case let object as [String: Any]:
            "{" + object.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ") + "}"
        case let list as [Any]: "[" + list.map(text).joined(separator: ", ") + "]"
        case is NSNull: "null"
        case let text as String: text
        case let truth as Bool: truth ? "1" : "0"
        case let number as Int: "\(number)"
        default: "\(value)"
        }
    }
}
