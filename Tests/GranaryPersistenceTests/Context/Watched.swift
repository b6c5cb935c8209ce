import GranaryModel
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection

/// A Person that writes down when its values come and go, and lets a test act when they come.
final class Watched: ManagedObject {
    private(set) var calls: [String] = []
    var onAwakeFromFetch: ((Watched) throws -> Void)?
    /// What the name was when the values were let go.
    private(set) var lastName: AttributeValue?

    override func awakeFromFetch() {
        calls.append("awakeFromFetch")
        try? onAwakeFromFetch?(self)
    }

    override func willTurnIntoFault() {
        calls.append("willTurnIntoFault")
        lastName = self["name"]
    }

    override func didTurnIntoFault() { calls.append("didTurnIntoFault") }

    static func container(_ factory: StoreFactory) throws -> PersistentContainer {
        try PersistentContainer(PeopleModel.model, factory, classes: ["Hooked": Watched.self])
    }
}
