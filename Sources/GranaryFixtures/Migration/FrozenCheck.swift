package import Foundation
package import GranaryBase
import GranaryCoreDataStore
import GranaryModel
package import GranarySwiftData

/// Compares a model with a lock of its released versions.
package struct FrozenCheck {
    private let models: URL
    private let lock: URL
    private let options: SwiftDataOptions

    package init(models: URL, lock: URL, options: SwiftDataOptions) {
        self.models = models
        self.lock = lock
        self.options = options
    }

    /// A line for each change.
    ///
    /// - Throws: ``GranaryError`` if the model or the lock cannot be read.
    package func failures() throws(GranaryError) -> [String] {
        let lock = try SchemaLock(contentsOf: lock)
        let path = models.path(percentEncoded: false)
        let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let result = SwiftDataOptions.$current.withValue(options) { () -> Result<[String], GranaryError> in
            var warnings = DiagnosticCollector()
            do throws(GranaryError) {
                let chain = try ModelVersionChain(path: trimmed, diagnostics: &warnings)
                return .success(lock.changes(in: chain).map(\.description))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
