public import Foundation

/// A diagnostic as an `NSError` with the domain `NSCocoaErrorDomain` and the codes and keys of Core Data.
extension Diagnostic: LocalizedError, CustomNSError {
    public static var errorDomain: String { CocoaErrorKeys.domain }

    /// Core Data's code for the rule (1550 to 1690, 133000, 133020, 134100, 134110, 134190, 134301); 134060 (NSCoreDataError) for a
    /// rule that Core Data does not have.
    public var errorCode: Int { coreDataCode ?? code.cocoaCode ?? CocoaErrorKeys.generalCode }

    /// The keys of Core Data's validation errors that apply. The object is the URI of its ID; the predicate is the
    /// `ObjectPredicate` of the broken rule.
    public var errorUserInfo: [String: Any] {
        // Foundation on Linux does not add the description when an error has user info.
        var info: [String: Any] = [NSLocalizedDescriptionKey: errorDescription ?? message]
        info[CocoaErrorKeys.validationObject] = object.map { URL(string: $0) ?? $0 as Any }
        info[CocoaErrorKeys.validationKey] = property
        info[CocoaErrorKeys.validationValue] = value
        info[CocoaErrorKeys.validationPredicate] = rule?.predicate
        return info
    }

    /// `Patient.age: 200 is larger than the maximum 130 (x-coredata://…/Patient/p3)`; for a rule that has a text in the
    /// model, that text alone, which is written for the app's users.
    public var errorDescription: String? { rule?.message ?? sentence }

    /// The problem with its place, property, value and object.
    var sentence: String {
        let place = place.map { "\($0): " } ?? ""
        let value = value.flatMap { $0.isEmpty || isNamed($0) ? nil : " (value: \($0))" } ?? ""
        let object = object.flatMap { message.contains($0) ? nil : " (\($0))" } ?? ""
        return place + subject + message + value + object
    }

    /// Whether the message contains the value at its start or in quotation marks. In other places the same characters
    /// can mean something else.
    private func isNamed(_ value: String) -> Bool {
        message == value || message.hasPrefix(value + " ") || message.contains("\"\(value)\"")
    }
}

extension Diagnostic.Code {
    /// Core Data's code for errors other than validation errors; nil if it has none.
    var cocoaCode: Int? {
        switch self {
        case .objectGone: 133_000
        case .objectConflict: 133_020
        case .storeMismatch: 134_100
        case .migrationDrop: 134_110
        case .migrationMapping: 134_190
        case .historyExpired: 134_301
        case .storeCorrupt: CocoaErrorKeys.corruptFileCode
        default: nil
        }
    }
}
