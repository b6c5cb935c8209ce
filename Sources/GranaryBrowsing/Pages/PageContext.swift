import GranaryBase
import GranaryCoordination
import GranaryModel

/// What all pages need.
struct PageContext {
    /// The name of the store in titles.
    let name: String
    let store: any StoreBackend
    let zone: ReaderZone
    /// The address of the page, without the zone.
    let address: PageAddress

    var schema: Schema { store.schema }
    var values: ValueMarkup { ValueMarkup(zone: zone) }

    /// The address with the zone that the reader chose.
    func carried(_ address: PageAddress) -> PageAddress {
        zone.isChosen ? address.with("zone", zone.name) : address
    }

    /// A link.
    ///
    /// - Parameter html: its text as HTML.
    func link(_ address: PageAddress, _ html: String, attributes: String = "") -> String {
        "<a href=\"\(carried(address).attribute)\"\(attributes.isEmpty ? "" : " " + attributes)>\(html)</a>"
    }

    func entityAddress(_ entity: Schema.Entity) -> PageAddress { PageAddress("/entity", [("entity", entity.name)]) }

    func objectAddress(_ place: ObjectPlace) -> PageAddress {
        PageAddress("/object", [("entity", schema.entities[place.entity].name), ("key", "\(place.key)")])
    }

    func valueAddress(_ place: ObjectPlace, _ attribute: Schema.Attribute) -> PageAddress {
        var address = objectAddress(place).with("attribute", attribute.name)
        address.path = "/value"
        return address
    }

    /// A link to an object, with its label.
    func objectLink(_ place: ObjectPlace, _ labels: ObjectLabels) -> String {
        guard let label = labels[place] else {
            return "<span class=\"bad\">\(MarkupText.escaped(objectName(place))) is missing</span>"
        }
        return link(objectAddress(place), ValueMarkup.isolated(label), attributes: "title=\"\(titleText(place))\"")
    }

    func objectName(_ place: ObjectPlace) -> String { schema.objectName(entity: place.entity, key: place.key) }

    private func titleText(_ place: ObjectPlace) -> String { MarkupText.escaped(objectName(place)) }

    // MARK: - Parts of addresses

    /// The entity that the address names.
    ///
    /// - Throws: ``PageError`` with status 404 for an unknown entity.
    func entity() throws(PageError) -> Schema.Entity {
        guard let name = address["entity"], let entity = schema.entity(named: name) else {
            throw PageError(404, "The store has no such entity.")
        }
        return entity
    }

    /// The object that the address names.
    ///
    /// - Throws: ``PageError`` with status 404 for an unknown entity or no key.
    func object() throws(PageError) -> ObjectPlace {
        let entity = try entity()
        guard let key = address["key"].flatMap({ Int64($0) }) else { throw PageError(404, "The address has no key.") }
        return ObjectPlace(entity: entity.index, key: key)
    }

    /// Passes the row of an object to `body`.
    ///
    /// - Throws: ``PageError`` with status 404 if there is no such object of the entity or its subentities.
    func withRow<Result>(
        _ place: ObjectPlace, _ body: (borrowing RowBatch, _ row: Int, _ place: ObjectPlace) throws -> Result
    ) throws -> Result {
        let entity = schema.entities[place.entity]
        let batch = try store.read(root: entity.root, keys: [place.key])
        guard
            let row = batch.rows.firstIndex(where: {
                $0.key == place.key && entity.family.contains(Int($0.entity))
            })
        else { throw PageError(404, "There is no object \(objectName(place)).") }
        return try body(batch, row, ObjectPlace(entity: Int(batch.rows[row].entity), key: place.key))
    }
}
