import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists
import Testing

@testable import GranaryModelFiles

struct PredicateArchiveTests {
    @Test(arguments: [
        "length >= 1", "ANY a.b == 1", "ALL a.b != 2.5", "name ==[cd] \"x\"", "x BETWEEN {1, 2}", "SELF IN {1, nil}",
        "SELF MATCHES \"a\"", "name LIKE[c] \"a*\"", "name BEGINSWITH[cdlnw] \"a\"", "name ENDSWITH \"$null\"",
        "a == $FETCH_SOURCE.alias AND (b CONTAINS[c] $X.userInfo.search OR NOT c < 1)", "TRUEPREDICATE",
        "FALSEPREDICATE", "count:(pages) > 3", "now() > created", "date < CAST(631123200.5, \"NSDate\")", "a == YES",
        "FUNCTION(name, \"foo:\", \"x\").bar == \"ax\"", "a + b == 3 AND c >= 1 AND d <= 2 AND e > 3",
        "SUBQUERY(a.b, $x, $x.c == 1 AND NOT $x IN {1, 2}).@count > 0", "TERNARY(a == 1, b, c + 1) == 2",
        "a UNION b INTERSECT c MINUS d == e", "a[0] == b[FIRST]", "a.b[LAST].c == a[SIZE] + 1",
    ])
    func survivesAnArchive(_ text: String) throws {
        let node = try PredicateFormat.predicate(text)
        #expect(try again(node) == node)
    }

    @Test func constantsSurviveAnArchive() throws {
        let url = try #require(URL(string: "https://example.com/a"))
        let values: [AttributeValue] = [
            .integer(.min), .boolean(false), .double(0.1), .decimal(Decimal(string: "0.10") ?? 0), .string(""),
            .string("$null"), .date(Date(timeIntervalSinceReferenceDate: -0.5)), .binary(Data([1, 2])), .uuid(UUID()),
            .uri(url),
        ]
        let constants = values.map(ObjectExpression.constant) + [.null]
        for constant in constants + [.className("_NSPredicateUtilities"), .list(constants + [.list([])])] {
            let node = ObjectPredicate.compare(.evaluatedObject, .equal, constant)
            #expect(try again(node) == node)
        }
    }

    /// A collection as one constant, which only an archive distinguishes from a list of expressions.
    @Test func aConstantCollectionIsAList() throws {
        var builder = KeyedArchiveBuilder()
        let members = [builder.add(.integer(1)), builder.add(classNames: ["NSNull", "NSObject"], fields: [])]
        let list = builder.addArray(members)
        let root = builder.add(
            classNames: ["NSConstantValueExpression", "NSExpression", "NSObject"],
            fields: [PropertyListEntry("NSConstantValue", list), PropertyListEntry("NSExpressionType", .integer(0))])
        let archive = try KeyedArchive(builder.bytes(root: root), source: "test")
        let item = try #require(try archive.top())
        var reader = PredicateArchiveReader(archive)
        #expect(try reader.expression(item) == .list([.constant(1), .null]))
    }

    /// In an archive the type of a cast can be a class; the format language has its name.
    @Test func theClassOfACastIsItsName() throws {
        func cast(_ type: ObjectExpression) -> ObjectPredicate {
            .compare(.function("castObject:toType:", [.keyPath("a"), type]), .equal, .constant(1))
        }
        let named = cast(.constant(.string("NSNumber")))
        #expect(try again(cast(.className("NSNumber"))) == named)
        #expect(try again(named) == named)
        #expect(named.description == "CAST(a, \"NSNumber\") == 1")
    }

    /// The keys that Foundation's classes encode.
    @Test func subqueriesHaveFoundationsKeys() throws {
        let archive = try archive(try PredicateFormat.predicate("SUBQUERY(a, $x, $x.b == 1).@count > 0"))
        let root = try #require(try archive.top())
        let left = try #require(try archive.field("NSLeftExpression", of: root))
        let operand = try #require(try archive.field("NSOperand", of: left))
        #expect(try archive.className(of: operand) == "NSSubqueryExpression")
        #expect(try archive.integer("NSExpressionType", of: operand) == 13)
        #expect(try archive.string("NSVariable", of: operand) == "x")
        let names = try archive.fields(of: operand).map(\.name).sorted()
        #expect(names == ["NSExpression", "NSExpressionType", "NSSubpredicate", "NSVariable"])
    }

