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
