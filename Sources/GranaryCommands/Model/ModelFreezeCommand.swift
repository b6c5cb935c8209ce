import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryModelFiles
import GranarySwiftData

/// `granary model freeze`: keeps the released versions of a model in a file, and finds changes of them.
struct ModelFreezeCommand: ParsableCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "freeze",
        abstract: "Keeps the version hashes of released versions in a file, and fails when a released version changed.",
        discussion: HelpText.paragraphs(
            """
            The lock has the version hashes, the checksum and the digest of each version, and the facts of the model
            that they depend on. A version that is not in an existing lock is added to it. If a version that is in the
            lock has changed, nothing is written, each change is printed with its place, and the exit code is 1; with
            --force, the lock is replaced.

            --check only compares. In its place, the lock can be a store of a released version.

            Examples:
              granary model freeze Models/ --output Schemas.lock
              granary model freeze Models/ --output Schemas.lock --check
            """))

    @Argument(help: "A model with its versions, or Swift sources with their schemas.", completion: .file())
    var model: String

    @Option(help: ArgumentHelp("The lock; with --check also a store.", valueName: "lock"), completion: .file())
    var output: String

    @Option(name: .customLong("version"), help: "Freeze this version alone; repeatable.")
    var only: [String] = []

    @Flag(help: "Write nothing; exit with 1 if a frozen version changed.")
    var check = false

    @Flag(help: "Replace frozen versions that changed.")
    var force = false

    @OptionGroup(title: SwiftDataArguments.title) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if check, force { throw ValidationError("--check and --force exclude each other.") }
    }

    func run() throws {
        var warnings = DiagnosticCollector()
        let chain = try ModelVersionChain(path: model, only: chosen, diagnostics: &warnings)
        CommandOutput.log(warnings.diagnostics, count: warnings.count, limit: diagnosticOptions.maxDiagnostics)
        if check, try isStore() { return try compareStore(chain) }
        let frozen = FileKind(output) == .missing && !check ? nil : try SchemaLock(contentsOf: URL(filePath: output))
        let changes = (frozen?.changes(in: chain) ?? []).filter { change in
            // Versions that were not read were not compared.
            chosen.isEmpty || chosen.contains(change.version)
        }
        if !changes.isEmpty, !force { try fail(changes) }
        if check { return try tell(frozen, chain) }
        var lock = try SchemaLock(chain)
        lock.versions = (frozen?.versions ?? [:]).merging(lock.versions) { _, new in new }
        let file = try ByteOutput.file(output, replacing: true)
        file.buffer = Array(try lock.text().utf8)
        try file.finish()
        try tell(lock, chain)
    }

    private var chosen: [String] { only.isEmpty ? swiftData.schema : only }

    private func isStore() throws -> Bool {
        guard let file = FileHandle(forReadingAtPath: output) else { return false }
        defer { try? file.close() }
        return try file.read(upToCount: 16) == Data("SQLite format 3\0".utf8)
    }

    /// Prints each change as an error at its place.
    private func fail(_ changes: [SchemaLockChange]) throws -> Never {
        var places = FrozenPlaces(model)
        let found = changes.map { change in
            Diagnostic(
                .modelFrozen, "\(change.version) is frozen: \(change.what)", at: places.position(of: change),
                entity: change.entity, property: change.property)
        }
        CommandOutput.log(found, count: found.count, limit: diagnosticOptions.maxDiagnostics)
        throw ExitCode(ExitCodes.found)
    }

    private func tell(_ lock: SchemaLock?, _ chain: ModelVersionChain) throws {
        var lines: [String] = []
        for version in chain.versions {
            let frozen =
                lock?.versions[version.name]
                ?? (chain.versions.count == 1 && lock?.versions.count == 1 && chosen.isEmpty
                    ? lock?.versions.values.first : nil)
            lines.append("\(version.name)  " + (frozen.map { "frozen  \($0.checksum)" } ?? "not frozen"))
        }
        for group in chain.equalChecksums {
            let names = group.map { chain.versions[$0].name }.joined(separator: " and ")
            CommandOutput.log(
                [
                    Diagnostic(
                        .modelFrozen,
                        "\(names) have equal checksums; a migration plan with both is refused when the app starts",
                        severity: .warning)
                ], count: 1, limit: 1)
        }
        try CommandOutput.writeText(lines.map { $0 + "\n" }.joined())
    }

    /// Compares with a store in place of a lock: one of the versions must have its hashes.
    private func compareStore(_ chain: ModelVersionChain) throws {
        let hashes = try StoreGlance(path: output, busyTimeout: .seconds(5)).metadata.versionHashes
        guard let nearest = chain.nearest(to: hashes) else {
            throw GranaryError(.refused, "\(model): every version has problems (model check), so that none has hashes")
        }
        let version = chain.versions[nearest.index]
        if nearest.isExact { return try CommandOutput.writeText("\(version.name)  is the version of \(output)\n") }
        var ignored = DiagnosticCollector()
        let stored = try? ManagedObjectModel.read(path: output, diagnostics: &ignored).model
        let old = stored.map { ModelVersionChain([.init(name: version.name, model: $0)]) }
        var changes = try old.map { try SchemaLock($0) }?.changes(in: ModelVersionChain([version])) ?? []
        if changes.isEmpty {
            changes = nearest.differences.map { match in
                SchemaLockChange(version: version.name, entity: match.entity, property: nil, what: match.what.rawValue)
            }
        }
        try fail(changes)
    }
}
