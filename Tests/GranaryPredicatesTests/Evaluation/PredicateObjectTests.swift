import Foundation
import GranaryBase
import GranaryModel
import Testing

@testable import GranaryPredicates

/// An object of the tests below.
private struct Item: PredicateSubject {
    var key: Int64
    var values: [String: PredicateOperand] = [:]

    func predicateValue(forKey key: String) -> PredicateOperand? { values[key] }
    var predicateSelf: PredicateOperand? { .subject(self) }
    var predicateReference: ObjectReference? { Self.reference(key) }

    static func reference(_ key: Int64) -> ObjectReference {
        ObjectReference(store: "S", root: "Item", key: .stored(key), uri: "x-coredata://S/Item/p\(key)")
    }

    /// A department with three employees, of whom one has no salary.
    static var department: Item {
        func employee(_ key: Int64, _ name: String, _ salary: Int64?) -> Item {
            var item = Item(key: key, values: ["name": .value(.string(name))])
            item.values["salary"] = salary.map { .value(.integer($0)) }
            return item
        }
        let employees = [employee(1, "Ann", 10), employee(2, "Bob", 30), employee(3, "Cid", nil)]
        let boss = employees[1]
        return Item(
            key: 9,
            values: [
                "employees": .list(employees.map { .subject($0) }), "nobody": .list([]), "boss": .subject(boss),
                "name": .value("Sales"), "limit": .value(20),
                "tags": .list([.value("b"), .value("a"), .value("b"), nil]),
            ])
    }
}

