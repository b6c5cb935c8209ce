import Foundation
import GranaryModel
import GranaryPredicates
import TestSupport

/// Makes predicates on the employees of ``SearchModel``, most of which a resolver accepts.
struct PredicateGenerator {
    var random: SeededGenerator

    private static let numbers = [
        "age", "salary", "ratio", "active", "balance", "department.budget", "boss.age", "reports.@count",
        "skills.@count", "reports.@sum.age", "reports.@max.salary", "skills.@min.weight", "department.employees.@count",
        "reports.@avg.age", "reports.@sum.salary", "reports.@avg.balance", "department.employees.boss.@count",
        "boss.department.budget", "skills.@sum.weight",
    ]
    private static let texts = ["name", "department.title", "boss.name", "boss.department.title", "site"]
    private static let dates = ["hired", "boss.hired"]
    private static let manyNumbers = [
        "reports.age", "skills.weight", "department.employees.salary", "reports.boss.age",
        "department.employees.boss.age",
    ]
    private static let manyTexts = ["reports.name", "skills.name", "department.employees.name", "boss.reports.name"]
    static let words = ["", "a", "A", "ab", "é", "e\u{301}", "Ä", "straße", "10%", "a*b", "a?", "\u{1F600}", "zz"]

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func predicate(_ depth: Int = 3) -> ObjectPredicate {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &random) {
        case 0...2: return number()
        case 3...5: return text()
        case 6: return other()
        case 7: return collection()
        case 8: return .and((0..<Int.random(in: 1...3, using: &random)).map { _ in predicate(depth - 1) })
        case 9: return .or((0..<Int.random(in: 1...3, using: &random)).map { _ in predicate(depth - 1) })
        case 10: return .not(predicate(depth - 1))
        default: return subquery(depth - 1)
        }
    }

    private mutating func numberValue() -> ObjectExpression {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .null
        case 1: .constant(.double(pick([0, -0.5, 1.5, 2, 1e6])))
        case 2: .constant(.decimal(pick([Decimal(string: "0.1") ?? 0, 3, Decimal(string: "2.5") ?? 0])))
        case 3: .constant(.boolean(Bool.random(using: &random)))
        case 4:
            .function(
                pick(["add:to:", "from:subtract:", "multiply:by:", "divide:by:"]),
                [
                    .keyPath(pick(["age", "salary", "balance", "reports.@count"])),
                    .constant(.integer(pick([0, 2, -3]))),
                ])
        default: .constant(.integer(pick([-1, 0, 1, 2, 3, 5, 30, 40])))
        }
    }

    private mutating func number() -> ObjectPredicate {
        let left = ObjectExpression.keyPath(pick(Self.numbers))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .between(left, lower: numberValue(), upper: numberValue())
        case 1: return .compare(left, .isIn, .list([numberValue(), numberValue(), .constant(.integer(2))]))
        case 2: return .compare(left, comparison(), .keyPath(pick(Self.numbers)))
        case 3: return .compare(numberValue(), comparison(), left)
        default: return .compare(left, comparison(), numberValue())
        }
    }

    private mutating func comparison() -> ObjectPredicate.Operator {
        pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
    }

    private mutating func textValue() -> ObjectExpression {
        Int.random(in: 0..<9, using: &random) == 0 ? .null : .constant(.string(pick(Self.words)))
    }

    private mutating func options() -> ObjectPredicate.Options {
        pick([
            [], [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
        ])
    }

    private mutating func text() -> ObjectPredicate {
        var left = ObjectExpression.keyPath(pick(Self.texts))
        if Int.random(in: 0..<8, using: &random) == 0 {
            left = .function(pick(["uppercase:", "lowercase:", "canonical:"]), [left])
        }
        let operation = pick(
            [comparison(), comparison(), .beginsWith, .endsWith, .contains, .like, .matches, .isIn])
        switch operation {
        case .isIn:
            let list = ObjectExpression.list([textValue(), textValue()])
            return .compare(left, .isIn, Bool.random(using: &random) ? list : .keyPath("department.title"))
        case .matches: return .compare(left, .matches, .constant(.string(pick(["a.*", "[^a]+", ".", "A|ab"]))))
        default: return .compare(left, operation, textValue(), options: options())
        }
    }

    private mutating func other() -> ObjectPredicate {
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            return .compare(
                .keyPath(pick(Self.dates)), comparison(),
                .constant(.date(Date(timeIntervalSinceReferenceDate: Double(pick([0, 86_400, 172_800]))))))
        case 1: return .compare(.keyPath("code"), comparison(), pick([.null, .constant(.uuid(SearchModel.code(1)))]))
        case 2:
            return .compare(
                .keyPath(pick(["boss", "department", "boss.boss", "SELF"])), pick([.equal, .notEqual]), .null)
        case 3: return .compare(.keyPath("boss.department"), pick([.equal, .notEqual]), .keyPath("department"))
        default: return .compare(.keyPath("photo"), pick([.equal, .notEqual]), .null)
        }
    }

    private mutating func collection() -> ObjectPredicate {
        let modifier: ObjectPredicate.Modifier = Bool.random(using: &random) ? .any : .all
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            return .compare(
                .keyPath(pick(Self.manyNumbers)), .isIn, .list([numberValue(), .constant(.integer(2))]),
                modifier: modifier)
        case 1:
            return .compare(
                .keyPath(pick(Self.manyTexts)), pick([comparison(), .beginsWith, .contains]), textValue(),
                options: options(), modifier: modifier)
        case 2: return .compare(.keyPath(pick(Self.manyNumbers)), .contains, .constant(.integer(pick([2, 30, 7]))))
        case 3: return .compare(.keyPath("boss"), .isIn, .keyPath(pick(["department.employees", "reports"])))
        default:
            return .compare(.keyPath(pick(Self.manyNumbers)), comparison(), numberValue(), modifier: modifier)
        }
    }

    private mutating func subquery(_ depth: Int) -> ObjectPredicate {
        let test: ObjectPredicate =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: .compare(.path("name", of: .variable("x")), .equal, .keyPath("name"))
            case 1: .compare(.path("age", of: .variable("x")), comparison(), numberValue())
            case 2: .compare(.variable("x"), .notEqual, .evaluatedObject)
            default: .compare(.path("name", of: .variable("x")), .contains, textValue(), options: options())
            }
        let whole: ObjectPredicate = Bool.random(using: &random) ? test : .and([test, predicate(depth - 1)])
        return .compare(
            .path(
                "@count",
                of: .subquery(
                    .keyPath(
                        pick([
                            "reports", "department.employees", "reports.boss", "department.employees.boss",
                            "boss.reports",
                        ])), variable: "x", whole)),
            comparison(), .constant(.integer(pick([0, 1, 2]))))
    }

    mutating func order() -> [ObjectSortDescriptor] {
        let paths = Self.texts + Self.dates + Self.numbers + ["code"]
        return (0..<Int.random(in: 0...3, using: &random)).map { _ in
            ObjectSortDescriptor(
                pick(paths), ascending: Bool.random(using: &random),
                comparison: pick([.standard, .standard, .caseInsensitive, .localizedStandard]))
        }
    }
}
