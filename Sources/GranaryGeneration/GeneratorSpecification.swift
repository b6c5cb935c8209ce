import GranaryBase
import GranaryModel
import GranaryPredicates

/// The kind of values of an attribute, as text in the model's user info or in the options.
///
/// `name`, `date 2010..2020`, `number 1..10`, `number 0.00..9.99 step 0.05`, `one of red, green`, `pattern [A-Z]{3}`.
package enum GeneratorSpecification: Sendable, Hashable {
    case text(TextKind)
    /// The numbers between two bounds, inclusive.
    case number(GeneratedNumbers)
    /// Bounds in seconds since 2001, inclusive.
    case date(Int64, Int64)
    case list(ListedValues)
    case pattern(String)
    /// Texts of words with some lengths, in UTF-16 units.
    case length(ClosedRange<Int>)
    /// Ranges with frequencies.
    case weighted(WeightedSpecification)
    /// Values that are computed from other attributes of the same object.
    case computed(ComputedValue)

    /// The key of an attribute's user info.
    static let key = "granary.generator"
    /// The key of the percentage of NULL.
    static let nullKey = "granary.null"
    /// The key of the distribution of values.
    static let distributionKey = "granary.distribution"

    /// The reason why a text is not a specification.
    package struct Problem: Error {
        package let message: String
    }

    package init(_ text: String) throws(Problem) {
        let text = Self.trimmed(text[...])
        let (word, rest) = Self.split(text)
        switch word.lowercased() {
        case "one" where Self.split(rest).word.lowercased() == "of":
            let items = Self.split(rest).rest.split(separator: ",", omittingEmptySubsequences: false)
                .map { String(Self.trimmed($0)) }
            guard !Self.split(rest).rest.isEmpty else { throw Problem(message: "\"one of\" needs values: one of A, B") }
            self = .list(try ListedValues(items))
        case "date": self = try Self.ranges(rest, "2010..2014:70, 2015..2020:30", Self.dates)
        case "number", "integer": self = try Self.ranges(rest, "1..5:70, 6..10:30", Self.numbers)
        case "text" where !rest.isEmpty: self = try Self.ranges(rest, "1..5:70, 6..10:30", Self.length)
        case "pattern":
            guard !rest.isEmpty else { throw Problem(message: "\"pattern\" needs a regular expression") }
            self = .pattern(String(rest))
        case "formula", "expression": self = .computed(try Self.formula(rest))
        case "after": self = .computed(try Self.after(rest))
        default:
            let name = text.filter { $0 != " " && $0 != "-" && $0 != "_" }.lowercased()
            guard let kind = TextKind.allCases.first(where: { $0.rawValue.lowercased() == name }) else {
                let known =
                    TextKind.allCases.map(\.rawValue) + [
                        "date", "number", "text", "one of", "pattern", "formula", "after",
                    ]
                throw Problem(
                    message: "\"\(Diagnostic.shortened(String(text)))\" is not a generator"
                        + NearestText.hint(for: String(text), in: known)
                        + "; generators are \(known.joined(separator: ", "))")
            }
            self = .text(kind)
        }
    }

    /// A percentage from 0 to 100, with or without a percent sign.
    static func percent(_ text: String) throws(Problem) -> Int {
        var digits = trimmed(text[...])
        if digits.hasSuffix("%") { digits = trimmed(digits.dropLast()) }
        guard let number = Int(digits), (0...100).contains(number) else {
            throw Problem(message: "\"\(Diagnostic.shortened(text))\" is not a percentage from 0 to 100")
        }
        return number
    }

    static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0.isWhitespace }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    static func split(_ text: Substring) -> (word: Substring, rest: Substring) {
        let word = text.prefix { !$0.isWhitespace }
        return (word, trimmed(text[word.endIndex...]))
    }

    private static func bounds(_ text: Substring, _ example: String) throws(Problem) -> (Substring, Substring) {
        guard let dots = text.firstRange(of: "..") else {
            throw Problem(message: "\"\(Diagnostic.shortened(String(text)))\" is not a range such as \(example)")
        }
        return (trimmed(text[..<dots.lowerBound]), trimmed(text[dots.upperBound...]))
    }

    /// A range, or several with weights.
    private static func ranges(
        _ text: Substring, _ example: String, _ parse: (Substring) throws(Problem) -> Self
    ) throws(Problem) -> Self {
        guard let items = try WeightedItems.items(text, example: example) else { return try parse(text) }
        var parts: [WeightedSpecification.Part] = []
        for item in items {
            parts.append(WeightedSpecification.Part(specification: try parse(item.text), weight: UInt64(item.weight)))
        }
        return .weighted(try WeightedSpecification(parts))
    }

    private static func length(_ text: Substring) throws(Problem) -> Self {
        let (lower, upper) = text.contains("..") ? try bounds(text, "3..12") : (text, text)
        guard let first = Int(lower), let last = Int(upper), first >= 0, first <= last,
            last <= AttributeDomains.longestText
        else {
            throw Problem(message: "\"\(Diagnostic.shortened(String(text)))\" is not a range of lengths such as 3..12")
        }
        return .length(first...last)
    }

    private static func numbers(_ text: Substring) throws(Problem) -> Self {
        let (lower, rest) = try bounds(text, "1..10")
        let (upper, more) = split(rest)
        guard let first = number(lower), let last = number(upper), first <= last else {
            throw Problem(message: "\"\(Diagnostic.shortened(String(text)))\" is not a range such as 1..10")
        }
        var numbers = GeneratedNumbers(
            lower: first, upper: last, scale: max(scale(lower, first), scale(upper, last)))
        if !more.isEmpty {
            let (word, size) = split(more)
            guard word.lowercased() == "step", let step = number(size), !step.isNegative, step.mantissa != 0 else {
                throw Problem(
                    message: "\"\(Diagnostic.shortened(String(more)))\" is not a step such as step 0.5")
            }
            numbers.step = step
            numbers.scale = max(numbers.scale, scale(size, step))
        }
        return .number(numbers)
    }

    private static func formula(_ text: Substring) throws(Problem) -> ComputedValue {
        guard !text.isEmpty else { throw Problem(message: "\"formula\" needs an expression: formula price * count") }
        do {
            return .formula(try ObjectExpression(format: String(text), arguments: []))
        } catch {
            throw Problem(message: "the formula cannot be read: \(error.message)")
        }
    }

    private static let units: [String: Int64] = [
        "second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "year": 31_557_600,
    ]

    /// `startDate within 1..90 days`; the unit can be left out, and then is a day.
    private static func after(_ text: Substring) throws(Problem) -> ComputedValue {
        let example = "after startDate within 1..90 days"
        let (name, rest) = split(text)
        guard !name.isEmpty else { throw Problem(message: "\"after\" needs an attribute: \(example)") }
        if rest.isEmpty { return .after(String(name), 86_400...30 * 86_400) }
        let (word, more) = split(rest)
        let (lower, end) = try bounds(more, "1..90 days")
        let (upper, unit) = split(end)
        var singular = unit.lowercased()
        if singular.hasSuffix("s") { singular.removeLast() }
        guard word.lowercased() == "within", let size = singular.isEmpty ? 86_400 : units[singular],
            let first = Int64(lower), let last = Int64(upper), first >= 0, first <= last, last <= 1_000_000
        else {
            throw Problem(
                message: "\"\(Diagnostic.shortened(String(rest)))\" is not a distance such as within 1..90 days")
        }
        return .after(String(name), first * size...last * size)
    }

    /// The number of decimals as they are written: 2 for `1.00`, 3 for `1e-3`.
    private static func scale(_ text: Substring, _ number: ExactDecimal) -> Int {
        let needed = max(0, -Int(number.exponent))
        guard let point = text.firstIndex(of: ".") else { return needed }
        return max(needed, text[text.index(after: point)...].prefix { $0.isNumber }.count)
    }

    static func number(_ text: some StringProtocol) -> ExactDecimal? {
        Array(text.utf8).withUnsafeBufferPointer { try? DecimalText.parse($0) }
    }

    private static func dates(_ text: Substring) throws(Problem) -> Self {
        let (lower, upper) = try bounds(text, "2010..2020")
        guard let first = date(lower, isEnd: false), let last = date(upper, isEnd: true), first <= last else {
            throw Problem(
                message: "\"\(Diagnostic.shortened(String(text)))\" is not a range such as 2010..2020 or "
                    + "2010-01-15..2020-06-30")
        }
        return .date(first, last)
    }

    /// The first or last second of a year or day, since 2001.
    static func date(_ text: some StringProtocol, isEnd: Bool) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 1 || parts.count == 3, let year = parts[0], (1...9999).contains(year) else { return nil }
        var (month, day) = isEnd ? (12, 31) : (1, 1)
        if parts.count == 3 {
            guard let givenMonth = parts[1], let givenDay = parts[2], (1...12).contains(givenMonth),
                (1...CivilDays.daysInMonth(givenMonth, of: year)).contains(givenDay)
            else { return nil }
            (month, day) = (givenMonth, givenDay)
        }
        return CivilDays.days(year: year, month: month, day: day) * 86_400 + (isEnd ? 86_399 : 0)
    }
}
