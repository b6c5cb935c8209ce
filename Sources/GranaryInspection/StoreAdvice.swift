/// The advice of findings.
enum StoreAdvice {
    /// For a damaged file.
    static let recover = "restore a backup, or recover the file with sqlite3's .recover"
    /// For indexes that disagree with their tables. Exports refuse such a store.
    static let rebuildIndexes = "rebuild the indexes with sqlite3's REINDEX, or restore a backup"
    /// Data is lost, and the store has no copy of it.
    static let restore = "restore the store from a backup"
    /// For intact objects with damaged tables or bookkeeping. Values that break rules need `--as-is`.
    static let copyObjects = "export the store with --reference id, and import the export with --as-is into a new store"
    /// For a store that may belong to another model.
    static let otherModel = "use the model that the store was created with, or restore the store from a backup"
    /// For a wrong embedded model, which Core Data replaces when it opens the store for writing.
    static let modelCache = "provide the model; Core Data does not need the embedded one"
    static let changeValue = "change the value of one of them, or delete one"
    static let deleteObject = "delete the object, and import it again under a concrete entity"
    static let setRelationship = "set the relationship again, or delete the object"
    static let bothDirections = "none is needed: Granary reads such a link in both directions"
    /// For a one-to-one of which only one side is set.
    static let oneSided = "none is needed: each side is read as it is stored; set the relationship again to set both"
    /// For values of another storage class than their attribute's.
    static let converted = "none is needed: the values are converted when they are read"
    static let setOrder = "set the ordered relationship again"
    static let deleteHistory = "delete the persistent history up to this transaction"

    /// For a value that the model does not allow.
    static func setValue(isOptional: Bool) -> String {
        isOptional ? "set a value that the model allows, or no value" : "set a value that the model allows"
    }
}
