import Testing

@testable import GranaryProposals

struct ProposedNamesTests {
    @Test(arguments: [
        ("name", "name"), ("Full name", "fullName"), ("elevation_ft", "elevationFt"), ("IATA", "iata"),
        ("fullName", "fullName"), ("description", "descriptionValue"), ("2020", "value2020"), ("", "value"),
        ("€", "value"), ("Größe", "größe"), ("hash", "hashValue"), ("a-b.c", "aBC"), ("_id", "id"),
    ])
    func aColumnGivesAProperty(column: String, name: String) {
        #expect(ProposedNames.property(column) == name)
    }

    @Test(arguments: [
        ("airports", "Airport"), ("injuries-icd10cm", "InjuriesIcd10cm"), ("countries", "Country"),
        ("order_items", "OrderItem"), ("addresses", "Address"), ("status", "Status"), ("2020", "Record2020"),
        ("…", "Record"), ("BOOKS", "Book"), ("boxes", "Box"), ("bus", "Bus"), ("series", "Series"),
    ])
    func aFileGivesAnEntity(file: String, name: String) {
        #expect(ProposedNames.entity(file) == name)
    }

    @Test(arguments: [
        ("Airport", "airports"), ("Country", "countries"), ("Box", "boxes"), ("Day", "days"),
        ("OrderItem", "orderItems"),
    ])
    func anEntityGivesAnInverse(entity: String, name: String) {
        #expect(ProposedNames.inverse(entity) == name)
    }

    @Test func takenNamesGetANumber() {
        var taken: Set<String> = []
        let names = ["name", "Name", "name", "name2"].map { ProposedNames.free($0, &taken) }
        #expect(names == ["name", "Name2", "name3", "name22"])
    }
}
