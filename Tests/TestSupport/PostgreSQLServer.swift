public import Foundation

/// A PostgreSQL server of the tests, in a temporary folder, reached through a Unix socket in it. The process starts it at
/// its first use. A shell stops it and removes the folder when the process has ended, however it ends.
public final class PostgreSQLServer: Sendable {
    /// The server; nil if PostgreSQL is not installed or could not be started.
    public static let shared: PostgreSQLServer? = {
        guard let server = try? PostgreSQLServer() else {
            print("skipped: tests with PostgreSQL; initdb and pg_ctl are not installed, or no server could be started")
            return nil
        }
        return server
    }()

    /// The folder with the socket.
    public let folder: URL
    /// Its other end is closed when this process ends, which ends the shell.
    private let lifeline: FileHandle

    /// The user of the tests, who needs no password.
    public static let user = "granary"
    /// A user who needs the password `Kw0tq secret/@1`.
    public static let guardedUser = "guarded"
    public static let password = "Kw0tq secret/@1"

    /// The URL of a schema that does not exist yet, or of one with a name.
    public func url(schema: String = "s\(UUID().uuidString.lowercased())", parameters: String = "") -> String {
        let allowed = CharacterSet.alphanumerics
        func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: allowed) ?? "" }
        return "postgresql://\(Self.user)@/postgres?host=\(encoded(folder.path))&schema=\(encoded(schema))\(parameters)"
    }

    /// Runs a command of SQL with `psql` and returns the rows, unaligned, without a header.
    public func sql(_ text: String) throws -> String {
        try Self.run(
            Self.binary("psql") ?? "psql",
            [
                "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder.path, "-U", Self.user, "-d", "postgres",
                "-c", text,
            ])
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A server of its own, for tests that end it. Its commits are on the disk before they return.
    public static func separate() throws -> PostgreSQLServer {
        try PostgreSQLServer(settings: ["synchronous_commit = on"])
    }

    /// Ends the server as a crash does: without a word to the sessions.
    public func crash() throws {
        let file = try String(contentsOf: folder.appending(path: "data/postmaster.pid"), encoding: .utf8)
        guard let identifier = file.split(separator: "\n").first.flatMap({ Int32($0) }), identifier > 1 else {
            throw Failure(description: "the server has no process")
        }
        kill(identifier, SIGKILL)
    }

    /// Starts the server again after ``crash()``. Its processes end shortly after the first one, so it can take a moment.
    public func restart() throws {
        guard let pgctl = Self.binary("pg_ctl") else { throw Failure(description: "not installed") }
        let start = "exec \"$1\" -D \"$2/data\" -l \"$2/log\" -w start </dev/null >/dev/null 2>&1"
        let asUser = getuid() == 0 ? "cd / && exec runuser -u postgres -- sh -c '\(start)' sh \"$1\" \"$2\"" : start
        for attempt in 0..<100 {
            if (try? sql("SELECT 1")) != nil { return }
            if attempt.isMultiple(of: 10) {
                let process = Process()
                process.executableURL = URL(filePath: "/bin/sh")
                process.arguments = ["-c", asUser, "sh", pgctl, folder.path]
                // Nobody waits for its end: the server inherits the socket by which Foundation notices that.
                try process.run()
            }
            Thread.sleep(forTimeInterval: 0.2)
        }
        throw Failure(description: "the server does not start again")
    }

    private init(settings: [String] = []) throws {
        guard let initdb = Self.binary("initdb"), let pgctl = Self.binary("pg_ctl") else {
            throw Failure(description: "not installed")
        }
        // The path of a socket has at most 107 bytes.
        let root = FileManager.default.temporaryDirectory
        let base = root.path.utf8.count > 50 ? URL(filePath: "/tmp") : root
        folder = base.appending(path: "granary-pg-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let pipe = Pipe()
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        // A server does not run as root.
        shell.arguments = ["-c", Self.script, "sh", folder.path, initdb, pgctl, Self.user] + settings
        shell.standardInput = pipe
        let output = Pipe()
        shell.standardOutput = output
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        lifeline = pipe.fileHandleForWriting
        // The shell closes its output when the server is ready.
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        guard answer.contains("ready") else { throw Failure(description: "the server did not start") }
        _ = try sql(
            "SET password_encryption = 'scram-sha-256'; CREATE USER \(Self.guardedUser) PASSWORD '\(Self.password)'")
    }

    private static let script = """
        cd /; as=; if [ "$(id -u)" = 0 ]; then chown postgres "$1" && as="runuser -u postgres --"; fi
        trap '' HUP INT TERM
        folder=$1; initdb=$2; pgctl=$3; user=$4; shift 4
        stop() { $as "$pgctl" -D "$folder/data" -m immediate stop; rm -rf "$folder"; }
        {
            $as "$initdb" -D "$folder/data" -U "$user" -A trust -E UTF8 --locale=C --no-sync --no-instructions &&
            { printf 'local all guarded scram-sha-256\\nlocal all all trust\\n' | $as tee "$folder/data/pg_hba.conf"; } &&
            printf '%s\\n' "unix_socket_directories = '$folder'" "listen_addresses = ''" 'fsync = off' 'synchronous_commit = off' \\
                'full_page_writes = off' 'wal_level = minimal' 'max_wal_senders = 0' 'autovacuum = off' 'jit = off' \\
                'max_logical_replication_workers = 0' 'max_connections = 300' 'shared_buffers = 32MB' \\
                'max_locks_per_transaction = 256' "$@" | $as tee -a "$folder/data/postgresql.conf" &&
            $as "$pgctl" -D "$folder/data" -l "$folder/log" -w start
        } >/dev/null 2>&1 </dev/null || { rm -rf "$folder"; exit 1; }
        echo ready
        exec >/dev/null
        cat >/dev/null
        stop >/dev/null 2>&1
        """

    /// A program of PostgreSQL: in PATH, or in the folder of the newest version.
    private static func binary(_ name: String) -> String? {
        let manager = FileManager.default
        var folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let versions = (try? manager.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        folders += versions.sorted { (Double($0) ?? 0) > (Double($1) ?? 0) }.map { "/usr/lib/postgresql/\($0)/bin" }
        folders += ["/opt/homebrew/opt/postgresql/bin", "/usr/local/opt/postgresql/bin"]
        return folders.map { "\($0)/\(name)" }.first { manager.isExecutableFile(atPath: $0) }
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: String(decoding: complaint, as: UTF8.self))
        }
        return String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
