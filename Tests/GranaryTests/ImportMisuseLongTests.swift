import Granary
import Testing

/// Deletions inside an import, in each kind of store.
@Suite struct ImportMisuseLongTests {
    @Test(
        "A record whose object is deleted is rejected, and not counted as created",
        arguments: ImportMisuseTests.Kind.allCases, ImportMisuseTests.deletions.indices)
    func deleted(_ kind: ImportMisuseTests.Kind, _ index: Int) async throws {
        try await ImportMisuseTests().deleted(kind, index)
    }
}
