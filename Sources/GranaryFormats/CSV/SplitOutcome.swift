/// The result of splitting a range.
enum SplitOutcome {
    case taken(to: Int)
    /// The offset of a mistake: a quote inside a bare field, or text after a closing quote. The splitter is then at the
    /// start of a record.
    case broken(at: Int)
}
