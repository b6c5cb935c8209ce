import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryExport
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing
@testable import GranaryImport

/// Stores that Core Data wrote are exported, restored, compared, and exported again.
@Suite struct RealStoreRestoreLongTests {
    private static let cases = RealStore.all.flatMap { store in RestoreFormat.allCases.map { (store, $0) } }

    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"), arguments: cases)
    func `A real store is restored with every object, value, link and key`(
        _ real: RealStore, _ format: RestoreFormat
    ) throws {
        let folder = try TemporaryFolder()
        var warnings: [Diagnostic] = []
        let store = try SQLiteStore.openForReading(
            path: try real.copy(to: folder), model: try real.schema()?.model, busyTimeout: .seconds(1),
            warnings: &warnings)
        #expect(try RestoreRun.problems(of: store, format, reference: .id, in: folder) == [])
    }
}
