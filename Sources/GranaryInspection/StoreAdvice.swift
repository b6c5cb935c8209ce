import GranaryCoordination
import GranaryCoreDataStore

/// The ways to repair a store, in the words that findings use.
enum StoreAdvice {
    /// The file itself is damaged.
    static let recover = "restore a backup, or recover the file with sqlite3's .recover"
    /// Data is lost and the store has no copy of it.
    static let restore = "restore the store from a backup"
    /// The objects are intact but tables or bookkeeping are not; a new store repairs both.
    static let copyObjects = "export the store, and import the export into a new store"
    /// The store may be intact but belong to another model.
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
