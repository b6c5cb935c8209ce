public import Foundation

/// An error that ends an operation, such as a missing file, a store in use, or an invalid model.
///
/// Problems in the data that do not end the operation are ``Diagnostic``s in a ``DiagnosticCollector``.
public struct GranaryError: Error, Sendable {
    /// The kind of error, which determines the exit code of the command line.
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
        /// Reading or writing failed. Existing files and data are unchanged.
        public static let inputOutput = Self(.inputOutput)
        /// The store is in use by another process.
        public static let busy = Self(.busy)
        /// A defect in Granary.
        public static let internalDefect = Self(.internalDefect)
        /// The call contradicts itself; nothing was read.
        public static let usage = Self(.usage)
        /// The user stopped the operation.
        public static let interrupted = Self(.interrupted)
    }

    /// The kind of error.
    public var code: Code
    /// One sentence for the user: the problem and the file or object concerned.
    public var message: String
    /// The individual problems; empty if the message is all.
    public var diagnostics: [Diagnostic]
    /// The error of a lower layer.
    public var underlying: (any Error)?
    /// The command-line options that would avoid the error, such as `--force`; nil if there are none. The command line
    /// prints them on a line of their own.
    package var help: String?
    /// Core Data's code, if the diagnostics do not determine it.
    package var specificCode: Int?
    /// The errors that validation methods have thrown, if some of them are not diagnostics. They replace
    /// ``diagnostics`` in `NSDetailedErrors`.
    package var detailedErrors: [any Error]?

    /// Creates an error of a kind.
    ///
    /// - Parameter underlying: the error of a lower layer.
    public init(_ code: Code, _ message: String, diagnostics: [Diagnostic] = [], underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.diagnostics = diagnostics
        self.underlying = underlying
    }

    /// Creates an error that command-line options would avoid.
    package init(_ code: Code, _ message: String, help: String?) {
        self.init(code, message)
        self.help = help
    }

    /// Creates an error with code `refused` and the message of a diagnostic.
    public init(_ diagnostic: Diagnostic) {
        self.init(.refused, diagnostic.message, diagnostics: [diagnostic])
    }
}

extension GranaryError.Code: CustomStringConvertible {
    /// The name of the constant: `busy`.
    public var description: String { "\(value)" }
}

extension GranaryError: CustomStringConvertible {
    public var description: String {
        ([message] + diagnostics.map(\.description)).joined(separator: "\n")
    }
}

/// Runs `body` and converts errors of lower layers to ``GranaryError``. Other errors pass through.
package func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as any GranaryErrorConvertible { throw error.granaryError }
}

/// Runs `body` and converts all errors to ``GranaryError``; an unknown error becomes `internalDefect`.
package func converting<Result>(_ body: () throws -> Result) throws(GranaryError) -> Result {
    do { return try translating(body) } catch let error as GranaryError { throw error } catch {
        throw GranaryError(.internalDefect, "\(error)", underlying: error)
    }
}

/// An error as an `NSError` with the domain `NSCocoaErrorDomain` and the codes and keys of Core Data.
extension GranaryError: LocalizedError, CustomNSError {
    public static var errorDomain: String { CocoaErrorKeys.domain }

    /// Core Data's code for the error; nil if it has none.
    ///
    /// The code is that of a single broken rule (1550 to 1690), 1560 for several (NSValidationMultipleErrorsError),
    /// 133020 for a conflict with the store, 133021 for a conflict of unique values, 133000 for a deleted object,
    /// 134100 for a store that does not match its model, 134010 for a file of another store type, 134301 for an expired
    /// history token.
    public var coreDataCode: Int? {
        if let specificCode { return specificCode }
        let numbers = Set(diagnostics.filter { $0.severity == .error }.map { $0.coreDataCode ?? $0.code.cocoaCode })
        guard diagnostics.count > 1 else { return numbers.first ?? nil }
        if numbers.allSatisfy({ $0.map(CocoaErrorKeys.validationCodes.contains) ?? false }) || detailedErrors != nil {
            return CocoaErrorKeys.severalErrorsCode
        }
        return numbers.count == 1 ? numbers.first ?? nil : nil
    }

    /// ``coreDataCode``, or the code of Foundation or Core Data for the kind of error: 260 unreadable, 512 uncreatable,
    /// 134070 input or output, 134090 busy, 3072 interrupted, 134060 otherwise.
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

    /// Core Data's keys: those of a single broken rule (`NSValidationErrorKey` and so on), or the list of errors
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

    /// The message and the diagnostics. A single diagnostic is one line with object, property, value and rule, or the
    /// text that the model has for the rule. Several follow the message, one on each line, at most ten.
    public var errorDescription: String? {
        if diagnostics.count == 1, let text = diagnostics[0].rule?.message { return text }
        let texts = diagnostics.prefix(10).map(\.sentence)
        if texts.count == 1, coreDataCode != nil || diagnostics[0].message == message { return texts[0] }
        let more = diagnostics.count > 10 ? ["and \(diagnostics.count - 10) more"] : []
        return ([message] + texts + more).joined(separator: "\n")
    }
}
