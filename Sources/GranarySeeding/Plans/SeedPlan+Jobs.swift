public import Foundation
public import GranaryBase
import GranaryFormats

extension SeedPlan {
    /// An entity that a file is named after, because nothing else says what its rows are.
    package struct NamedEntity: Sendable {
        package let name: String
        package let file: String
        /// Where the plan names the file.
        package let position: SourcePosition
    }

    /// What is to be done to one store.
    public struct StoreJobs: Sendable {
        /// The store's path.
        public var store: String
        /// The paths of its models; empty where the store has to carry its own.
        public var models: [String]
        /// Where the plan says what goes into it.
        package var position: SourcePosition
        package var namedEntities: [NamedEntity] = []
        /// The imports, in the plan's order.
        public var jobs: [ImportJob]
        /// How they are run, as one transaction.
        public var run: ImportRunOptions
        /// Whether the store is made ready to be shipped when all is in it.
        public var ships: Bool
        /// The store's UUID; nil: a new one, or with ``ships`` one of the content.
        public var identifier: UUID?
        /// The path of a store that Core Data made for the model. A new store takes the names of its join tables; nil to use
        /// Granary's rule.
        public var like: String?
        /// How many seconds to wait for a store in use; nil where the plan does not say it.
        public var busyTimeout: Double?
        /// Receives the sources' bytes for a second reading; nil if they are read once.
        package var spool: ByteSpool?
    }

    /// The stores with what goes into each, in the plan's order.
    ///
    /// Patterns of files are replaced by what they match. Everything is checked that can be without a model.
    /// - Throws: ``GranaryError``: `unreadable` where a file is missing or cannot be read, `refused` for other mistakes,
    ///   each with its place in the plan.
    public func jobs() throws(GranaryError) -> [StoreJobs] {
        let problems = PlanProblems(file: file)
        var readsStandardInput = false
        var result: [StoreJobs] = []
        for store in stores {
            for path in store.models + [store.like].compactMap({ $0 }) { check(path, problems) }
            var jobs = StoreJobs(
                store: store.path, models: store.models.map(\.path), position: store.position, jobs: [], run: store.run,
                ships: store.ships, identifier: store.identifier, like: store.like?.path,
                busyTimeout: store.busyTimeout)
            // Two cases read the sources again: the rejects file, and the report of a store that was rolled back because
            // another store failed.
            if store.run.rejectsPath != nil {
                jobs.spool = ByteSpool(keepsFiles: true)
            } else if stores.count > 1 {
                jobs.spool = ByteSpool(keepsFiles: false)
            }
            for item in store.imports {
                var job = ImportJob(
                    entity: item.entity,
                    sources: sources(of: item, problems, &jobs, &readsStandardInput),
                    options: item.options)
                job.origin = item.position
                jobs.jobs.append(job)
            }
            result.append(jobs)
        }
        try problems.throwIfAny()
        return result
    }

    private func sources(
        of item: Import, _ problems: PlanProblems, _ store: inout StoreJobs, _ readsStandardInput: inout Bool
    ) -> [ImportSource] {
        switch item.input {
        case .terms(let text, let position):
            let terms = ImportSource.terms(text, name: file, options: item.source)
            let source = ImportSource(name: file, nests: false) { () throws(GranaryError) -> any RecordReader in
                PlacedReader(try terms.open(), start: position)
            }
            return [source]
        case .rows(let json):
            let name = file
            var options = item.source
            options.encoding = nil
            let source = ImportSource(name: name) { [options] () throws(GranaryError) -> any RecordReader in
                try options.reader(ByteSource(bytes: json, name: name), format: .json)
            }
            return [source]
        case .files(let paths):
            var sources: [ImportSource] = []
            for path in paths {
                do throws(GranaryError) {
                    if path.path == "-" {
                        if readsStandardInput {
                            add("standard input can be read only once", path, problems)
                        }
                        readsStandardInput = true
                        sources.append(try .standardInput(options: item.source, spool: store.spool))
                        continue
                    }
                    var files = [path.path]
                    if let pattern = path.pattern { files = try FileGlob.expand(pattern) }
                    for file in files {
                        check(PlanPath(path: file, position: path.position, label: path.label), problems)
                        sources.append(
                            try .file(file, options: item.source, entity: item.entity, spool: store.spool))
                        let name = ImportSource.entityName(ofFile: file, options: item.source, entity: item.entity)
                        if let name {
                            store.namedEntities.append(NamedEntity(name: name, file: file, position: path.position))
                        }
                    }
                } catch {
                    add(error.message, path, problems, isMissingFile: error.code == .unreadable)
                }
            }
            return sources
        }
    }

    /// Whether it can be read is asked, not tried: opening a pipe would take what is in it.
    private func check(_ path: PlanPath, _ problems: PlanProblems) {
        let files = FileManager.default
        if !files.fileExists(atPath: path.path) {
            add("there is no \(path.path)", path, problems, isMissingFile: true)
        } else if !files.isReadableFile(atPath: path.path) {
            add("\(path.path) cannot be read", path, problems, isMissingFile: true)
        }
    }

    private func add(_ message: String, _ path: PlanPath, _ problems: PlanProblems, isMissingFile: Bool = false) {
        problems.add(
            .planSyntax, "\(path.label): \(message)", at: path.position, field: path.label, value: path.path,
            isMissingFile: isMissingFile)
    }
}
