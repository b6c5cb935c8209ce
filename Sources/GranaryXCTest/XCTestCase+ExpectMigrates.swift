public import Foundation
public import Granary
import GranaryFixtures
public import XCTest

extension XCTestCase {
    /// Expects that the stores of all versions of a model can be migrated to the current one, without a mapping model.
    ///
    /// For each version, a temporary store with three generated objects of each entity is migrated to the current
    /// version; the one of the first version also step by step over all versions. Then a copy of each SQLite store of
    /// the fixtures is migrated. Each migration that fails is a failure of the test that names the step and the objects.
    ///
    /// - Parameters:
    ///   - model: a folder of versions, `.xcdatamodeld` or `.momd`.
    ///   - fixtures: a folder with stores of released versions; nil for none.
    ///   - steps: what is not inferred.
    ///   - options: the options of each migration; by default what a newer version cannot hold is dropped, as an app
    ///     does.
    ///   - file: the file of the test.
    ///   - line: the line of the failure.
    nonisolated(nonsending) public func expectMigrates(
        model: URL, fixtures: URL? = nil, steps: [MigrationStep] = [], options: StoreMigrationOptions? = nil,
        file: StaticString = #filePath, line: UInt = #line
    ) async {
        var dropping = StoreMigrationOptions()
        dropping.allowsDrop = true
        do {
            let check = MigrationChainCheck(
                model: model, fixtures: fixtures, steps: steps, options: options ?? dropping)
            for failure in try await check.run() { XCTFail(failure, file: file, line: line) }
        } catch {
            XCTFail("\(error)", file: file, line: line)
        }
    }
}
