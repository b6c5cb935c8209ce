import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import TestSupport
import Testing
@testable import GranaryExport

/// Values as JSON (`Book.Values` is Codable), against the JSON export of the same objects.
@Suite("Values as JSON") struct ValuesExportTests {
    /// Things with the values of the table in docs/file-formats.md, and one without values.
    private func container() throws -> PersistentContainer {
        let container = try PersistentContainer(model: ThingModel.model, store: .inMemory)
        let context = container.makeContext()
        var previous: ManagedObject?
        for row in FormatTable.rows {
            guard let name = ConformanceModel.types.first(where: { $0.type == row.attributeType })?.name,
                name != "transformable", row.option == nil, case .text = row.json
            else { continue }
            let thing = try context.insert(into: "Thing")
            try thing.setValue("t", forKey: "title")
            if let value = try row.attributeValue() { try thing.setValue(value, forKey: name) }
            try thing.setObject(previous, forKey: "next")
            previous = thing
        }
        let part = try context.insert(into: "Part")
        for (name, value) in ["title": "", "place.x": 0.5, "place.label": "l/\u{7f}"] as [String: AttributeValue] {
            try part.setValue(value, forKey: name)
        }
        try part.setObject(part, forKey: "next")
        try context.save()
        return container
    }

    private func export(_ container: PersistentContainer) async throws -> Data {
        let folder = try TemporaryFolder()
        var options = ExportOptions()
        options.entities = ["Thing"]
        options.combinesSubentities = true
        options.reference = .id
        let file = folder.url.appending(path: "things.json")
        try await Exporter(options: options).run(container, to: .file(file))
        return try Data(contentsOf: file)
    }

    private func decoder(_ container: PersistentContainer) -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo = container.decodingUserInfo
        return decoder
    }

    /// The objects of an array of JSON, without the members that only the export has.
    private func objects(_ data: Data) throws -> [[String: NSObject]] {
        let list = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        return list.map { object in
            var object = object.compactMapValues { $0 as? NSObject }
            for name in ["$entity", "a", "whole"] { object[name] = nil }
            return object
        }
    }

    @Test("Values encode as the export writes them, and decode back")
    func equalsExport() async throws {
        let container = try container()
        let values = try await container.values(ThingValues.self)
        #expect(values.count > 40)
        let encoded = try JSONEncoder().encode(values)
        let exported = try await export(container)
        let (ours, theirs) = (try objects(encoded), try objects(exported))
        #expect(ours.count == theirs.count)
        for (left, right) in zip(ours, theirs) { #expect(left == right) }
        #expect(ours.last?["title"] == NSString("") && ours.last?["string"] == NSNull())
        #expect(try decoder(container).decode([ThingValues].self, from: encoded) == values)
        #expect(try decoder(container).decode([ThingValues].self, from: exported) == values)
    }

    @Test("Numbers, dates and text are written digit for digit as in the export")
    func equalText() async throws {
        let container = try container()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = String(decoding: try await export(container), as: UTF8.self).split(separator: "\n")
        for values in try await container.values(ThingValues.self) where values.objectID.entityName == "Thing" {
            let text = String(decoding: try encoder.encode(values), as: UTF8.self)
            for name in ["i64", "decimal", "date", "uuid", "binary", "uri"] {
                guard let start = text.range(of: "\"\(name)\":") else { continue }
                let member = text[start.lowerBound...].prefix { $0 != "," && $0 != "}" }
                let line = lines.first { $0.contains("\"$id\":\"\(values.objectID.exportName ?? "")\"") }
                #expect(line?.contains(member) == true, "\(member)")
            }
        }
    }

    @Test("Values are decoded with their container only, and only what fits them")
    func refusals() async throws {
        let container = try container()
        let message = { (text: String, decoder: JSONDecoder) -> String in
            do {
                _ = try decoder.decode(ThingValues.self, from: Data(text.utf8))
                return "decoded"
            } catch DecodingError.dataCorrupted(let context) {
                return context.codingPath.map(\.stringValue).joined() + ": " + context.debugDescription
            } catch DecodingError.keyNotFound(let key, _) {
                return "missing " + key.stringValue
            } catch DecodingError.typeMismatch(_, let context) {
                return "type of " + context.codingPath.map(\.stringValue).joined()
            } catch { return "\(error)" }
        }
        let decoder = decoder(container)
        let start = #"{"$id":"Thing/p1","title":"t""#
        for (text, part) in [
            (start + "}", "decoded"), (#"{"$id":"Part/p1","title":null}"#, "decoded"),
            (start + #","date":"2026-01-02T03:04:05+02:00"}"#, "decoded"), (#"{"title":"t"}"#, "missing $id"),
            (#"{"$id":"Thing/p1"}"#, "missing title"), (#"{"$id":"Thing/p0","title":"t"}"#, "$id: \"Thing/p0\""),
            (#"{"$id":"Book/p1","title":"t"}"#, "$id: \"Book/p1\" is not an object of the model"),
            (#"{"$id":"x/y","title":"t"}"#, "$id: "), (start + #","i16":40000}"#, "i16: 40000 does not fit Integer 16"),
            (start + #","i16":"1"}"#, "type of i16"),
            (start + #","date":"yesterday"}"#, "date: \"yesterday\" is not a date"),
            (start + #","date":"2026-01-02T03:04:05"}"#, "date: "),
            (start + #","uuid":"1"}"#, "uuid: \"1\" is not a UUID"),
            (start + #","binary":"*"}"#, "binary: \"*\" is not Base64"), (start + #","next":"Nothing/p1"}"#, "next: "),
        ] {
            #expect(message(text, decoder).contains(part), "\(text): \(message(text, decoder))")
        }
        #expect(message(start + "}", JSONDecoder()).contains("container.decodingUserInfo"))
        // The dates of years without a form in ISO 8601.
        let context = container.makeContext()
        let thing = try #require(try context.first("Thing"))
        try thing.setValue(.date(Date(timeIntervalSinceReferenceDate: 1e15)), forKey: "date")
        try context.save()
        let values = try await container.values(ThingValues.self)
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(values) }
    }

    @Test("An object of another entity is refused")
    func otherEntity() throws {
        var model = ThingModel.model
        model.entities.append(EntityDescription("Other", [.attribute("title", .string)]))
        let container = try PersistentContainer(model: model, store: .inMemory)
        #expect(throws: DecodingError.self) {
            try decoder(container).decode(ThingValues.self, from: Data(#"{"$id":"Other/p1","title":"t"}"#.utf8))
        }
    }
}
