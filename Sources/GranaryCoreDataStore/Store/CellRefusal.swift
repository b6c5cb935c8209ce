/// The reason why a cell cannot become a parameter.
enum CellRefusal: Error {
    /// A Decimal that the column would round.
    case rounded(String)
    case notFinite(Double)
    /// A text that is no case of the enumeration.
    case unknownCase(String)
}
