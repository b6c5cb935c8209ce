import Foundation
import GranarySQLite
import TestSupport
import Testing

/// Larger cases of ``ImportRunTests``.
@Suite struct ImportRunLongTests {
    @Test
    func keptRejectsAndLinksAreTakenBackToo() async throws {
        try await ImportRunTests().keptRejectsAndLinksAreTakenBackToo()
    }

    @Test
    func withoutALedgerAStoreHasNoTraceOfAnImport() async throws {
        try await ImportRunTests().withoutALedgerAStoreHasNoTraceOfAnImport()
    }

    @Test
    func runsAreListedWithTheirCountsAndSources() async throws {
        try await ImportRunTests().runsAreListedWithTheirCountsAndSources()
    }
}
