public import Foundation
public import Granary
import GranaryFixtures
public import Testing

/// Expects that the stores of all versions of a model can be migrated to the current one, without a mapping model.
///
/// ```swift
/// @Test func migrates() async {
///     await expectMigrates(model: folder.appending(path: "App.xcdatamodeld"), fixtures: folder.appending(path: "Stores"))
/// }
/// ```
///
/// For each version, a temporary store with three generated objects of each entity is migrated to the current version;
/// the one of the first version also step by step over all versions. Then a copy of each SQLite store of the fixtures
/// is migrated. Each migration that fails is a failure of the test that names the step and the objects.
///
/// - Parameters:
///   - model: a folder of versions, `.xcdatamodeld` or `.momd`.
///   - fixtures: a folder with stores of released versions; nil for none.
///   - steps: what is not inferred.
///   - options: the options of each migration; by default what a newer version cannot hold is dropped, as an app does.
///   - sourceLocation: the place of the failure.
public func expectMigrates(
    model: URL, fixtures: URL? = nil, steps: [MigrationStep] = [], options: StoreMigrationOptions? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) async {
    var dropping = StoreMigrationOptions()
    dropping.allowsDrop = true
    do {
        let check = MigrationChainCheck(model: model, fixtures: fixtures, steps: steps, options: options ?? dropping)
        for failure in try await check.run() {
            Issue.record(Comment(rawValue: failure), sourceLocation: sourceLocation)
        }
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
