import Foundation
import TestSupport
import Testing

/// Larger cases of ``StoreDiffTests``.
@Suite struct StoreDiffLongTests {
    @Test("A seeded store equals another one and each of its exports")
    func equal() throws {
        try StoreDiffTests().equal()
    }
}
