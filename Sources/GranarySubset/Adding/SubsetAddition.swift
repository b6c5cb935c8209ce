public import GranaryImport

/// The result of adding the objects of a subset to a store.
public struct SubsetAddition: Sendable {
    /// Which objects were taken, and what was replaced. ``SubsetReport/store`` is empty.
    public var subset: SubsetReport
    /// What happened to each object in the store: a record is an object.
    public var imported: ImportReport
}
