public import Foundation

/// What is thrown when going on is impossible.
///
/// Trouble in the data that still lets work go on is a ``Diagnostic`` handed to a ``DiagnosticCollector``;
/// this is for the rest: no such file, a store in use, a model that is refused.
public struct GranaryError: Error, Sendable {
    /// What kind of trouble it is; decides the exit code of the command line.
    public struct Code: Sendable, Hashable {
        private enum Value {
            case refused, unreadable, uncreatable, inputOutput, busy, internalDefect, usage, interrupted
        }

        private let value: Value

        private init(_ value: Value) { self.value = value }

        /// The data or the model was refused; nothing was written.
        public static let refused = Self(.refused)
        /// An input is missing or cannot be read.
        public static let unreadable = Self(.unreadable)
        /// An output cannot be created.
        public static let uncreatable = Self(.uncreatable)
        /// Reading or writing failed on the way; what was there before is still there.
        public static let inputOutput = Self(.inputOutput)
        /// The store is in use by another process.
        public static let busy = Self(.busy)
        /// A defect of Granary's own.
        public static let internalDefect = Self(.internalDefect)
        /// The call contradicts itself; nothing was read.
        public static let usage = Self(.usage)
        /// The user stopped it.
        public static let interrupted = Self(.interrupted)
    }

    /// What kind of trouble it is.
    public var code: Code
    /// One sentence that says what happened and where, fit to be shown to a user.
    public var message: String
    /// The single problems, where there is more to say than the message.
    public var diagnostics: [Diagnostic]
    /// What a lower layer threw.
    public var underlying: (any Error)?
    /// Core Data's number, where the diagnostics do not give it.
    package var specificCode: Int?
    /// The errors as they were thrown, when a subclass threw some that are not diagnostics. They replace ``diagnostics`` in
    /// `NSDetailedErrors`.
    package var detailedErrors: [any Error]?

    /// An error of the given kind; `underlying` is what a lower layer threw, nil for none.
    public init(_ code: Code, _ message: String, diagnostics: [Diagnostic] = [], underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.diagnostics = diagnostics
        self.underlying = underlying
    }

    /// A refusal whose message is the diagnostic's own.
    public init(_ diagnostic: Diagnostic) {
        self.init(.refused, diagnostic.message, diagnostics: [diagnostic])
    }
}

extension GranaryError: CustomStringConvertible {
    public var description: String {
        ([message] + diagnostics.map(\.description)).joined(separator: "\n")
    }
}

/// An error of a lower layer that has an equal ``GranaryError``.
package protocol GranaryErrorConvertible: Error {
    var granaryError: GranaryError { get }
}

/// Runs `body` and converts errors of lower layers to ``GranaryError``. Other errors pass through.
package func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as any GranaryErrorConvertible { throw error.granaryError }
}

/// Runs `body` and converts all errors to ``GranaryError``; an unknown error becomes `internalDefect`.
package func converting<Result>(_ body: () throws -> Result) throws(GranaryError) -> Result {
    do { return try body() } catch let error as GranaryError { throw error } catch let error
        as any GranaryErrorConvertible
    {
        throw error.granaryError
    } catch {
        throw GranaryError(.internalDefect, "\(error)", underlying: error)
    }
}

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
