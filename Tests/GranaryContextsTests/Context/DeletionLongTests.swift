import Testing

/// Long chains of cascades. A recursion would end the process.
@Suite("Deletion, long chains") struct DeletionLongTests {
    @Test("A cascade over a long chain and over a cycle ends")
    func longCascade() throws { try DeletionTests().checkCascade(objects: 5000) }
}
