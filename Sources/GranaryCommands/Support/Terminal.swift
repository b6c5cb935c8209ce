import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What messages are shown on: somebody's terminal, or a file, a pipe, a log.
struct Terminal: Sendable {
    /// Whether it is a terminal at all.
    let isPresent: Bool
    private let environment: [String: String]
    private let windowWidth: @Sendable () -> Int?

    init(isPresent: Bool, environment: [String: String], windowWidth: @escaping @Sendable () -> Int?) {
        self.isPresent = isPresent
        self.environment = environment
        self.windowWidth = windowWidth
    }

    /// No terminal.
    static let none = Terminal(isPresent: false, environment: [:], windowWidth: { nil })

    /// Where the process's standard error goes.
    static let standardError = Terminal(
        isPresent: isatty(STDERR_FILENO) == 1, environment: ProcessInfo.processInfo.environment,
        windowWidth: {
            var size = winsize()
            guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
            return Int(size.ws_col)
        })

    /// Whether a line can be written over and be coloured: one that says so of itself, and is not `dumb`.
    var hasControls: Bool { isPresent && !["", "dumb"].contains(environment["TERM"] ?? "") }

    /// Whether messages have colours. NO_COLOR with any text but the empty one forbids them (no-color.org).
    var hasColours: Bool { hasControls && (environment["NO_COLOR"] ?? "").isEmpty }

    /// How many columns it has now; it may change while a command runs.
    var width: Int {
        if let width = windowWidth() { return width }
        if let text = environment["COLUMNS"], let width = Int(text), width > 0 { return width }
        return 80
    }
}