@Suite struct PredicateObjectTests {
    @Test(
        arguments: [
            // Collection operators.
            ("employees.@count == 3", true), ("nobody.@count == 0", true), ("missing.@count == 0", true),
            ("boss.@count == 1", true), ("tags.@count == 4", true),
            ("employees.@sum.salary == 40", true), ("employees.@avg.salary == 20", true),
            ("employees.@min.salary == 10", true), ("employees.@max.salary == 30", true),
            ("nobody.@sum.salary == 0", true), ("nobody.@avg.salary == nil", true),
            ("nobody.@max.salary == nil", true), ("missing.@sum.salary == 0", true),
            ("employees.@max.name == 'Cid'", true), ("tags.@max == nil", false),
            ("tags.@distinctUnionOfObjects.@count == 2", true), ("tags.@unionOfObjects.@count == 3", true),
            ("employees.@distinctUnionOfObjects.name.length == {3}", true),
            // ANY and ALL.
            ("ANY employees.salary > 20", true), ("ALL employees.salary > 5", false),
            ("ANY employees.salary == nil", true), ("ALL employees.name != nil", true),
            ("ANY nobody.salary == nil", false), ("ALL nobody.salary == 1", true), ("ANY missing.salary == nil", false),
            ("ALL missing.salary == nil", true), ("NONE employees.salary > 40", true), ("ANY name == 'Sales'", true),
            ("ANY employees.name IN {'Bob', 'Eve'}", true), ("ALL employees.name BETWEEN {'A', 'D'}", true),
            ("ANY employees.name BEGINSWITH[c] 'B'", true), ("ANY employees.name LIKE '?i?'", true),
            // A collection without ANY is compared as a list.
            ("employees.name == {'Ann', 'Bob', 'Cid'}", true), ("employees.name == {'Bob', 'Ann', 'Cid'}", false),
            ("employees.name != {'Ann'}", true), ("employees.name > 'A'", false),
            ("employees.salary == {10, 30, nil}", true),
            // IN and CONTAINS.
            ("boss IN employees", true), ("employees CONTAINS boss", true), ("boss IN nobody", false),
            ("boss IN missing", false), ("nil IN employees.salary", true), ("nil IN {nil}", false),
            ("employees.salary CONTAINS nil", true), ("tags CONTAINS 'a'", true), ("tags CONTAINS 'A'", false),
            ("tags CONTAINS[c] 'A'", true), ("'A' IN[c] {'b', 'a'}", true), ("'Ä' IN[cd] {'b', 'a'}", true),
            ("name IN {limit, 'Sales'}", true), ("name IN {limit, missing}", false), ("missing IN {missing}", false),
            // BETWEEN.
            ("limit BETWEEN {20, 20}", true), ("limit BETWEEN {21, 19}", false), ("limit BETWEEN {nil, 30}", false),
            ("limit BETWEEN employees.salary", false),
            // SUBQUERY. The path without the variable leads from the outer object.
            ("SUBQUERY(employees, $x, $x.salary > limit).@count == 1", true),
            ("SUBQUERY(employees, $x, $x.salary == nil).name == {'Cid'}", true),
            ("SUBQUERY(missing, $x, TRUEPREDICATE).@count == 0", true),
            ("SUBQUERY(employees, $x, SUBQUERY(employees, $y, $y.salary > $x.salary).@count == 1).@count == 1", true),
            ("SUBQUERY(employees, $x, SUBQUERY(tags, $x, $x == 'a').@count == 1).@count == 3", true),
            ("SUBQUERY(employees, $x, $x == boss).@count == 1", true),
            // Indexes, conditions and sets.
            ("tags[0] == 'b'", true), ("tags[3] == nil", true), ("tags[4] == nil", true), ("tags[SIZE] == 4", true),
            ("tags[FIRST] == 'b'", true), ("tags[LAST] == nil", true), ("nobody[FIRST] == nil", true),
            ("missing[SIZE] == 0", true), ("missing[0] == nil", true), ("tags[1.5] == nil", true),
            ("tags[1.0] == 'a'", true),
            ("TERNARY(limit > 10, 'many', 'few') == 'many'", true), ("TERNARY(nil > 1, 1, 2) == 2", true),
            ("(tags UNION {'c', 'a'}) == {'b', 'a', 'c'}", true), ("(tags INTERSECT {'a', 'x'}) == {'a'}", true),
            ("(tags MINUS {'b'}) == {'a'}", true), ("({1, 2.0, 1.0, 2} UNION {}) == {1, 2}", true),
            // Objects.
            ("boss == employees[1]", true), ("boss == employees[0]", false), ("boss.self.name == 'Bob'", true),
            ("boss.objectID == boss", true), ("SELF.boss.name == 'Bob'", true), ("self.limit == 20", true),
            ("name.nothing == nil", true), ("employees.@nothing.name == nil", true),
        ] as [(String, Bool)])
    func holds(_ format: String, _ expected: Bool) throws {
        let predicate = try ObjectPredicate(format)
        #expect(predicate.evaluate(on: Item.department) == expected)
        #expect(CompiledPredicate(.not(predicate)).outcome(on: Item.department) == (expected ? .fails : .holds))
    }

    @Test func objectsAreEqualByTheirReferences() {
        let (own, other) = (Item.reference(9), Item.reference(8))
        let item = Item.department
        func holds(_ left: ObjectExpression, _ operation: ObjectPredicate.Operator, _ right: ObjectExpression) -> Bool {
            ObjectPredicate.compare(left, operation, right).evaluate(on: item)
        }
        #expect(holds(.evaluatedObject, .equal, .object(own)))
        #expect(holds(.object(own), .equal, .evaluatedObject))
        #expect(!holds(.evaluatedObject, .equal, .object(other)))
        #expect(!holds(.evaluatedObject, .equal, .constant(9)))
        #expect(holds(.evaluatedObject, .isIn, .list([.object(other), .object(own)])))
        #expect(!holds(.evaluatedObject, .isIn, .list([.object(other)])))
        #expect(!holds(.evaluatedObject, .less, .object(other)))
        #expect(holds(.path("name", of: .object(own)), .equal, .null))
    }

    @Test func aVariableWithoutAValueAndADeepPredicateAreHarmless() {
        #expect(ObjectPredicate.compare(.variable("x"), .equal, .null).evaluate(with: .integer(1)))
        var deep = ObjectPredicate.constant(true)
        for _ in 0...ObjectPredicate.depthLimit { deep = .not(.not(deep)) }
        #expect(!deep.evaluate(with: nil))
    }
}
