public import Foundation

/// An error as an `NSError`: the domain `NSCocoaErrorDomain`, Core Data's number where there is one, and its keys.
extension GranaryError: LocalizedError, CustomNSError {
    public static var errorDomain: String { CocoaErrorKeys.domain }

    /// Core Data's number for what happened; nil where it has none.
    ///
    /// One broken rule has its own number (1550 to 1690). Several are 1560 (NSValidationMultipleErrorsError), a conflict
    /// with the store 133020, one about unique values 133021, an object that is gone 133000, a store that does not fit its
    /// model 134100, a file of another store type 134010, a token of an expired history 134301.
    public var coreDataCode: Int? {
        if let specificCode { return specificCode }
        let numbers = Set(diagnostics.filter { $0.severity == .error }.map { $0.coreDataCode ?? $0.code.cocoaCode })
        guard diagnostics.count > 1 else { return numbers.first ?? nil }
        if numbers.allSatisfy({ $0.map(CocoaErrorKeys.validationCodes.contains) ?? false }) || detailedErrors != nil {
            return CocoaErrorKeys.severalErrorsCode
        }
        return numbers.count == 1 ? numbers.first ?? nil : nil
    }

    /// ``coreDataCode``, or Foundation's or Core Data's number for the kind of error: 260 unreadable, 512
    /// uncreatable, 134070 I/O, 134090 busy, 3072 interrupted, 134060 otherwise.
    public var errorCode: Int {
        if let coreDataCode { return coreDataCode }
        switch code {
        case .unreadable: return CocoaErrorKeys.noSuchFileCode
        case .uncreatable: return CocoaErrorKeys.writeCode
        case .inputOutput: return CocoaErrorKeys.operationCode
        case .busy: return CocoaErrorKeys.timeoutCode
        case .interrupted: return CocoaErrorKeys.cancelledCode
        default: return CocoaErrorKeys.generalCode
        }
    }

    /// Core Data's keys: those of a single broken rule (`NSValidationErrorKey` and so on), or the single errors
    /// (`NSDetailedErrors`); the objects (`NSAffectedObjectsErrorKey`); the conflicts of a save (`conflictList`); the
    /// underlying error.
    public var errorUserInfo: [String: Any] {
        var info = (underlying as? any CustomNSError)?.errorUserInfo ?? [:]
        info[NSUnderlyingErrorKey] = underlying
        if diagnostics.count == 1, let diagnostic = diagnostics.first {
            info.merge(diagnostic.errorUserInfo) { _, new in new }
        } else if !diagnostics.isEmpty {
            info[CocoaErrorKeys.detailedErrors] = detailedErrors ?? diagnostics
        }
        info[NSLocalizedDescriptionKey] = errorDescription ?? message
        let objects = diagnostics.compactMap(\.object)
        if !objects.isEmpty { info[CocoaErrorKeys.affectedObjects] = objects.compactMap(URL.init(string:)) }
        return info
    }

    /// The message. One diagnostic is on one line, with object, property, value and rule. Several follow the message, one on
    /// each line, at most ten.
    public var errorDescription: String? {
        let texts = diagnostics.prefix(10).map { $0.errorDescription ?? $0.message }
        if texts.count == 1, coreDataCode != nil || diagnostics[0].message == message { return texts[0] }
        let more = diagnostics.count > 10 ? ["and \(diagnostics.count - 10) more"] : []
        return ([message] + texts + more).joined(separator: "\n")
    }
}
