import Foundation
import GranaryBase
import GranaryModel
import GranaryModelFiles

/// Reads a model, resolves it, writes it as a compiled model and reads that again.
enum ModelSurvey {
    static func line(for file: FoundFile, known: inout KnownHashes) -> SurveyLine {
        var line = SurveyLine(.model, file.shownPath)
        var diagnostics = DiagnosticCollector(limit: 100)
        do {
            let model = try ManagedObjectModel(contentsOf: URL(filePath: file.path), diagnostics: &diagnostics)
            line.model = findings(model, file.path, &known)
        } catch {
            line.error = ErrorText.line(error)
        }
        line.warnings = diagnostics.count
        return line
    }

    private static func findings(
        _ model: ManagedObjectModel, _ path: String, _ known: inout KnownHashes
    ) -> ModelFigures {
        var findings = ModelFigures(entities: model.entities.count)
        do {
            let schema = try model.resolved()
            known.add(model, schema.versionHashes)
            findings.hash = known.answer(for: schema.versionHashes, ofModel: path)
            findings.roundTripProblem = roundTripProblem(model, schema)
        } catch {
            findings.problems = max(1, error.diagnostics.count)
        }
        return findings
    }

    private static func roundTripProblem(_ model: ManagedObjectModel, _ schema: Schema) -> String? {
        let folder = FileManager.default.temporaryDirectory.appending(path: "store-survey-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // The path extension selects the compiled format.
            let file = folder.appending(path: "Model.mom")
            try model.write(to: file)
            let again = try ManagedObjectModel(contentsOf: file).resolved()
            let names = Set(again.versionHashes.keys).union(schema.versionHashes.keys)
            let changed = names.filter { again.versionHashes[$0] != schema.versionHashes[$0] }.sorted()
            return changed.isEmpty ? nil : "other version hashes: \(changed.prefix(5).joined(separator: ", "))"
        } catch {
            return ErrorText.line(error)
        }
    }
}
