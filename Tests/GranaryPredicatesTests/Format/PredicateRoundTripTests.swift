import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

@testable import GranaryPredicates

@Suite struct PredicateRoundTripTests {
    /// Whatever is printed is read again as the same tree, but for Booleans and whole doubles.
    @Test(arguments: 0..<10)
    func randomTreesComeBack(_ seed: Int) throws {
        var random = FormatPredicates(seed: UInt64(seed))
        for _ in 0..<100 {
            let predicate = random.predicate()
            let text = predicate.description
            let again = try ObjectPredicate(text)
            #expect(again == predicate.withWholeSides, "\(text)")
            #expect(again.description == text)
        }
    }

    /// What the language cannot tell apart is read as the documented equivalent.
    @Test(
        arguments: [
            (.compare(.keyPath("a"), .equal, .constant(.float(0.5))), "a == 0.5"),
            (.compare(.keyPath("a"), .equal, .constant(.float(0.1))), "a == 0.10000000149011612"),
            (.compare(.keyPath("a"), .equal, .constant(.decimal(5))), "a == 5"),
            (.compare(.keyPath("a"), .equal, .constant(.decimal(Decimal(string: "2.5") ?? 0))), "a == 2.5"),
            (.compare(.keyPath("a"), .equal, .constant(.decimal(.nan))), "a == CAST(\"NaN\", \"NSDecimalNumber\")"),
            (.compare(.keyPath("a"), .equal, .className("NSDate")), "a == NSDate"),
            (.and([.constant(true)]), "TRUEPREDICATE"), (.or([]), "FALSEPREDICATE"),
            (.not(.and([.or([.constant(true), .constant(false)])])), "NOT (TRUEPREDICATE OR FALSEPREDICATE)"),
            (
                .compare(
                    .keyPath("a"), .equal,
                    .object(ObjectReference(store: "S", root: "E", key: .stored(1), uri: "x-coredata://S/E/p1"))),
                "a == \"x-coredata://S/E/p1\""
            ),
            (.compare(.keyPath("SELF.length"), .equal, .constant(1)), "SELF.length == 1"),
        ] as [(ObjectPredicate, String)])
    func equivalentsAreRead(_ predicate: ObjectPredicate, _ text: String) throws {
        #expect(predicate.description == text)
        #expect(throws: Never.self) { try ObjectPredicate(text) }
    }

    @Test func notANumberComesBack() throws {
        let predicate = ObjectPredicate.compare(.keyPath("a"), .equal, .constant(.double(.nan)))
        guard case .comparison(let comparison) = try ObjectPredicate(predicate.description),
            case .constant(.double(let value)) = comparison.right
        else {
            Issue.record("no double")
            return
        }
        #expect(value.isNaN)
    }
}

/// Texts that are changed at random places: they are read, or refused with a place within the text.
enum PredicateMutation {
    private static let seeds = [
        "age >= 18 AND name BEGINSWITH[cd] 'Sm' OR NOT (ANY children.age IN {1, 2.5e3})",
        "SUBQUERY(a.b, $x, $x.c == \"\\u00e9\\n\" AND $x[FIRST] != nil).@count > -3",
        "TERNARY(a == TRUE, CAST(\"2001-01-01\", \"NSDate\"), b ** 2 UNION {3}) <> FUNCTION(SELF, 'x:', #in)",
        "(flags & ~4) != 0 OR a | b ^ 1 << 2 >> c == 3",
        "%K BETWEEN %@ && sum(a.@avg.b) =< %d || NONE a.b LIKE \"?語*\"",
    ]
    private static let pieces = [
        "(", ")", "{", "}", "[", "]", ",", ".", "@", "==", "AND", " NOT ", "\"", "'", "\\", "\\u", "%", "%K", "$", "#",
        "-", "**", "0x", "9", "e", ":", "SUBQUERY(", "é", "\u{0}", "IN", " ", "CAST(", "ANY ",
        "&", "|", "^", "~", "<<", ">>", "\u{A0}", "\u{201C}", ".5",
    ]

    /// Runs one mutation.
    static func run(_ generator: inout SeededGenerator) -> String? {
        var text = Array(seeds[Int.random(in: 0..<seeds.count, using: &generator)].unicodeScalars)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let place = Int.random(in: 0...text.count, using: &generator)
            let end = min(text.count, place + Int.random(in: 0...4, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: text.removeSubrange(place..<end)
            case 1: text.append(contentsOf: text[place..<end])
            default:
                let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
                text.insert(contentsOf: piece.unicodeScalars, at: place)
            }
        }
        var string = ""
        string.unicodeScalars.append(contentsOf: text)
        return failure(string)
    }

    /// What is wrong with the parser's answer; nil if it is right.
    private static func failure(_ text: String) -> String? {
        do throws(PredicateSyntaxError) {
            var parser = try PredicateParser(text, arguments: ["a.b", [1, 2], 3])
            let predicate = try parser.wholePredicate()
            if predicate.isTooDeep { return "too deep: \(text)" }
            let again = try? ObjectPredicate(predicate.description)
            if again == predicate.withWholeSides { return nil }
            return "read again, \(predicate) is \(again?.description ?? "refused")"
        } catch {
            guard error.offset >= 0, error.offset <= text.utf8.count, error.column >= 1,
                error.column <= text.unicodeScalars.count + 1
            else { return "\(error) is not in \(text)" }
            return error.usageError(text).message.split(separator: "\n", omittingEmptySubsequences: false).count == 3
                ? nil : "no mark: \(text)"
        }
    }
}

@Suite struct PredicateFuzzTests {
    @Test func changedTextsDoNoHarm() { Self.check(0, count: 1_000) }

    static func check(_ seed: Int, count: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<count {
            if let failure = PredicateMutation.run(&generator) { Issue.record("\(failure)") }
        }
    }
}

@Suite struct PredicateFuzzLongTests {
    @Test(arguments: 0..<2)
    func changedTextsDoNoHarm(_ seed: Int) { PredicateFuzzTests.check(seed, count: 2_500) }

    /// The same for a number of seconds: `GRANARY_FUZZ_SECONDS`, or 20.
    @Test func newlyChangedTextsDoNoHarm() {
        let text = ProcessInfo.processInfo.environment["GRANARY_FUZZ_SECONDS"] ?? ""
        let end = Date().addingTimeInterval(Double(text) ?? 20)
        var generator = SeededGenerator(seed: UInt64(Date().timeIntervalSinceReferenceDate.magnitude))
        while Date() < end {
            for _ in 0..<1_000 {
                if let failure = PredicateMutation.run(&generator) { Issue.record("\(failure)") }
            }
        }
    }
}
