import Foundation
import Granary
import Testing

/// The codes of diagnostics: their fixed texts, and the place of a mistake.
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
        (.migrationDrop, "migration.drop"), (.migrationMapping, "migration.mapping"),
        (.migrationUnchecked, "migration.unchecked"),
    ]

    @Test("The texts of the codes are fixed")
    func codeTexts() throws {
        #expect(Self.texts.map(\.0.rawValue) == Self.texts.map(\.1))
        #expect(Set(Self.texts.map(\.0)).count == Self.texts.count)
        let coded = try JSONEncoder().encode(Self.texts.map(\.0))
        #expect(try JSONDecoder().decode([String].self, from: coded) == Self.texts.map(\.1))
    }

    private static let model = ManagedObjectModel(entities: [
        EntityDescription("Person", [.attribute("name", .string), .attribute("age", .integer16)])
    ])

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
}
