public import Foundation
public import Granary
import GranaryFixtures
public import Testing

/// Expects that the frozen versions of a model have not changed since `granary model freeze` wrote their lock.
///
/// ```swift
/// @Test func releasedSchemasAreUnchanged() {
///     expectFrozen(models: folder.appending(path: "Models"), lock: folder.appending(path: "Schemas.lock"))
/// }
/// ```
///
/// Each change is a failure of the test that names the version, the entity, the property and what changed. Versions that
/// the lock lacks are not compared.
///
/// - Parameters:
///   - models: a folder of versions (`.xcdatamodeld`, `.momd`), or Swift sources with `@Model` classes, for which the
///     program `granary-swiftdata` is needed (docs/swiftdata.md).
///   - lock: the lock.
///   - options: decisions on what Swift sources do not tell.
///   - sourceLocation: the place of the failure.
public func expectFrozen(
    models: URL, lock: URL, options: SwiftDataOptions = SwiftDataOptions(),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    do {
        for failure in try FrozenCheck(models: models, lock: lock, options: options).failures() {
            Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
        }
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
