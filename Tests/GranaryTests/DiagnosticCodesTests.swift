import Foundation
import Granary
import Testing

/// The codes of diagnostics: their fixed texts, and the mistake that leads to each.
@Suite("Diagnostic codes") struct DiagnosticCodesTests {
    private static let texts: [(Diagnostic.Code, String)] = [
        (.csvSyntax, "csv.syntax"), (.csvRagged, "csv.ragged"), (.jsonSyntax, "json.syntax"),
        (.plistSyntax, "plist.syntax"), (.termsSyntax, "terms.syntax"), (.encodingInvalid, "encoding.invalid"),
        (.sourceCompressed, "source.compressed"), (.limitExceeded, "limit.exceeded"),
        (.headerUnknown, "header.unknown"), (.headerDuplicate, "header.duplicate"), (.headerMissing, "header.missing"),
        (.valueSyntax, "value.syntax"), (.valueAmbiguous, "value.ambiguous"), (.valuePrecision, "value.precision"),
        (.valuePatternLimit, "value.patternLimit"), (.valueRange, "value.range"), (.valueMissing, "value.missing"),
        (.valueTooShort, "value.tooShort"), (.valueTooLong, "value.tooLong"), (.valuePattern, "value.pattern"),
        (.valueTooSmall, "value.tooSmall"), (.valueTooLarge, "value.tooLarge"), (.valueTooEarly, "value.tooEarly"),
        (.valueTooLate, "value.tooLate"), (.valuePredicate, "value.predicate"),
        (.valueSpaces, "value.spaces"),
        (.uniqueDuplicate, "unique.duplicate"), (.uniqueExists, "unique.exists"),
        (.relationshipNotFound, "relationship.notFound"), (.relationshipAmbiguous, "relationship.ambiguous"),
        (.relationshipTooFew, "relationship.tooFew"), (.relationshipTooMany, "relationship.tooMany"),
        (.relationshipTaken, "relationship.taken"), (.relationshipDenied, "relationship.denied"),
        (.relationshipStores, "relationship.stores"), (.objectConflict, "object.conflict"),
        (.objectGone, "object.gone"), (.transformerInsecure, "transformer.insecure"),
        (.historyExpired, "history.expired"), (.entityAbstract, "entity.abstract"), (.entityUnknown, "entity.unknown"),
        (.planSyntax, "plan.syntax"), (.planUnknown, "plan.unknown"), (.modelSyntax, "model.syntax"),
        (.modelName, "model.name"), (.modelDuplicate, "model.duplicate"), (.modelReference, "model.reference"),
        (.modelInverse, "model.inverse"), (.modelInheritance, "model.inheritance"), (.modelDefault, "model.default"),
        (.modelRule, "model.rule"), (.modelType, "model.type"), (.modelConflict, "model.conflict"),
        (.modelUnknown, "model.unknown"), (.storeMismatch, "store.mismatch"), (.storeLayout, "store.layout"),
        (.storeRefused, "store.refused"), (.storeCorrupt, "store.corrupt"), (.pruneSkipped, "prune.skipped"),
    ]

