package import GranarySQLite

/// Counts the values that were converted from another storage class than that of their attribute.
package final class ConvertedValues {
    /// The converted values of one storage class in one property.
    package struct Group {
        /// The index of the concrete entity.
        package let entity: Int
        package let property: String
        package let storageClass: StorageClass
        /// The key of the first object.
        package let firstKey: Int64
        package fileprivate(set) var count: Int
    }

    private struct Place: Hashable {
        let entity: Int
        let property: String
        let storageClass: StorageClass
    }

    /// The groups in the order of their first values.
    package private(set) var groups: [Group] = []
    private var indexes: [Place: Int] = [:]

    package init() {}

    func note(_ storageClass: StorageClass, property: String, entity: Int, key: Int64) {
        let place = Place(entity: entity, property: property, storageClass: storageClass)
        if let index = indexes[place] {
            groups[index].count += 1
        } else {
            indexes[place] = groups.count
            groups.append(
                Group(entity: entity, property: property, storageClass: storageClass, firstKey: key, count: 1))
        }
    }
}
