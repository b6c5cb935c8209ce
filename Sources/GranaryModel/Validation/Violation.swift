public import GranaryBase
import GranaryPredicates

/// A broken rule of the model, without the position of the value.
package struct Violation: Sendable, Hashable {
    package var code: Diagnostic.Code
    /// The mistake and its correction, without the property's name.
    package var message: String

    /// Core Data's number for the rule (`CoreDataErrors.h`); nil for rules that Core Data does not have.
    package var coreDataCode: Int?
    /// See ``Diagnostic/help``.
    package var help: String?
    /// Whether the value is stored nevertheless, so that the violation is reported as a warning.
    package var isWarning = false
    /// The rule as the model has it, for errors of contexts; nil for rules that are no predicates.
    package var rule: BrokenRule?

    /// - Parameter coreDataCode: overrides the number of `code`.
    package init(_ code: Diagnostic.Code, _ message: String, coreDataCode: Int? = nil, help: String? = nil) {
        self.help = help
        self.code = code
        self.message = message
        self.coreDataCode = coreDataCode ?? code.coreDataCode
    }

    /// The violation with its rule.
    ///
    /// - Parameter text: the text that the model has for the rule; empty if there is none.
    func breaking(_ predicate: ObjectPredicate, _ text: String = "") -> Self {
        var copy = self
        copy.rule = BrokenRule(
            message: text.isEmpty ? nil : text, predicate: predicate, text: predicate.description)
        return copy
    }
}

extension Diagnostic.Code {
    /// The number of the `NSCocoaErrorDomain` error that Core Data raises for this rule.
    public var coreDataCode: Int? {
        switch self {
        case .valuePredicate: 1550
        case .uniqueDuplicate, .uniqueExists: 1551
        case .valueMissing: 1570
        case .relationshipTooFew: 1580
        case .relationshipTooMany: 1590
        case .relationshipDenied: 1600
        case .valueTooLarge: 1610
        case .valueTooSmall: 1620
        case .valueTooLate: 1630
        case .valueTooEarly: 1640
        case .valueTooLong: 1660
        case .valueTooShort: 1670
        case .valuePattern: 1680
        default: nil
        }
    }
}
