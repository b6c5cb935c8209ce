import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

/// Further cases of ``OneSidedPairTests``.
@Suite struct OneSidedPairLongTests {
    @Test(arguments: [
        "a.plist"
    ])
    func `An export and a restored store keep both sides`(_ file: String) async throws {
        try await OneSidedPairTests().`An export and a restored store keep both sides`(file)
    }
}
