import Foundation

/// The names of months and weekdays and of AM and PM in one language, for parsing dates.
///
/// Each list has the locale's format and stand-alone forms, with and without the dot of an abbreviation.
struct DateNames: Sendable, Hashable {
    private let shortMonths: [[String]]
    private let longMonths: [[String]]
    private let shortWeekdays: [[String]]
    private let longWeekdays: [[String]]
    /// The names of AM and PM, in this order.
    let periods: [[String]]

    init(_ locale: Locale?) {
        guard let locale else {
            self = Self.english
            return
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.locale = locale
        self.init(
            shortMonths: [calendar.shortMonthSymbols, calendar.shortStandaloneMonthSymbols],
            longMonths: [calendar.monthSymbols, calendar.standaloneMonthSymbols],
            shortWeekdays: [calendar.shortWeekdaySymbols, calendar.shortStandaloneWeekdaySymbols],
            longWeekdays: [calendar.weekdaySymbols, calendar.standaloneWeekdaySymbols],
            periods: [[calendar.amSymbol, calendar.pmSymbol], ["AM", "PM"]])
    }

    private init(
        shortMonths: [[String]], longMonths: [[String]], shortWeekdays: [[String]], longWeekdays: [[String]],
        periods: [[String]]
    ) {
        func forms(_ lists: [[String]], _ count: Int) -> [[String]] {
            (0..<count).map { index in
                var forms: [String] = []
                for list in lists where list.indices.contains(index) {
                    for form in [list[index], Self.withoutDot(list[index])] where !form.isEmpty && !forms.contains(form)
                    {
                        forms.append(form)
                    }
                }
                return forms
            }
        }
        self.shortMonths = forms(shortMonths, 12)
        self.longMonths = forms(longMonths, 12)
        self.shortWeekdays = forms(shortWeekdays, 7)
        self.longWeekdays = forms(longWeekdays, 7)
        self.periods = forms(periods, 2)
    }

    private static let english = DateNames(
        shortMonths: [
            ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
            ["", "", "", "", "", "", "", "", "Sept", "", "", ""],
        ],
        longMonths: [
            [
                "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December",
            ]
        ],
        shortWeekdays: [["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]],
        longWeekdays: [["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]],
        periods: [["AM", "PM"], ["a.m.", "p.m."]])

    /// The names of the months, January first.
    func months(short: Bool) -> [[String]] { short ? shortMonths : longMonths }

    /// The names of the weekdays, Sunday first.
    func weekdays(short: Bool) -> [[String]] { short ? shortWeekdays : longWeekdays }

    private static func withoutDot(_ name: String) -> String { name.hasSuffix(".") ? String(name.dropLast()) : name }
}
