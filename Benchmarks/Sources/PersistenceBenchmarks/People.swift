import CFloor
import Foundation

/// One object of the input.
struct Person {
    let name: String
    let mail: String
    let city: String
    let number: Int64
    let level: Int64
    let salary: Double
    let hired: Date
    let isActive: Bool
    /// From 0.
    let department: Int
}

/// The input: the same objects on every machine, ready for Swift and for C.
final class People {
    static let departmentCount = 1000

    let all: [Person]
    /// The same for the C loop; the texts live as long as this object.
    let rows: [floor_person]
    private let texts: [UnsafeMutablePointer<CChar>?]

    init(count: Int) {
        let all = Self.make(count)
        var texts: [UnsafeMutablePointer<CChar>?] = []
        func lasting(_ text: String) -> UnsafePointer<CChar>? {
            let bytes = strdup(text)
            texts.append(bytes)
            return UnsafePointer(bytes)
        }
        var rows: [floor_person] = []
        for person in all {
            rows.append(
                floor_person(
                    name: lasting(person.name), mail: lasting(person.mail), city: lasting(person.city),
                    number: person.number, level: person.level, salary: person.salary,
                    hired: person.hired.timeIntervalSinceReferenceDate, is_active: person.isActive ? 1 : 0,
                    department: Int64(person.department)))
        }
        self.all = all
        self.rows = rows
        self.texts = texts
    }

    deinit { texts.forEach { free($0) } }

    private static func make(_ count: Int) -> [Person] {
        var state: UInt64 = 42
        return (0..<count).map { index in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Int(truncatingIfNeeded: state >> 33)
            return Person(
                name: "Name of person \(value % 99_991)", mail: "person.\(index)@mail\(value % 97).example",
                city: "City of \(value % 977)", number: Int64(index), level: Int64(value % 100 + 1),
                salary: Double(20_000 + value % 7_000_000) / 100,
                hired: Date(timeIntervalSinceReferenceDate: Double(value % 600_000_000) + 0.25),
                isActive: value % 3 != 0, department: value % departmentCount)
        }
    }
}
