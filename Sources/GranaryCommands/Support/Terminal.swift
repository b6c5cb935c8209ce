#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal that shows messages or data, or none if they go to a file or a pipe.
struct Terminal: Sendable {
    /// Whether it is a terminal.
    let isPresent: Bool
    /// Returns the value of an environment variable.
    private let variable: @Sendable (String) -> String?
    private let windowWidth: @Sendable () -> Int?

    private init(
        isPresent: Bool, variable: @escaping @Sendable (String) -> String?,
        windowWidth: @escaping @Sendable () -> Int?
    ) {
        self.isPresent = isPresent
        self.variable = variable
        self.windowWidth = windowWidth
    }

    init(isPresent: Bool, environment: [String: String], windowWidth: @escaping @Sendable () -> Int?) {
        self.init(isPresent: isPresent, variable: { environment[$0] }, windowWidth: windowWidth)
    }

    /// No terminal.
    static let none = Terminal(isPresent: false, environment: [:], windowWidth: { nil })

    /// The terminal of the process's standard error.
    static let standardError = Terminal(STDERR_FILENO)
    /// The terminal of the process's standard output.
    static let standardOutput = Terminal(STDOUT_FILENO)

    /// The terminal of a file descriptor of the process.
    private init(_ descriptor: Int32) {
        self.init(
            isPresent: isatty(descriptor) == 1,
            // One variable, not a copy of the environment: every command needs this value.
            variable: { getenv($0).map { String(cString: $0) } },
            windowWidth: {
                var size = winsize()
                guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
                return Int(size.ws_col)
            })
    }

    /// Whether lines can be overwritten and coloured: `TERM` is set to anything but `dumb`.
    var hasControls: Bool { isPresent && !["", "dumb"].contains(variable("TERM") ?? "") }

    /// Whether messages have colours. `NO_COLOR` with any nonempty text disables them (no-color.org).
    var hasColours: Bool { hasControls && (variable("NO_COLOR") ?? "").isEmpty }

    /// The current number of columns, which can change while a command runs.
    var width: Int {
        if let width = windowWidth() { return width }
        if let text = variable("COLUMNS"), let width = Int(text), width > 0 { return width }
        return 80
    }
}
