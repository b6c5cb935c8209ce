import Foundation
import GranaryBase
import GranaryModel
import GranarySQLite
import TestSupport
import Testing

/// Larger cases of ``BrokenLinkTests``.
@Suite struct BrokenLinkLongTests {
    @Test func `Nested objects do not hide a link to a missing object`() async throws {
        try await BrokenLinkTests().`Nested objects do not hide a link to a missing object`()
    }

    @Test func `A relationship that is its own inverse is restored`() async throws {
        try await BrokenLinkTests().`A relationship that is its own inverse is restored`()
    }

    @Test func `Links of a missing object are counted`() async throws {
        try await BrokenLinkTests().`Links of a missing object are counted`()
    }

    @Test func `Links to a missing object are exported and restored`() async throws {
        try await BrokenLinkTests().`Links to a missing object are exported and restored`(false, "a.plist")
    }
}