    @Test("The texts of the codes are fixed")
    func codeTexts() throws {
        #expect(Self.texts.map(\.0.rawValue) == Self.texts.map(\.1))
        #expect(Set(Self.texts.map(\.0)).count == Self.texts.count)
        let coded = try JSONEncoder().encode(Self.texts.map(\.0))
        #expect(try JSONDecoder().decode([String].self, from: coded) == Self.texts.map(\.1))
    }

    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Person",
            [
                .attribute("name", .string, .required, .length(2...5)), .attribute("email", .string),
                .attribute("code", .string, .pattern("[A-Z]+")),
                .attribute("twice", .string, .pattern("(a?){30}(a+)+(\\2)b")),
                .attribute("age", .integer16, .minimum(0), .maximum(130)),
                .attribute(
                    "born", .date, .minimum(.date(Date(timeIntervalSinceReferenceDate: 0))),
                    .maximum(.date(Date(timeIntervalSinceReferenceDate: 86_400)))),
                .attribute("amount", .decimal),
                .attribute(
                    "answer", .string,
                    .rule(.compare(.evaluatedObject, .notEqual, .constant("no")), "the answer is yes")),
                .toOne("team", "Team", inverse: "members"), .toMany("roles", "Role", inverse: nil, .count(0, 2)),
            ], unique: [["email"]]),
        EntityDescription(
            "Team",
            [
                .attribute("name", .string), .attribute("number", .integer16),
                .toMany("members", "Person", inverse: "team"),
            ]),
        EntityDescription("Role", [.attribute("name", .string)], unique: [["name"]]),
        EntityDescription("Shape", [], isAbstract: true),
    ])

    private static let rows: [(header: String, rows: String, code: Diagnostic.Code)] = [
        ("name", "\"Ann", .csvSyntax), ("name,age", "Ann,7,x", .csvRagged),
        ("name,shoe", "Ann,39", .headerUnknown), ("name,name", "Ann,Ann", .headerDuplicate),
        ("age", "7", .headerMissing), ("name,age", "Ann,old", .valueSyntax), ("name,age", "Ann,70000", .valueRange),
        ("name,age", ",7", .valueMissing), ("name", "A", .valueTooShort), ("name", "Annabel", .valueTooLong),
        ("name,code", "Ann,x", .valuePattern), ("name,age", "Ann,-1", .valueTooSmall),
        ("name,twice", "Ann,\(String(repeating: "a", count: 200))", .valuePatternLimit),
        ("name,age", "Ann,131", .valueTooLarge), ("name,born", "Ann,2000-12-31T23:59:59Z", .valueTooEarly),
        ("name,born", "Ann,2001-01-03T00:00:00Z", .valueTooLate),
        ("name,amount", "Ann,0.\(String(repeating: "3", count: 45))", .valuePrecision),
        ("name,answer", "Ann,no", .valuePredicate), ("name,email", "Ann,x\nBob,x", .uniqueDuplicate),
        ("name,email", "Ann,known", .uniqueExists), ("name,team", "Ann,Black", .relationshipNotFound),
        ("name,team", "Ann,Red", .relationshipAmbiguous), ("name,roles", "Ann,a;b;c", .relationshipTooMany),
    ]

    @Test("Each mistake in a CSV row has its code", arguments: rows.indices)
    func codesOfRows(index: Int) async throws {
        let row = Self.rows[index]
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        try await container.perform { context in
            for (number, colour) in ["Red", "Red", "Blue"].enumerated() {
                let team = try context.insert(into: "Team")
                try team.setValue(.string(colour), forKey: "name")
                // Equal teams would be a warning.
                try team.setValue(.integer(Int64(number)), forKey: "number")
                let member = try context.insert(into: "Person")
                try member.setValue("Known", forKey: "name")
                try member.setValue(colour == "Blue" ? "known" : nil, forKey: "email")
                try member.setObject(team, forKey: "team")
            }
            for name in ["a", "b", "c"] {
                try context.insert(into: "Role").setValue(.string(name), forKey: "name")
            }
            try context.save()
        }
        var options = ImportOptions()
        options.lookups = ["team": .attribute("name")]
        let source = ImportSource.text("\(row.header)\n\(row.rows)\n", format: .csv, name: "people.csv")
        let error = await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Person", from: source, options: options).run(into: container)
        }
        let diagnostic = try #require(error?.diagnostics.first)
        #expect(diagnostic.code == row.code && diagnostic.severity == .error, "\(diagnostic)")
        #expect(diagnostic.position?.file == "people.csv")
        #expect(diagnostic.coreDataCode == row.code.coreDataCode)
        #expect(try await container.perform { try $0.count("Person") } == 3)
    }

    @Test("A diagnostic has the place, the column and the text of the mistake")
    func place() async throws {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let source = ImportSource.text("name,age\nAnn,7\nBob,old\n", format: .csv, name: "people.csv")
        let error = await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Person", from: source).run(into: container)
        }
        let diagnostic = try #require(error?.diagnostics.first)
        #expect(diagnostic.field == "age" && diagnostic.value == "old" && diagnostic.property == "age")
        let position = SourcePosition(file: "people.csv", line: 3, column: 5, byteOffset: 19, record: 2)
        #expect(diagnostic.position == position && diagnostic.position?.record == 2)
    }

    private static let sources: [(source: ImportSource, code: Diagnostic.Code)] = [
        (.bytes(Data([0x6E, 0x61, 0x6D, 0x65, 0x0A, 0xFF, 0xFF, 0x0A]), name: "a.csv"), .encodingInvalid),
        (.text("[{\"name\": }]", format: .json), .jsonSyntax),
        (.text("[\(String(repeating: "[", count: 5_000))", format: .json), .limitExceeded),
        (.text("<plist><array>", format: .plist), .plistSyntax),
        (.terms("Ann%%Bob", delimiter: "%", attribute: "name"), .termsSyntax),
        (.text("{\"entities\": {\"Robot\": [{\"name\": \"Ann\"}]}}", format: .json), .entityUnknown),
        (.text("[{\"name\": [\"Ann\"]}]", format: .json), .valueSyntax),
    ]

    @Test("Each mistake in another source has its code", arguments: sources.indices)
    func codesOfSources(index: Int) async throws {
        let (source, code) = Self.sources[index]
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let error = await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Person", from: source).run(into: container)
        }
        #expect(error?.diagnostics.first?.code == code, "\(String(describing: error))")
    }
}