    /// The classes and keys of `comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search` in a real store's model.
    @Test func hasTheKeysOfARealArchive() throws {
        let archive = try archive(try PredicateFormat.predicate("comment CONTAINS[c] $F.userInfo.search"))
        let root = try #require(try archive.top())
        let operation = try #require(try archive.field("NSPredicateOperator", of: root))
        #expect(try archive.classNames(of: operation) == ["NSInPredicateOperator", "NSPredicateOperator", "NSObject"])
        #expect(try archive.integer("NSOperatorType", of: operation) == 99)
        #expect(try archive.integer("NSFlags", of: operation) == 1)
        #expect(try archive.integer("NSModifier", of: operation) == 0)
        #expect(try archive.fields(of: operation).count == 3)

        let left = try #require(try archive.field("NSLeftExpression", of: root))
        #expect(try archive.string("NSSelectorName", of: left) == "valueForKey:")
        #expect(try archive.integer("NSExpressionType", of: left) == 3)
        let right = try #require(try archive.field("NSRightExpression", of: root))
        let names = ["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"]
        #expect(try archive.classNames(of: right) == names)
        #expect(try archive.string("NSSelectorName", of: right) == "valueForKeyPath:")
        #expect(try archive.integer("NSExpressionType", of: right) == 4)
        let operand = try #require(try archive.field("NSOperand", of: right))
        #expect(try archive.string("NSVariable", of: operand) == "F")
    }

    @Test func refusesUnknownClassesByName() throws {
        var builder = KeyedArchiveBuilder()
        let root = builder.add(classNames: ["NSBlockPredicate", "NSPredicate", "NSObject"], fields: [])
        let bytes = builder.bytes(root: root)
        let error = try #require(throws: GranaryError.self) { try Self.read(bytes) }
        #expect(error.message.contains("NSBlockPredicate"))
        #expect(error.diagnostics.first?.code == .modelSyntax)
    }

    @Test func refusesWhatHoldsItself() throws {
        var builder = KeyedArchiveBuilder()
        let number = builder.reserve()
        let list = builder.add(
            classNames: ["NSArray", "NSObject"], fields: [PropertyListEntry("NS.objects", .array([.uid(number)]))])
        builder.set(number, classNames: ["NSCompoundPredicate", "NSPredicate", "NSObject"], fields: compound(list))
        let bytes = builder.bytes(root: .uid(number))
        let error = try #require(throws: GranaryError.self) { try Self.read(bytes) }
        #expect(error.message.contains("contains itself"))
    }

    @Test func refusesDeepTrees() throws {
        var builder = KeyedArchiveBuilder()
        var root = builder.add(classNames: ["NSTruePredicate", "NSPredicate", "NSObject"], fields: [])
        for _ in 0..<1_000 { root = nest([root], &builder) }
        let bytes = builder.bytes(root: root)
        let error = try #require(throws: GranaryError.self) { try Self.read(bytes) }
        #expect(error.diagnostics.first?.code == .limitExceeded)

        var node = ObjectPredicate.constant(true)
        for _ in 0..<ObjectPredicate.depthLimit { node = .not(node) }
        let deep = node
        #expect(throws: GranaryError.self) { try archive(deep) }
        guard case .not(let deepest) = deep else { return }
        #expect(try again(deepest) == deepest)
    }

    /// An archive can nest a few levels more than a tree; those are refused as well.
    @Test func refusesATreeOneLevelTooDeep() throws {
        var builder = KeyedArchiveBuilder()
        var root = builder.add(classNames: ["NSTruePredicate", "NSPredicate", "NSObject"], fields: [])
        for _ in 0..<ObjectPredicate.depthLimit { root = nest([root], &builder) }
        let bytes = builder.bytes(root: root)
        let error = try #require(throws: GranaryError.self) { try Self.read(bytes) }
        #expect(error.diagnostics.first?.code == .limitExceeded)
    }

