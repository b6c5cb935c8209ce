import GranaryCoordination
import GranaryModel

extension ManagedObject {
    func unloadExclusiveLinks() {
        for link in layout.relationships where link.isExclusive { values[link.slot] = .toMany(nil) }
    }
}
