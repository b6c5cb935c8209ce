/// A value of a model as text, for writing.
indirect enum ModelTextNode {
    /// Text, in quotes if it needs them.
    case text(String)
    /// A number, `true`, `false` or `null`.
    case plain(String)
    case list([ModelTextNode])
    case mapping([Member], isBlock: Bool)

    struct Member {
        let key: String
        let value: ModelTextNode
        /// A comment after the value; YAML only.
        var comment: String?

        init(_ key: String, _ value: ModelTextNode, comment: String? = nil) {
            self.key = key
            self.value = value
            self.comment = comment
        }
    }

    static func flag(_ flag: Bool) -> Self { .plain(flag ? "true" : "false") }

    static func texts(_ texts: [String]) -> Self { .list(texts.map { .text($0) }) }

    /// A mapping on one line.
    static func flow(_ members: [Member]) -> Self { .mapping(members, isBlock: false) }

    /// A mapping with a line for each member.
    static func block(_ members: [Member]) -> Self { .mapping(members, isBlock: true) }
}
