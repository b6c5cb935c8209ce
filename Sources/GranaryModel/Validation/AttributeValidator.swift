package import GranaryBase
import GranaryPredicates

/// The compiled rules of one attribute.
///
/// Contexts and bulk imports use the same validator, so a row and an object break the same rules with the same codes. A
/// valid value costs no allocation, unless the attribute has validation predicates.
package struct AttributeValidator: Sendable {
    private let type: AttributeType
    private let isRequired: Bool
    private let integers: ClosedRange<Int64>?
    private let bounds: ValueBounds
    private let lengths: ClosedRange<Int>?
    private let pattern: Pattern?
    private let rules: [CompiledRule]

    /// - Throws: ``GranaryError`` with code `refused` if the regular expression is invalid; the model check reports
    ///   that before.
    init(_ attribute: AttributeDescription) throws(GranaryError) {
        type = attribute.type
        isRequired = !attribute.isOptional
        integers = attribute.type.integerRange
        bounds = ValueBounds(attribute)
        let shortest = attribute.minimumLength ?? 0
        let longest = attribute.maximumLength ?? Int.max
        let isBounded = attribute.minimumLength != nil || attribute.maximumLength != nil
        lengths = isBounded && shortest <= longest ? shortest...longest : nil
        if let expression = attribute.regularExpression {
            do { pattern = try Pattern(expression) } catch {
                throw GranaryError(
                    Diagnostic(
                        .modelRule, "\(error)", property: attribute.name, value: Diagnostic.shortened(expression)))
            }
        } else {
            pattern = nil
        }
        rules = attribute.validationRules.map(CompiledRule.init)
    }

    /// The rules that `value` breaks.
    ///
    /// The value has the attribute's type or is NULL. As in Core Data, NULL can only break the rule that a value is
    /// required.
    package func violations(of value: BorrowedValue) -> [Violation] {
        var found: [Violation] = []
        switch value {
        case .null:
            return isRequired ? [Violation(.valueMissing, "a value is required")] : []
        case .integer(let number):
            if let integers, !integers.contains(number) { return [outOfRange(number, integers)] }
            checkInteger(number, &found)
        case .decimal(let number): checkDecimal(number, &found)
        case .double(let number):
            guard number.isFinite else { return [notFinite("\(number)")] }
            checkReal(number, text: { "\($0)" }, &found)
        case .float(let number):
            guard number.isFinite else { return [notFinite("\(number)")] }
            // The digits of the Float, not of the double it is converted to.
            checkReal(Double(number), text: { "\(Float($0))" }, &found)
        case .date(let seconds):
            guard seconds.isFinite else {
                return [Violation(.valueRange, "the date is not a finite number of seconds", coreDataCode: 1650)]
            }
            checkDate(seconds, &found)
        case .text(let bytes): checkText(bytes, &found)
        case .boolean, .uri, .uuid, .binary: break
        }
        if !rules.isEmpty {
            let owned = AttributeValue(value)
            for rule in rules {
                if let violation = rule.violation(of: owned) { found.append(violation) }
            }
        }
        return found
    }

    /// Whether an integer surely keeps all rules. If false, call ``violations(of:)``: the value may still be valid.
    @inline(__always)
    package func keepsRules(integer number: Int64) -> Bool {
        guard rules.isEmpty, integers?.contains(number) ?? true else { return false }
        guard case .integer(let minimum, let maximum) = bounds else { return true }
        return number >= minimum && number <= maximum
    }

    /// Whether a Double surely keeps all rules; if false, call ``violations(of:)``.
    @inline(__always)
    package func keepsRules(double number: Double) -> Bool {
        guard rules.isEmpty, number.isFinite else { return false }
        guard case .real(let minimum, let maximum) = bounds else { return true }
        return number >= minimum && number <= maximum
    }

    /// Whether a date, in seconds since 2001, surely keeps all rules; if false, call ``violations(of:)``.
    @inline(__always)
    package func keepsRules(date seconds: Double) -> Bool {
        guard rules.isEmpty, seconds.isFinite else { return false }
        guard case .date(let minimum, let maximum) = bounds else { return true }
        return seconds >= minimum && seconds <= maximum
    }

    /// Whether a text surely keeps all rules; if false, call ``violations(of:)``.
    package func keepsRules(text bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard rules.isEmpty else { return false }
        if let lengths {
            // A UTF-16 unit is one to three bytes of UTF-8, so most lengths need no counting.
            let isKnown = bytes.count <= lengths.upperBound && bytes.count / 3 >= lengths.lowerBound
            guard isKnown || lengths.contains(UTF8Text.utf16Count(in: bytes)) else { return false }
        }
        return pattern?.surelyMatches(bytes) ?? true
    }

    /// Whether the attribute is optional.
    package var allowsNull: Bool { !isRequired }

    /// Whether there are validation predicates.
    package var hasPredicates: Bool { !rules.isEmpty }

    private func checkInteger(_ number: Int64, _ found: inout [Violation]) {
        guard case .integer(let minimum, let maximum) = bounds else { return }
        if number < minimum { found.append(tooSmall("\(number)", "\(minimum)")) }
        if number > maximum { found.append(tooLarge("\(number)", "\(maximum)")) }
    }

    private func checkDecimal(_ number: ExactDecimal, _ found: inout [Violation]) {
        guard case .decimal(let minimum, let maximum) = bounds else { return }
        if let minimum, number < minimum { found.append(tooSmall("\(number)", "\(minimum)")) }
        if let maximum, number > maximum { found.append(tooLarge("\(number)", "\(maximum)")) }
    }

    private func checkReal(_ number: Double, text: (Double) -> String, _ found: inout [Violation]) {
        guard case .real(let minimum, let maximum) = bounds else { return }
        if number < minimum { found.append(tooSmall(text(number), text(minimum))) }
        if number > maximum { found.append(tooLarge(text(number), text(maximum))) }
    }

    private func checkDate(_ seconds: Double, _ found: inout [Violation]) {
        guard case .date(let minimum, let maximum) = bounds else { return }
        if seconds < minimum {
            found.append(
                Violation(.valueTooEarly, "\(Self.text(seconds)) is earlier than the minimum \(Self.text(minimum))"))
        }
        if seconds > maximum {
            found.append(
                Violation(.valueTooLate, "\(Self.text(seconds)) is later than the maximum \(Self.text(maximum))"))
        }
    }

    private func checkText(_ bytes: UnsafeBufferPointer<UInt8>, _ found: inout [Violation]) {
        if let lengths {
            // As in NSString, characters outside the basic plane count as two units.
            let count = UTF8Text.utf16Count(in: bytes)
            if count < lengths.lowerBound {
                found.append(
                    Violation(
                        .valueTooShort,
                        "the length \(count) is less than the minimum \(lengths.lowerBound) (UTF-16 units)"))
            }
            if count > lengths.upperBound {
                found.append(
                    Violation(
                        .valueTooLong,
                        "the length \(count) is more than the maximum \(lengths.upperBound) (UTF-16 units)"))
            }
        }
        guard let pattern else { return }
        switch pattern.matchesWhole(bytes) {
        case .match: break
        case .noMatch:
            let text = Diagnostic.shortened(String(decoding: bytes, as: UTF8.self))
            found.append(
                Violation(.valuePattern, "\"\(text)\" does not match \(Diagnostic.shortened(pattern.source))"))
        case .limitReached:
            found.append(
                Violation(
                    .valuePatternLimit,
                    "the match against \(Diagnostic.shortened(pattern.source)) exceeded its limit; make the "
                        + "expression simpler"))
        }
    }
}

extension AttributeValidator {
    private func outOfRange(_ number: Int64, _ range: ClosedRange<Int64>) -> Violation {
        Violation(.valueRange, "\(number) does not fit \(type.phrase) (\(range.lowerBound) to \(range.upperBound))")
    }

    private func notFinite(_ number: String) -> Violation {
        Violation(.valueRange, "\(number) is not a finite number")
    }

    private func tooSmall(_ number: String, _ bound: String) -> Violation {
        Violation(.valueTooSmall, "\(number) is smaller than the minimum \(bound)")
    }

    private func tooLarge(_ number: String, _ bound: String) -> Violation {
        Violation(.valueTooLarge, "\(number) is larger than the maximum \(bound)")
    }

    private static func text(_ seconds: Double) -> String {
        var text: [UInt8] = []
        guard DateText.append(seconds, to: &text) else { return "\(seconds) seconds after 2001" }
        return String(decoding: text, as: UTF8.self)
    }
}
