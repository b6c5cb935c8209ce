import Foundation
import TestSupport
import Testing

/// Larger cases of ``GenerateTests``.
@Suite struct GenerateLongTests {
    @Test("An export of generated objects imports again")
    func export() throws {
        try GenerateTests().export()
    }
}
