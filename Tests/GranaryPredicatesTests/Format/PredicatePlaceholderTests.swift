import Foundation
import GranaryBase
import GranaryModel
import Testing

@testable import GranaryPredicates

@Suite struct PredicatePlaceholderTests {
    private static func value(_ argument: (any PredicateArgument)?) throws -> ObjectExpression? {
        guard case .comparison(let comparison) = try ObjectPredicate("a == %@", argument) else { return nil }
        return comparison.right
    }

    @Test func everyTypeIsAConstant() throws {
        let uuid = UUID()
        let url = try #require(URL(string: "https://example.com"))
        let date = Date(timeIntervalSinceReferenceDate: 1)
        #expect(try Self.value(3) == .constant(.integer(3)))
        #expect(try Self.value(Int8(-3)) == .constant(.integer(-3)))
        #expect(try Self.value(UInt64.max) == .constant(.decimal(Decimal(UInt64.max))))
        #expect(try Self.value(0.5) == .constant(.double(0.5)))
        #expect(try Self.value(Float(0.5)) == .constant(.float(0.5)))
        #expect(try Self.value(true) == .constant(.boolean(true)))
        #expect(try Self.value("x") == .constant(.string("x")))
        #expect(try Self.value(date) == .constant(.date(date)))
        #expect(try Self.value(Data([1])) == .constant(.binary(Data([1]))))
        #expect(try Self.value(uuid) == .constant(.uuid(uuid)))
        #expect(try Self.value(url) == .constant(.uri(url)))
        #expect(try Self.value(Decimal(3)) == .constant(.decimal(3)))
        #expect(try Self.value(AttributeValue.integer(3)) == .constant(.integer(3)))
        #expect(try Self.value(ObjectExpression.keyPath("b.c")) == .keyPath("b.c"))
        #expect(try Self.value([1, 2]) == .list([.constant(1), .constant(2)]))
        #expect(try Self.value(Set(["x"])) == .list([.constant("x")]))
        let sorted = [1, 10, 2, 3].map { ObjectExpression.constant(.integer($0)) }
        #expect(try Self.value(Set([3, 10, 2, 1])) == .list(sorted))
        #expect(try Self.value(nil) == .null)
        let reference = ObjectReference(store: "S", root: "E", key: .stored(1), uri: "x-coredata://S/E/p1")
        #expect(try Self.value(reference) == .object(reference))
    }

    @Test func anArgumentIsNeverParsed() throws {
        for text in ["1 OR TRUEPREDICATE", "' OR 1 == 1", "\" OR a == \"", "%@", "$x", "b"] {
            #expect(try Self.value(text) == .constant(.string(text)))
            // What is printed means the same.
            let predicate = try ObjectPredicate("a == %@", text)
            #expect(try ObjectPredicate(predicate.description) == predicate)
        }
    }

    @Test func keysStandForPaths() throws {
        #expect(try ObjectPredicate("%K == %@", "in", 1) == .compare(.keyPath("in"), .equal, .constant(1)))
        #expect(
            try ObjectPredicate("%K.@count > %d", "a.b", 1) == .compare(.keyPath("a.b.@count"), .greater, .constant(1)))
        #expect(try ObjectPredicate("%K > 1", "a.@count") == .compare(.keyPath("a.@count"), .greater, .constant(1)))
        #expect(
            try ObjectPredicate("SUBQUERY(%K, $x, $x.%K == %@).@count > 0", "a", "b", 1).description
                == "SUBQUERY(a, $x, $x.b == 1).@count > 0")
        #expect(try ObjectPredicate("ANY %K.%K == 1", "a", "b").description == "ANY a.b == 1")
        for path in ["", "a b", "a..b", "1a", "a == 1 OR b", "a.", "@", "a\"", "$x", "a\u{A0}b", "a\u{2019}"] {
            let error = try #require(throws: GranaryError.self) { try ObjectPredicate("%K == 1", path) }
            #expect(error.message.contains("is not a key path"), "\(path): \(error.message)")
        }
        #expect(throws: GranaryError.self) { try ObjectPredicate("%K == 1", 1) }
        #expect(throws: GranaryError.self) { try ObjectPredicate("%K == 1", nil) }
    }

    @Test func numbersHaveTheirType() throws {
        for sign in [
            "%d", "%i", "%u", "%ld", "%lu", "%lld", "%llu", "%li", "%hhd", "%hd", "%qd", "%qu", "%zd", "%jd", "%td",
            "%x", "%X", "%o", "%lx", "%c", "%D", "%U",
        ] {
            #expect(try ObjectPredicate("a == \(sign)", 3) == ObjectPredicate("a == 3"))
            #expect(try ObjectPredicate("a == \(sign)", true) == ObjectPredicate("a == 1"))
            #expect(throws: GranaryError.self) { try ObjectPredicate("a == \(sign)", 0.5) }
            #expect(throws: GranaryError.self) { try ObjectPredicate("a == \(sign)", "3") }
        }
        for sign in ["%f", "%e", "%E", "%g", "%G", "%a", "%lg", "%Lf"] {
            #expect(try ObjectPredicate("a == \(sign)", 0.5) == ObjectPredicate("a == 0.5"))
            #expect(throws: GranaryError.self) { try ObjectPredicate("a == \(sign)", "x") }
        }
        #expect(try ObjectPredicate("(%K & %x) != 0", "flags", 4) == ObjectPredicate("(flags & 4) != 0"))
        #expect(try ObjectPredicate("a == %f", 3) == ObjectPredicate("a == 3.0"))
        #expect(try ObjectPredicate("a == %lf", 0.5) == ObjectPredicate("a == 0.5"))
        #expect(throws: GranaryError.self) { try ObjectPredicate("a == %f", "x") }
    }

    @Test func listsStandForCollections() throws {
        #expect(try ObjectPredicate("a IN %@", [1, 2]) == ObjectPredicate("a IN {1, 2}"))
        #expect(try ObjectPredicate("a BETWEEN %@", [1, 2]) == ObjectPredicate("a BETWEEN {1, 2}"))
        #expect(try ObjectPredicate("a IN {%@, %@}", 1, "x") == ObjectPredicate("a IN {1, 'x'}"))
        #expect(try ObjectPredicate("%@ IN a", 1) == ObjectPredicate("1 IN a"))
        #expect(try ObjectPredicate("a == '%@'") == ObjectPredicate("a == \"%@\""))
    }

    @Test func theNumberOfArgumentsMustFit() throws {
        let few = try #require(throws: GranaryError.self) { try ObjectPredicate("a == %@ AND b == %@", 1) }
        #expect(few.message.hasPrefix("predicate, column 18: there is no argument for %@, placeholder 2"))
        let many = try #require(throws: GranaryError.self) { try ObjectPredicate("a == %@", 1, 2, 3) }
        #expect(many.message.contains("got 3 arguments for 1 placeholder"))
        let none = try #require(throws: GranaryError.self) { try ObjectPredicate("a == '%@'", 1) }
        #expect(none.message.contains("got 1 argument for 0 placeholders"))
        #expect(try ObjectExpression(format: "%K + %d", arguments: ["a", 1]).description == "a + 1")
        #expect(throws: GranaryError.self) { try ObjectExpression(format: "a", arguments: [1]) }
    }

    @Test func aDeepArgumentIsRefused() throws {
        var deep = ObjectExpression.list([])
        while !deep.isTooDeep { deep = .list([deep]) }
        let argument = deep
        let error = try #require(throws: GranaryError.self) { try ObjectPredicate("a == %@", argument) }
        #expect(error.message.contains("deeper than 64 levels"))
    }
}
