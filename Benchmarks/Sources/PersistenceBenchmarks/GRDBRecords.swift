import Foundation
import GRDB

// Records as GRDB's README and its own performance tests write them (InsertRecordStructTests): with coding by hand, which
// is its quicker form. They check nothing.

struct DepartmentRecord: PersistableRecord {
    static let databaseTableName = "ZDEPARTMENT"

    var id: Int64
    var name: String

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = id
        container["Z_ENT"] = 2
        container["Z_OPT"] = 1
        container["ZNAME"] = name
    }
}

struct AddressRecord: FetchableRecord, TableRecord {
    static let databaseTableName = "ZADDRESS"

    var id: Int64
    var street: String
    var postcode: Int64

    init(row: Row) {
        id = row["Z_PK"]
        street = row["ZSTREET"]
        postcode = row["ZPOSTCODE"]
    }
}

struct PersonRecord: FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZPERSON"
    static let addressOfPerson = belongsTo(AddressRecord.self, key: "address", using: ForeignKey(["ZADDRESS"]))

    var id: Int64
    var version: Int64
    var name: String
    var mail: String
    var city: String
    var number: Int64
    var level: Int64
    var salary: Double
    var hired: Date
    var isActive: Bool
    var department: Int64?
    var address: Int64?

    /// - Parameter id: the key, from 1.
    init(id: Int64, _ person: Person) {
        self.id = id
        version = 1
        name = person.name
        mail = person.mail
        city = person.city
        number = person.number
        level = person.level
        salary = person.salary
        hired = person.hired
        isActive = person.isActive
        department = Int64(person.department) + 1
        address = nil
    }

    init(row: Row) {
        id = row["Z_PK"]
        version = row["Z_OPT"]
        name = row["ZNAME"]
        mail = row["ZMAIL"]
        city = row["ZCITY"]
        number = row["ZNUMBER"]
        level = row["ZLEVEL"]
        salary = row["ZSALARY"]
        let seconds: Double = row["ZHIRED"]
        hired = Date(timeIntervalSinceReferenceDate: seconds)
        isActive = row["ZACTIVE"]
        department = row["ZDEPARTMENT"]
        address = row["ZADDRESS"]
    }

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = id
        container["Z_ENT"] = 3
        container["Z_OPT"] = version
        container["ZNAME"] = name
        container["ZMAIL"] = mail
        container["ZCITY"] = city
        container["ZNUMBER"] = number
        container["ZLEVEL"] = level
        container["ZSALARY"] = salary
        // A number as in the other files; GRDB's own form, a text, takes much longer.
        container["ZHIRED"] = hired.timeIntervalSinceReferenceDate
        container["ZACTIVE"] = isActive
        container["ZDEPARTMENT"] = department
        container["ZADDRESS"] = address
    }
}

/// What a request with `including(required:)` gives.
struct PersonWithAddress: FetchableRecord {
    var person: PersonRecord
    var address: AddressRecord

    init(row: Row) {
        person = PersonRecord(row: row)
        address = row["address"]
    }
}
