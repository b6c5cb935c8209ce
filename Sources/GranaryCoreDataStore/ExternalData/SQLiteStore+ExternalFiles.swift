import GranaryCoordination

extension SQLiteStore {
    /// Runs a transaction, and keeps the files of external data in step with how it ends.
    func withExternalFiles<Result>(_ transaction: (ExternalFiles) throws -> Result) throws -> Result {
        let files = ExternalFiles(store: self)
        do {
            let result = try transaction(files)
            files.commit()
            return result
        } catch {
            files.discard()
            throw error
        }
    }
}
