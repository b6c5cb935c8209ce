import Testing

/// Each set of names with each constraint.
@Suite struct RelatedValueLongTests {
    @Test(
        "An e-mail address is that of its person, also if it or the name is unique",
        arguments: RelatedValueTests.people.indices, [[], ["address"], ["address", "name"]])
    func addresses(index: Int, unique: [String]) throws {
        try RelatedValueTests().addresses(index: index, unique: unique)
    }
}
