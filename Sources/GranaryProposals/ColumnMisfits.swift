import GranaryBase

/// The few values of a column that keep it from being a column of numbers or dates.
struct ColumnMisfits {
    /// The values that are not of one type.
    struct Misfit {
        var count = 0
        /// The first of them, and its line.
        var first = ""
        var line = 0
    }

    private var numbers = Misfit()
    private var dates = Misfit()
    private var values = 0

    /// With more misfits than this, the column has another type.
    private static let limit = 10
    /// The least number of values for each misfit.
    private static let share = 20

    /// - Parameters:
    ///   - isNumber: whether a value is a number, tested only as long as the column may have numbers.
    ///   - isDate: the same for dates.
    mutating func add(
        _ bytes: UnsafeBufferPointer<UInt8>, line: Int, isNumber: (UnsafeBufferPointer<UInt8>) -> Bool,
        isDate: (UnsafeBufferPointer<UInt8>) -> Bool
    ) {
        values += 1
        func note(_ misfit: inout Misfit, _ fits: (UnsafeBufferPointer<UInt8>) -> Bool) {
            guard misfit.count <= Self.limit, !fits(bytes) else { return }
            misfit.count += 1
            guard misfit.count == 1 else { return }
            misfit.first = Diagnostic.shortened(String(decoding: bytes.prefix(200), as: UTF8.self))
            misfit.line = line
        }
        note(&numbers, isNumber)
        note(&dates, isDate)
    }

    /// `1 of 302 values is not a number: "12.50.1 €" in line 17`; nil if no type fits nearly all values.
    var text: String? {
        for (misfit, type) in [(numbers, "number"), (dates, "date")]
        where (1...Self.limit).contains(misfit.count) && misfit.count * Self.share <= values {
            return "\(misfit.count) of \(CountText.grouped(values)) values \(misfit.count == 1 ? "is" : "are") not a "
                + "\(type): \(misfit.count == 1 ? "" : "the first is ")\"\(misfit.first)\" in line \(misfit.line)"
        }
        return nil
    }
}
