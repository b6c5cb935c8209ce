import Foundation
import TestSupport
import Testing

/// Larger cases of ``SubsetTests``.
@Suite struct SubsetLongTests {
    @Test("A subset passes the check, and has the objects that the query finds")
    func check() throws {
        try SubsetTests().check()
    }

    @Test("The same command gives the same file")
    func sameFile() throws {
        try SubsetTests().sameFile()
    }
}
