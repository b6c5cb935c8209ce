package import GranaryBase
package import GranaryImport

/// Files that an import writes in addition to stores and rejects, such as its report.
package protocol ImportOutputs {
    /// Whether all outputs are files, so that ``prepareAgain(_:)`` replaces what ``prepare(_:)`` has written.
    var isRepeatable: Bool { get }

    /// Writes and syncs the outputs before the first commit, so that a full disk leaves the stores unchanged. Only the
    /// first call has an effect.
    ///
    /// - Parameter reports: one for each store.
    func prepare(_ reports: [ImportReport]) throws

    /// Writes the outputs again, because the stores differ from the reports of ``prepare(_:)``.
    func prepareAgain(_ reports: [ImportReport]) throws(GranaryError)

    /// Gives the outputs their names after the commits.
    func publish() throws(GranaryError)
}
