#if PostgreSQL
    /// The reason why a cell cannot be a value of its column. It is found before the row is sent.
    enum CellRefusal: Error {
        case notFinite(Double)
        /// A number that the column would round.
        case rounded(String)
        /// A number outside the range of the column.
        case outOfRange(String, SQLType)
        case nullCharacter
        case invalidText
        /// A text or binary data that is larger than a value of PostgreSQL.
        case tooLarge
        case wrongType
    }
#endif
