import Foundation

extension PostgreSQLServer {
    /// Runs statements in a transaction of another session while `body` runs, and returns when both have ended. `body`
    /// begins after the statements, and the transaction is committed when a statement of `body` waits for it.
    ///
    /// - Parameter isHeldToTheEnd: whether the transaction is committed only when the other statement waits no more.
    public func whileLocked<Result>(
        by statements: String, isHeldToTheEnd: Bool = false, _ body: () throws -> Result
    ) throws -> Result {
        let mark = Int.random(in: 1..<Int(Int32.max))
        // pg_locks is not part of the transaction's snapshot.
        func wait(_ condition: String) -> String {
            "DO $$ BEGIN FOR i IN 1..1500 LOOP EXIT WHEN \(condition) (SELECT FROM pg_locks l WHERE NOT l.granted AND "
                + "pg_backend_pid() = ANY (pg_blocking_pids(l.pid))); PERFORM pg_sleep(0.02); END LOOP; END $$;"
        }
        // The statements of one command are one transaction.
        let text =
            "\(statements); SELECT pg_advisory_lock(\(mark)); \(wait("EXISTS"))"
            + (isHeldToTheEnd ? wait("NOT EXISTS") : "")
        let ended = DispatchSemaphore(value: 0)
        DispatchQueue(label: "lock").async {
            // A server that was killed ends it, too.
            _ = try? self.sql(text)
            ended.signal()
        }
        let isMarked = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = \(mark)"
        for _ in 0..<500 {
            if try sql(isMarked) == "1" { break }
            Thread.sleep(forTimeInterval: 0.01)
        }
        defer { ended.wait() }
        return try body()
    }

    /// Runs `body` with a tablespace of 4 MB: a small file system in memory, which only root can mount.
    ///
    /// - Parameter body: is passed the name of the tablespace.
    /// - Returns: nil if a file system cannot be mounted.
    public func withSmallTablespace<Result>(_ body: (String) throws -> Result) throws -> Result? {
        let name = "small_\(UUID().uuidString.prefix(8).lowercased())"
        let disk = folder.appending(path: name).path
        let script =
            "mkdir \"$1\" && mount -t tmpfs -o size=4m,mode=777 none \"$1\" && mkdir -m 777 \"$1/space\" "
            + "&& chown postgres \"$1/space\""
        guard try shell(script, disk) else {
            print("skipped: a full disk; a file system cannot be mounted here")
            return nil
        }
        defer { _ = try? shell("umount -l \"$1\"", disk) }
        _ = try sql("CREATE TABLESPACE \(name) LOCATION '\(disk)/space'")
        defer { _ = try? sql("DROP TABLESPACE \(name)") }
        return try body(name)
    }

    private func shell(_ script: String, _ argument: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, "sh", argument]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
