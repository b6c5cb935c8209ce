import Foundation
import Granary

/// Shows imports and an export: seeds a store from the files of the sample Triage, keeps the valid rows of a file, writes
/// the others to a rejects file, and exports everything.
struct TriageSeed {
    let container: PersistentContainer

    /// - Parameters:
    ///   - model: the model Triage.
    ///   - store: the SQLite file, which is created if it does not exist.
    init(model: URL, store: URL) throws {
        container = try PersistentContainer(model: ManagedObjectModel(contentsOf: model), store: .sqlite(store))
    }

    /// A patient's injury is found by its name, the responder by the badge.
    private static var patientOptions: ImportOptions {
        var options = ImportOptions()
        options.lookups = ["injury": .attribute("name"), "responder": .attribute("badge")]
        return options
    }

    /// Imports injuries, responders and patients as one transaction: all rows, or none if one is invalid.
    func seed(from folder: URL) async throws -> ImportReport {
        let injuries = ImportSource.terms(FooTriage.injuryTerms, delimiter: "%", attribute: "name", ordinal: "key")
        let importer = Importer(jobs: [
            ImportJob(
                entity: "Patient", sources: [.file(folder.appending(path: "patients.csv"))],
                options: Self.patientOptions),
            ImportJob(entity: "Injury", sources: [injuries]),
            ImportJob(entity: "Responder", sources: [.file(folder.appending(path: "responders.csv"))]),
        ])
        return try await importer.run(into: container)
    }

    /// Imports the valid patients of a file.
    ///
    /// - Parameter rejects: the file for the invalid rows; the reasons are in a second file beside it.
    /// - Returns: the counts, and a diagnostic for each problem.
    func importPatients(from file: URL, rejects: URL) async throws -> ImportReport {
        var run = ImportRunOptions()
        run.mode = .keepGood
        run.rejectsPath = rejects.path
        let importer = Importer(entity: "Patient", from: .file(file), options: Self.patientOptions, run: run)
        return try await importer.run(into: container)
    }

    /// Exports all objects, in the format that the extension names.
    func export(to url: URL) async throws -> ExportReport { try await Exporter().run(container, to: .file(url)) }
}
