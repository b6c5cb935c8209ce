import Foundation
import TestSupport
import Testing

/// Larger cases of ``RejectsTests``.
@Suite struct RejectsLongTests {
    @Test func compressedFilesAndPatternsHaveRejects() throws {
        try RejectsTests().compressedFilesAndPatternsHaveRejects()
    }
}
