import Foundation
package import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryFormats
import GranaryPostgreSQL
package import GranaryImport
package import GranaryModel
import GranaryRecords

/// A subset in temporary files, one for each entity, from which an import adds its objects to a store that exists.
///
/// So the store has the checks, the ledger and the history of any import. The files are removed with the last reference.
package final class SubsetDocuments {
    /// The report of the subset. Its store is a temporary file.
    package let report: SubsetReport
    /// An import of each entity with objects.
    package let jobs: [ImportJob]
    private let partial: PartialFile
    /// Whether records of other sources can have the unique values of the objects.
    private let hasOthers: Bool
    private var folder: String { partial.path }

    /// Takes a subset.
    ///
    /// - Parameters:
    ///   - path: the path or the connection string of the source.
    ///   - store: the store to which the objects are to be added. The files are in its folder, or in that for temporary
    ///     files if it is in a database or in memory.
    ///   - onConflict: what happens to objects whose unique values an object of the store has.
    ///   - number: the number of the subset, from 1, if the import has other sources too. The `$id` of its objects are
    ///     then its own. Nil if the import has this subset alone.
    /// - Throws: as ``Subset/run(store:model:to:)``; `uncreatable` if the folder cannot be created.
    package init(
        _ subset: Subset, path: String, model: ManagedObjectModel?, addingTo store: String?,
        onConflict: SubsetOptions.ConflictPolicy, number: Int? = nil
    ) throws {
        hasOthers = number != nil
        partial = try Self.createFolder(beside: store)
        let folder = partial.path
        do {
            var schema: Schema?
            report = try subset.run(path: path, model: model, to: folder + "/" + Self.storeName) { schema = $0 }
            guard let schema else { throw GranaryError(.internalDefect, "the subset was not checked") }
            jobs = try Self.jobs(report, in: folder, schema, onConflict, number, subset.options.cancellation)
        } catch {
            Self.remove(folder)
            throw error
        }
    }

    deinit { Self.remove(folder) }

    /// Only the user can read it, because its objects can be as confidential as the store's. The next run removes a
    /// folder that a killed one has left.
    private static func createFolder(beside store: String?) throws(GranaryError) -> PartialFile {
        let file = store.flatMap { ConnectionText.isConnection($0) ? nil : $0 + ".subset" }
        let temporary = FileManager.default.temporaryDirectory.appending(path: "granary-subset")
        return try PartialFile.createFolder(for: file ?? temporary.path(percentEncoded: false), permissions: 0o700)
    }

    private static func remove(_ folder: String) {
        // Nothing can be done about a file that cannot be removed, and the result does not depend on it.
        try? FileManager.default.removeItem(atPath: folder)
    }

    // MARK: Jobs

    private static let storeName = "subset.sqlite"
    private static let tablesName = "objects"

    private static func path(of entity: String, in folder: String) -> String {
        "\(folder)/\(tablesName)/\(entity).ndjson"
    }

    private static func jobs(
        _ report: SubsetReport, in folder: String, _ schema: Schema,
        _ onConflict: SubsetOptions.ConflictPolicy, _ number: Int?, _ cancellation: Cancellation?
    ) throws -> [ImportJob] {
        let taken = report.entities.compactMap { schema.entity(named: $0.name) }
        guard !taken.isEmpty else { return [] }
        var options = ExportOptions()
        options.columns = columns(of: taken)
        options.reference = .id
        options.cancellation = cancellation
        let store = try SQLiteStore.open(path: folder + "/" + storeName, schema: schema, readOnly: true)
        var destination = ExportDestination.path("\(folder)/\(tablesName)/", format: .ndjson, replacing: false)
        destination.permissions = 0o600
        _ = try Exporter(options: options).run(store, to: destination)
        // Two subsets can be of one source, and diagnostics find the file by its name.
        let name = "subset \(number.map { $0 > 1 ? "\($0) " : "" } ?? "")of \(report.source)"
        return taken.map { entity in
            var options = Self.options(for: entity, schema, onConflict)
            if let number { options.identifierSuffix = Array("@\(number)".utf8) }
            let source = ImportSource.temporaryFile(
                path: path(of: entity.name, in: folder), named: "\(name), \(entity.name)", options: SourceOptions())
            return ImportJob(entity: entity.name, sources: [source], options: options)
        }
    }

    /// `$id` and all stored properties: a new object needs its links also where the object at their other end is in the
    /// store already and stays as it is.
    private static func columns(of entities: [Schema.Entity]) -> [String] {
        var names: Set<String> = []
        for entity in entities {
            for attribute in entity.attributes
            where attribute.isPersistent && attribute.description.derivationExpression == nil {
                names.insert(attribute.name)
            }
            for relationship in entity.relationships where relationship.isPersistent { names.insert(relationship.name) }
        }
        return ["$id"] + names.sorted()
    }

    private static func options(
        for entity: Schema.Entity, _ schema: Schema, _ onConflict: SubsetOptions.ConflictPolicy
    ) -> ImportOptions {
        var options = ImportOptions()
        // Without unique values, each object is a new one.
        options.onConflict = entity.uniquenessConstraints.isEmpty || onConflict == .error ? .error : .skip
        for relationship in entity.relationships where relationship.isPersistent {
            options.lookups[relationship.name] = .identifier
            // The members of the list refer to their owner. A list would take members from other owners.
            if isSaidByMembers(relationship, schema) { options.ignoredColumns.insert(relationship.name) }
        }
        return options
    }

    private static func isSaidByMembers(_ relationship: Schema.Relationship, _ schema: Schema) -> Bool {
        guard relationship.isToMany, !relationship.description.isOrdered, let inverse = relationship.inverse else {
            return false
        }
        return !schema.entities[inverse.owner].relationships[inverse.relationship].isToMany
    }

    // MARK: Diagnostics

    /// A report whose diagnostics name objects of the source, and which has no places in the temporary files.
    package func explained(_ report: ImportReport) throws -> ImportReport {
        try report.explained(hiding: Set(jobs.flatMap { $0.sources.map(\.name) }), explained)
    }

    /// Diagnostics that name objects of the source in place of lines of the temporary files.
    package func explained(_ diagnostics: [Diagnostic]) throws -> [Diagnostic] {
        var result = diagnostics
        for job in jobs {
            guard let entity = job.entity, let file = job.sources.first?.name else { continue }
            var lines: Set<Int> = []
            for diagnostic in diagnostics {
                if let position = diagnostic.position, position.file == file { lines.insert(position.line) }
                for line in Self.lines(named: file, in: diagnostic.message) { lines.insert(line) }
            }
            let names = try Self.names(inLines: lines, of: Self.path(of: entity, in: folder))
            for index in result.indices { explain(&result[index], file, names) }
        }
        return result
    }

    private func explain(_ diagnostic: inout Diagnostic, _ file: String, _ names: [Int: String]) {
        // From the largest number, so that line 1 is not found in line 12.
        for line in Self.lines(named: file, in: diagnostic.message).sorted(by: >) {
            guard let name = names[line] else { continue }
            diagnostic.message = diagnostic.message.replacing("\(file):\(line)", with: name)
        }
        diagnostic.related.removeAll { $0.file == file }
        guard let position = diagnostic.position, position.file == file else { return }
        diagnostic.position = nil
        // Other helps are options of an import, which a subset does not have.
        let canYield = diagnostic.code == .uniqueExists || hasOthers && diagnostic.code == .uniqueDuplicate
        diagnostic.help = canYield ? "--on-conflict skip" : nil
        if let name = names[position.line] { diagnostic.message = "\(name): \(diagnostic.message)" }
    }

    /// The numbers of the lines of a file that a message names, such as the other object of a conflict: `FILE:12`.
    private static func lines(named file: String, in message: String) -> [Int] {
        message.ranges(of: file + ":").compactMap {
            Int(message[$0.upperBound...].prefix { $0.isASCII && $0.isNumber })
        }
    }

    /// The `$id` at the beginning of lines: `{"$id":"Patient/p7",`.
    private static func names(inLines lines: Set<Int>, of path: String) throws -> [Int: String] {
        guard let last = lines.max() else { return [:] }
        let source = try ByteSource(path: path)
        var names: [Int: String] = [:]
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var line = 1
        var start: [UInt8] = []
        while line <= last {
            let count = try source.read(into: &chunk)
            guard count > 0 else { break }
            for byte in chunk.prefix(count) {
                if byte == UInt8(ascii: "\n") {
                    if lines.contains(line) { names[line] = name(start) }
                    line += 1
                    start.removeAll(keepingCapacity: true)
                } else if start.count < longestStart {
                    start.append(byte)
                }
            }
        }
        return names
    }

    /// Longer than an `$id`.
    private static let longestStart = 300

    private static func name(_ start: [UInt8]) -> String? {
        let parts = String(decoding: start, as: UTF8.self).split(separator: "\"", maxSplits: 4)
        return parts.count > 3 && parts[1] == "$id" ? String(parts[3]) : nil
    }
}
