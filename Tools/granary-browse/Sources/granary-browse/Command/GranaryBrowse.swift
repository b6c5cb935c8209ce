import Dispatch
import FlyingSocks

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The HTTP side of `granary browse`, which starts this program (docs/decisions/0053-browse.md).
///
/// It prints the port and the version on one line, passes each request to `granary`, and ends when its standard input ends: when
/// `granary` ends, for whatever reason.
@main
enum GranaryBrowse {
    /// The version, which is that of `granary`.
    static let version = "0.1.0"

    static func main() async {
        // A reader that leaves is an error of a write, not the end of the program.
        signal(SIGPIPE, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments == ["--version"] {
            print(version)
            return
        }
        guard let options = BrowseOptions(arguments) else {
            end(64, "granary-browse is started by `granary browse STORE`; it takes --port N --pages SOCKET")
        }
        let pool = makePool()
        let server: LoopbackServer<SocketPool<Queue>>
        do {
            try await pool.prepare()
            server = try LoopbackServer(port: options.port, pool: pool)
        } catch {
            end(73, "port \(options.port) of 127.0.0.1 cannot be used: \(error)")
        }
        print(server.port, version)
        fflush(nil)
        endWithStandardInput()
        do { try await server.run(pages: options.pages) } catch { end(74, "the server stopped: \(error)") }
    }

    #if canImport(Darwin)
        typealias Queue = kQueue
        static func makePool() -> SocketPool<Queue> { .kQueue() }
    #else
        typealias Queue = ePoll
        static func makePool() -> SocketPool<Queue> { .ePoll() }
    #endif

    private static func endWithStandardInput() {
        // A thread of its own, because `read` blocks.
        DispatchQueue(label: "granary-browse.input").async {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                if count == 0 || (count < 0 && errno != EINTR) { exit(0) }
            }
        }
    }

    private static func end(_ code: Int32, _ message: String) -> Never {
        var line = "granary-browse: \(message)\n"
        line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
        exit(code)
    }
}