    /// 16 objects for 10^15 nodes.
    @Test func refusesTreesThatMultiply() throws {
        var builder = KeyedArchiveBuilder()
        var root = builder.add(classNames: ["NSTruePredicate", "NSPredicate", "NSObject"], fields: [])
        for _ in 0..<15 { root = nest(Array(repeating: root, count: 10), &builder) }
        let bytes = builder.bytes(root: root)
        let error = try #require(throws: GranaryError.self) { try Self.read(bytes) }
        #expect(error.diagnostics.first?.code == .limitExceeded)
    }

    @Test(arguments: [
        "rating:asc", "a.b:desc", "name:asc:caseInsensitiveCompare:", "x:desc:reverseNulls",
        "x:asc:reverseNulls:foo:bar:",
    ])
    func sortDescriptorsSurvive(_ text: String) throws {
        let node = try #require(SortDescriptorNode(text))
        #expect(node.text == text)
        var builder = KeyedArchiveBuilder()
        let root = node.add(to: &builder)
        let archive = try KeyedArchive(builder.bytes(root: root), source: "test")
        #expect(try SortDescriptorNode(try #require(try archive.top()), in: archive) == node)
    }

    @Test(arguments: ["", "rating", ":asc", "a:up", "a:asc:"])
    func refusesOtherTextForSortDescriptors(_ text: String) {
        #expect(SortDescriptorNode(text) == nil)
    }

    private func compound(_ list: PropertyListValue) -> [PropertyListEntry] {
        [PropertyListEntry("NSCompoundPredicateType", .integer(1)), PropertyListEntry("NSSubpredicates", list)]
    }

    /// One object below each of many others: few bytes, many nodes. Those of a refused predicate count too.
    @Test func workIsCounted() throws {
        var builder = KeyedArchiveBuilder()
        let unknown = builder.add(classNames: ["NSPredicate", "NSObject"], fields: [])
        var part = builder.add(classNames: ["NSTruePredicate", "NSPredicate", "NSObject"], fields: [])
        for _ in 0..<8 { part = nest([part, part], &builder) }
        let root = nest([part, unknown], &builder)
        let archive = try KeyedArchive(builder.bytes(root: root), source: "test")
        let item = try #require(try archive.top())
        var reader = PredicateArchiveReader(archive)
        let node = try? reader.predicate(item)
        #expect(node == nil)
        #expect(reader.work > 4 * 256)
    }

    @Test func selfIsOneObject() throws {
        var builder = KeyedArchiveBuilder()
        let one = try PredicateArchiveWriter.add(ObjectExpression.evaluatedObject, to: &builder)
        let other = try PredicateArchiveWriter.add(ObjectExpression.evaluatedObject, to: &builder)
        #expect(one == other)
    }

    private func nest(_ parts: [PropertyListValue], _ builder: inout KeyedArchiveBuilder) -> PropertyListValue {
        let list = builder.add(
            classNames: ["NSArray", "NSObject"], fields: [PropertyListEntry("NS.objects", .array(parts))])
        return builder.add(
            classNames: ["NSCompoundPredicate", "NSPredicate", "NSObject"], fields: compound(list))
    }

    private func archive(_ node: ObjectPredicate) throws -> KeyedArchive {
        var builder = KeyedArchiveBuilder()
        let root = try PredicateArchiveWriter.add(node, to: &builder)
        return try KeyedArchive(builder.bytes(root: root), source: "test")
    }

    private func again(_ node: ObjectPredicate) throws -> ObjectPredicate {
        let archive = try archive(node)
        var reader = PredicateArchiveReader(archive)
        return try reader.predicate(try #require(try archive.top()))
    }

    private static func read(_ bytes: [UInt8]) throws -> ObjectPredicate {
        let archive = try KeyedArchive(bytes, source: "test")
        var reader = PredicateArchiveReader(archive)
        return try reader.predicate(try #require(try archive.top()))
    }
}
