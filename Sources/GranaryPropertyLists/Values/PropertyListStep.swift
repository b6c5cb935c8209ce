/// One event of a property list and its position.
package struct PropertyListStep: Sendable {
    package let event: PropertyListEvent
    package let place: PropertyListPlace

    package init(_ event: PropertyListEvent, _ place: PropertyListPlace) {
        self.event = event
        self.place = place
    }
}
