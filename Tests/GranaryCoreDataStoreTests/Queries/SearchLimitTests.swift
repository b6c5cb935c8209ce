import GranaryBase
import StoreTestSupport
import Testing

@testable import GranaryContexts
@testable import GranaryCoordination
@testable import GranaryCoreDataStore
@testable import GranaryModel
@testable import GranaryPredicates

/// Predicates past the limits of SQLite are evaluated in memory.
@Suite("Searches past the limits of SQL") struct SearchLimitTests {
    private func count(_ predicate: ObjectPredicate) throws -> (memory: Int, sqlite: Int) {
        let (memory, sqlite) = try SearchTwinTests.containers()
        func count(_ container: PersistentContainer) throws -> Int {
            try container.withStore(forReading: true) { store in
                let entity = try #require(store.schema.entity(named: "Employee"))
                let resolver = PredicateResolver(schema: store.schema, entity: entity)
                let search = StoreSearch(entities: entity.family, predicate: try resolver.resolve(predicate))
                #expect(try store.keys(search).count == store.count(search))
                return try store.count(search)
            }
        }
        return (try count(memory), try count(sqlite))
    }

    private func nested(_ depth: Int, _ wrap: (ObjectExpression) -> ObjectExpression) -> ObjectPredicate {
        var expression = ObjectExpression.keyPath("age")
        for _ in 0..<depth { expression = wrap(expression) }
        return .compare(expression, .greater, .constant(.integer(5)))
    }

    @Test("Deep arithmetic") func arithmetic() throws {
        let result = try count(nested(60) { .function("add:to:", [.keyPath("age"), $0]) })
        #expect(result.memory == result.sqlite && result.memory > 0)
    }

    @Test("Deep choices") func choices() throws {
        let condition = ObjectPredicate.compare(.keyPath("age"), .greater, .constant(.integer(2)))
        let result = try count(nested(55) { .conditional(condition, $0, .constant(.integer(1))) })
        #expect(result.memory == result.sqlite && result.memory > 0)
    }

    @Test("Deep subqueries") func subqueries() throws {
        var predicate = ObjectPredicate.compare(.path("age", of: .variable("x")), .less, .constant(.integer(500)))
        for _ in 0..<14 {
            // Every level multiplies the work, so the collections are empty.
            let collection = ObjectExpression.subquery(.keyPath("skills"), variable: "z", .constant(false))
            predicate = .compare(
                .path("@count", of: .subquery(collection, variable: "y", predicate)), .greaterOrEqual,
                .constant(.integer(0)))
        }
        let whole = ObjectPredicate.compare(
            .path("@count", of: .subquery(.keyPath("reports"), variable: "x", predicate)), .greater,
            .constant(.integer(0)))
        let result = try count(whole)
        #expect(result.memory == result.sqlite && result.memory > 0)
    }

    @Test("Many conditions", arguments: [1_100]) func conditions(_ number: Int) throws {
        let parts = (0..<number).map { index in
            ObjectPredicate.compare(
                .keyPath("name"), .equal, .constant(.string(index == 7 ? "a" : "no name \(index)")))
        }
        let result = try count(.or(parts))
        #expect(result.memory == result.sqlite && result.memory > 0)
    }

    @Test("Thousands of conditions", arguments: [1_100]) func thousands(_ number: Int64) throws {
        let parts = (1...number).map { number in
            ObjectPredicate.compare(.keyPath("age"), .notEqual, .constant(.integer(-number)))
        }
        let result = try count(.and(parts))
        #expect(result.memory == result.sqlite && result.memory > 0)
    }

    @Test("now() is one moment") func now() throws {
        let result = try count(.compare(.function("now", []), .equal, .function("now", [])))
        #expect(result.memory == 60 && result.sqlite == 60)
    }
}

@Suite("Long searches past the limits of SQL") struct SearchLimitLongTests {
    @Test("Many conditions", arguments: [500, 1_500, 5_000]) func conditions(_ number: Int) throws {
        try SearchLimitTests().conditions(number)
    }

    @Test("Thousands of conditions") func thousands() throws { try SearchLimitTests().thousands(12_000) }
}
