package import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
package import GranaryPredicates

/// A Person that writes down when its values come and go, and lets a test act when they come.
package final class Watched: ManagedObject {
    package private(set) var calls: [String] = []
    package var onAwakeFromFetch: ((Watched) throws -> Void)?
    /// What the name was when the values were let go.
    package private(set) var lastName: AttributeValue?

    package override func awakeFromFetch() {
        calls.append("awakeFromFetch")
        try? onAwakeFromFetch?(self)
    }

    package override func willTurnIntoFault() {
        calls.append("willTurnIntoFault")
        lastName = self["name"]
    }

    package override func didTurnIntoFault() { calls.append("didTurnIntoFault") }

    package static func container(_ factory: StoreFactory) throws -> PersistentContainer {
        try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Watched.self])
    }
}
