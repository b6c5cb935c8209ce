/// The ways to repair a store, in the words that findings use.
enum StoreAdvice {
    /// The file itself is damaged.
    static let recover = "restore a backup, or recover the file with sqlite3's .recover"
    /// Something is lost that the store cannot give back.
    static let restore = "restore the store from a backup"
    /// The objects are sound, and what is around them is not: a new store has it right.
    static let copyObjects = "export the store, and import the export into a new store"
    /// The store may be sound, and the model another one.
    static let otherModel = "use the model that the store was created with, or restore the store from a backup"
    /// The model inside the store; Core Data replaces it when it opens the store to write.
    static let modelCache = "name the model with --model; Core Data does not need the model inside the store"
    static let deleteObject = "delete the object, and import it again under a concrete entity"
    static let setRelationship = "set the relationship again, or delete the object"
    static let setOrder = "set the ordered relationship again"
    static let deleteHistory = "delete the persistent history up to this transaction"

    /// A value that the model does not allow.
    static func setValue(isOptional: Bool) -> String {
        isOptional ? "set a value that the model allows, or no value" : "set a value that the model allows"
    }
}
