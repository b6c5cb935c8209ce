import Foundation
import Granary

/// An object of the entity Person. What it does, employees and customers inherit.
class PersonMO: _PersonMO {
    override class var importsInBulk: Bool { true }

    /// The whole name: the attribute ``name``, which a person of one name has, or else the first and the last name.
    var fullName: String { name ?? [firstName, lastName].compactMap { $0 }.joined(separator: " ") }

    /// The name in lists that are sorted by it.
    var sortName: String {
        guard let lastName else { return fullName }
        return firstName.map { "\(lastName), \($0)" } ?? lastName
    }

    /// Returns the age in whole years, in UTC; nil without a birthday.
    func age(on date: Date) -> Int? {
        guard let birthday, let utc = TimeZone(secondsFromGMT: 0) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = utc
        return calendar.dateComponents([.year], from: birthday, to: date).year
    }
}
