import Foundation
import GranaryModel
import GranarySQLite
import TestSupport
import Testing

/// Larger cases of ``JoinTableNameTests``.
@Suite struct JoinTableNameLongTests {
    @Test func digitOnTheOtherTable() async throws {
        try await JoinTableNameTests().digitOnTheOtherTable()
    }

    @Test func warnsOnce() async throws {
        try await JoinTableNameTests().warnsOnce()
    }
}
