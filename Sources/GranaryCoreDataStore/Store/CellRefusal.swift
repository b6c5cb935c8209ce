/// The reason why a cell cannot become a parameter.
enum CellRefusal: Error {
    /// A Decimal that the column would round.
    case rounded(String)
    case notFinite(Double)
}
