public import Foundation
public import Granary
import GranaryFixtures
public import XCTest

extension XCTestCase {
    /// Expects that the frozen versions of a model have not changed since `granary model freeze` wrote their lock.
    ///
    /// Each change is a failure of the test that names the version, the entity, the property and what changed. Versions
    /// that the lock lacks are not compared.
    ///
    /// - Parameters:
    ///   - models: a folder of versions (`.xcdatamodeld`, `.momd`), or Swift sources with `@Model` classes, for which
    ///     the program `granary-swiftdata` is needed (docs/swiftdata.md).
    ///   - lock: the lock.
    ///   - options: decisions on what Swift sources do not tell.
    ///   - file: the file of the test.
    ///   - line: the line of the failure.
    public func expectFrozen(
        models: URL, lock: URL, options: SwiftDataOptions = SwiftDataOptions(), file: StaticString = #filePath,
        line: UInt = #line
    ) {
        do {
            for failure in try FrozenCheck(models: models, lock: lock, options: options).failures() {
                XCTFail(failure, file: file, line: line)
            }
        } catch {
            XCTFail("\(error)", file: file, line: line)
        }
    }
}
