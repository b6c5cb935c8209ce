import Foundation
import GranaryModel
import TestSupport
import Testing

/// Larger cases of ``ImportNestedTests``.
@Suite struct ImportNestedLongTests {
    @Test("Advice for nested objects can be followed")
    func advice() async throws {
        try await ImportNestedTests().advice()
    }

    @Test("Without a key each nested object is an object; --key RELATIONSHIP=ATTRIBUTE sets a key")
    func named() async throws {
        try await ImportNestedTests().named()
    }
}
