/// How far a step of a migration is.
package struct MigrationProgress: Sendable, Hashable {
    /// The number of objects that were read.
    package let objects: Int
    /// What is done of ``total``: the objects, and the indexes.
    package let done: Int
    package let total: Int

    /// Indexes take about a fifth of a migration, whatever the number of objects is.
    private static func indexShare(_ objects: Int) -> Int { objects / 4 }

    init(objects: Int, of all: Int, indexesAreBuilt: Bool = false) {
        self.objects = objects
        let share = Self.indexShare(all)
        total = all + share
        done = objects + (indexesAreBuilt ? share : 0)
    }
}
