import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists
import Testing

@testable import GranaryModelFiles

/// The predicates of a real store's model (CoreDataPlus, SampleModel2_V2), object by object as its archive has them.
struct RealPredicatesTests {
    @Test func readAsAppleWroteThem() throws {
        #expect(try read(Self.fetch) == "authorAlias == $FETCH_SOURCE.alias")
        #expect(try read(Self.contains) == "SELF CONTAINS \"title\"")
    }

    /// A tree of objects: class, then fields.
    private indirect enum Real {
        case object(String, [(String, Real)])
        case list(String, [Real])
        case plain(PropertyListValue)
        case text(String)
    }

    private static let fetch = Real.object(
        "NSComparisonPredicate",
        [
            (
                "NSRightExpression",
                .object(
                    "NSKeyPathExpression",
                    [
                        (
                            "NSOperand",
                            .object(
                                "NSVariableExpression",
                                [("NSVariable", .text("FETCH_SOURCE")), ("NSExpressionType", .plain(.integer(2)))])
                        ),
                        ("NSSelectorName", .text("valueForKeyPath:")), ("NSExpressionType", .plain(.integer(4))),
                        ("NSArguments", .list("NSMutableArray", [specifier("alias")])),
                    ])
            ),
            (
                "NSLeftExpression",
                .object(
                    "NSKeyPathExpression",
                    [
                        ("NSOperand", .object("NSSelfExpression", [("NSExpressionType", .plain(.integer(1)))])),
                        ("NSSelectorName", .text("valueForKey:")), ("NSExpressionType", .plain(.integer(3))),
                        ("NSArguments", .list("NSMutableArray", [specifier("authorAlias")])),
                    ])
            ),
            (
                "NSPredicateOperator",
                .object(
                    "NSEqualityPredicateOperator",
                    [
                        ("NSModifier", .plain(.integer(0))), ("NSNegate", .plain(.boolean(false))),
                        ("NSOptions", .plain(.integer(0))), ("NSOperatorType", .plain(.integer(4))),
                    ])
            ),
        ])

    private static let contains = Real.object(
        "NSComparisonPredicate",
        [
            (
                "NSRightExpression",
                .object(
                    "NSConstantValueExpression",
                    [("NSConstantValue", .text("title")), ("NSExpressionType", .plain(.integer(0)))])
            ),
            ("NSLeftExpression", .object("NSSelfExpression", [("NSExpressionType", .plain(.integer(1)))])),
            (
                "NSPredicateOperator",
                .object(
                    "NSInPredicateOperator",
                    [
                        ("NSModifier", .plain(.integer(0))), ("NSFlags", .plain(.integer(0))),
                        ("NSOperatorType", .plain(.integer(99))),
                    ])
            ),
        ])

    private static func specifier(_ path: String) -> Real {
        .object(
            "NSKeyPathSpecifierExpression", [("NSExpressionType", .plain(.integer(10))), ("NSKeyPath", .text(path))])
    }

    private func read(_ real: Real) throws -> String {
        var builder = KeyedArchiveBuilder()
        let root = Self.add(real, &builder)
        let archive = try KeyedArchive(builder.bytes(root: root), source: "test")
        let item = try #require(try archive.top())
        var reader = PredicateArchiveReader(archive)
        return try reader.predicate(item).description
    }

    private static func add(_ real: Real, _ builder: inout KeyedArchiveBuilder) -> PropertyListValue {
        switch real {
        case .plain(let value): return value
        case .text(let text): return builder.add(.string(text))
        case .list(let name, let members):
            var references: [PropertyListValue] = []
            for member in members { references.append(add(member, &builder)) }
            return builder.add(
                classNames: [name, "NSObject"], fields: [PropertyListEntry("NS.objects", .array(references))])
        case .object(let name, let fields):
            var entries: [PropertyListEntry] = []
            for (key, value) in fields { entries.append(PropertyListEntry(key, add(value, &builder))) }
            return builder.add(classNames: [name, "NSObject"], fields: entries)
        }
    }
}
