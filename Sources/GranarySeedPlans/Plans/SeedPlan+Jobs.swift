import Foundation
public import GranaryBase
import GranaryFormats
import GranaryImport
import GranaryRecords
import GranarySubset
import GranaryYAML

extension SeedPlan {
    /// The stores with their imports, in the order of the plan.
    ///
    /// Patterns are replaced by the matching files. Everything is checked that does not need a model.
    ///
    /// - Throws: ``GranaryError``: `unreadable` if a file is missing or unreadable, `refused` for other mistakes, each
    ///   with its position in the plan.
    public func storeImports() throws(GranaryError) -> [StoreImport] {
        let problems = TreeProblems(file: file, kind: .plan)
        var readsStandardInput = false
        var files = SubsetFiles()
        var result: [StoreImport] = []
        for store in stores {
            for path in store.models + [store.like].compactMap({ $0 }) { check(path, problems) }
            var jobs = store.target
            for item in store.imports {
                var job = ImportJob(
                    entity: item.entity,
                    sources: sources(of: item, problems, &jobs, &readsStandardInput),
                    options: item.options)
                job.origin = item.position
                jobs.jobs.append(job)
            }
            for subset in store.subsets {
                var target = files.read(
                    subset, problems, check: { check($0, problems) },
                    add: { add($0, $1, problems, isMissingFile: $2) })
                target.options.busyTimeout = jobs.busyTimeout
                jobs.subsets.append(target)
            }
            result.append(jobs)
        }
        try problems.throwIfAny()
        return result
    }

    private func sources(
        of item: Import, _ problems: TreeProblems, _ store: inout StoreImport, _ readsStandardInput: inout Bool
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
            (options.recordPlaces, options.recordKey) = ([], nil)
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
                        sources.append(.standardInput(options: item.source))
                        continue
                    }
                    var files = [path.path]
                    if let pattern = path.pattern {
                        // A pattern can also match the sidecar of an export, which is not data.
                        files = try FileGlob.expand(pattern).filter { !ImportSidecar.isSidecar($0) }
                    }
                    for file in files {
                        check(PlanPath(path: file, position: path.position, label: path.label), problems)
                        var options = item.source
                        options.busyTimeout = store.busyTimeout ?? options.busyTimeout
                        let source = ImportSource.file(path: file, options: options)
                        sources.append(source)
                        if let problem = source.problem { throw problem }
                        if item.entity == nil, source.entity != nil {
                            store.namedEntities.append(
                                StoreImport.NamedEntity(source: source, position: path.position))
                        }
                    }
                } catch {
                    add(error.message, path, problems, isMissingFile: error.code == .unreadable)
                }
            }
            return sources
        }
    }

    /// Reports a missing or unreadable file. The file is not opened, because opening a pipe would consume its data.
    ///
    /// - Returns: whether it can be read.
    @discardableResult
    private func check(_ path: PlanPath, _ problems: TreeProblems) -> Bool {
        let files = FileManager.default
        if !files.fileExists(atPath: path.path) {
            add("\(path.path) does not exist", path, problems, isMissingFile: true)
        } else if !files.isReadableFile(atPath: path.path) {
            add("\(path.path) cannot be read", path, problems, isMissingFile: true)
        } else {
            return true
        }
        return false
    }

    private func add(_ message: String, _ path: PlanPath, _ problems: TreeProblems, isMissingFile: Bool = false) {
        problems.add(
            .planSyntax, "\(path.label): \(message)", at: path.position, field: path.label, value: path.path,
            isMissingFile: isMissingFile)
    }
}
