package import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// An import whose transaction has ended. Its rejects file is complete.
package struct CommittedImport {
    package let report: ImportReport
    /// Whether the caller rolled the transaction back.
    package let isRolledBack: Bool
    let rejects: RejectsFile?

    /// Makes the rejects file permanent, or removes an earlier run's file if no record was rejected. If it is not
    /// called, the rejects file is removed with this object.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput`.
    package func publish() throws(GranaryError) { try rejects?.publish() }

    func published() throws(GranaryError) -> ImportReport {
        do throws(GranaryError) { try publish() } catch {
            throw GranaryError(.inputOutput, "\(error.message); the import is stored", underlying: error)
        }
        return report
    }
}
