import GranaryBase
import Testing

@testable import GranaryModel

@Suite struct RelationshipViolationsTests {
    /// Optional, minimum, maximum, objects, and the code of what is wrong.
    @Test(
        arguments: [
            (true, 0, 1, 0, nil, nil), (true, 0, 1, 1, nil, nil), (false, 0, 1, 1, nil, nil),
            (false, 0, 1, 0, .valueMissing, 1570), (false, 1, 1, 0, .valueMissing, 1570),
            (true, 0, 0, 0, nil, nil), (true, 0, 0, 1_000, nil, nil), (false, 0, 0, 1, nil, nil),
            (false, 0, 0, 0, nil, nil), (false, 1, 0, 0, .relationshipTooFew, 1580),
            (false, 3, 0, 0, .relationshipTooFew, 1580),
            (true, 3, 0, 0, nil, nil), (true, 3, 0, 2, .relationshipTooFew, 1580), (true, 3, 5, 3, nil, nil),
            (true, 3, 5, 5, nil, nil), (true, 3, 5, 6, .relationshipTooMany, 1590),
            (false, 0, -1, 50, nil, nil), (false, 0, -1, 0, nil, nil),
        ] as [(Bool, Int, Int, Int, Diagnostic.Code?, Int?)])
    func counts(
        _ isOptional: Bool, _ minimum: Int, _ maximum: Int, _ count: Int, _ code: Diagnostic.Code?, _ number: Int?
    ) throws {
        var relationship = RelationshipDescription(name: "r", destination: "E")
        relationship.isOptional = isOptional
        relationship.minCount = minimum
        relationship.maxCount = maximum
        var entity = EntityDescription(name: "E")
        entity.relationships = [relationship]
        let schema = try ManagedObjectModel(entities: [entity]).resolved()
        let found = schema.entities[0].relationships[0].violations(ofCount: count)
        #expect(found.map(\.code) == (code.map { [$0] } ?? []))
        #expect(found.first?.coreDataCode == number)
        // Where no count breaks a rule none does here.
        #expect(schema.entities[0].relationships[0].hasCountRule || found.isEmpty)
    }
}
