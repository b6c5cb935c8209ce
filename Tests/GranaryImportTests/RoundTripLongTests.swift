import TestSupport
import Testing

/// The other real stores.
@Suite struct RoundTripLongTests {
    @Test(
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: RoundTripTests.realStores.dropFirst(3))
    func `A real store comes back with every object, value and link`(_ path: String, _ modelPath: String) throws {
        try RoundTripTests().`A real store comes back with every object, value and link`(path, modelPath)
    }
}
