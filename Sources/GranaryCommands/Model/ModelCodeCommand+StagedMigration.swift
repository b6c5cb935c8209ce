import Foundation
import GranaryBase
import GranaryCoreDataStore
import GranaryModel
import GranaryModelFiles

extension ModelCodeCommand {
    /// Writes the source of the staged migration through the versions of the model.
    func writeStagedMigration() throws(GranaryError) {
        var warnings = DiagnosticCollector()
        let chain = try ModelVersionChain(path: model, diagnostics: &warnings)
        CommandOutput.log(
            warnings.diagnostics, count: warnings.count, limit: diagnosticOptions.maxDiagnostics)
        let generator = try StagedMigrationGenerator(chain, modelName: modelName, access: generatedAccess)
        let result = try GeneratedFolder(path: output).write([generator.file()])
        tell(result, notes: generator.notes)
    }
}
