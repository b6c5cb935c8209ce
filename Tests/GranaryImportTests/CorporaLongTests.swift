import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import TestSupport
import Testing
@testable import GranaryImport

/// Larger cases of ``CorporaTests``.
@Suite(.enabled(if: SharedFiles.arePresent, "../shared is not there")) struct CorporaLongTests {
    @Test(arguments: [RoundTripTests.Format.tsv, .json, .ndjson, .binary])
    func `Naughty strings survive file, store and file`(_ format: RoundTripTests.Format) throws {
        try CorporaTests().`Naughty strings survive file, store and file`(format)
    }

    @Test func `No file of JSONTestSuite makes an import lose count`() throws {
        try CorporaTests().`No file of JSONTestSuite makes an import lose count`()
    }
}
