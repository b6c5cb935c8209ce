import Foundation
import GranaryContexts
import GranaryCoordination
import StoreTestSupport
import Testing

/// Writers and readers at the same time: each reader sees one state between two saves.
private func run(writers: Int, saves: Int, seed: UInt64) async throws {
    let bank = try Bank(.sqliteWithLog)
    var writing: [Task<Void, any Error>] = []
    for writer in 0..<writers {
        writing.append(onThread { try bank.write(saves, seed: seed &+ UInt64(writer)) })
    }
    let readers: [@Sendable (Bank) throws -> Void] = [
        { bank in try bank.checkKeptState() }, { bank in try bank.checkSingleFetches() },
        { bank in try bank.checkStore() },
    ]
    var reading = readers.map { reader in onThread { try bank.read(reader) } }
    reading.append(Task { try await bank.readInTasks() })
    for task in writing { try await task.value }
    bank.end()
    for task in reading { try await task.value }
    try Bank.check(bank.container.makeContext())
}

@Suite("Readers and writers at once") struct ReadersAndWritersTests {
    @Test("Each read sees one state") func states() async throws { try await run(writers: 2, saves: 15, seed: 1) }
}

@Suite("Readers and writers at once, for long") struct ReadersAndWritersLongTests {
    @Test("Each read sees one state", arguments: 1...4)
    func states(seed: UInt64) async throws { try await run(writers: 3, saves: 200, seed: seed * 100) }
}
