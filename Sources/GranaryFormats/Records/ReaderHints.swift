/// The model's knowledge about a source's columns and members.
package struct ReaderHints {
    package let judge: (any FieldTypeCheck)?
    package let guide: (any MemberGuide)?
    /// ``ReaderAbilities/sourceVersion`` of the first reader of the source; nil if it has none.
    package let sourceVersion: String?

    package init(
        judge: (any FieldTypeCheck)? = nil, guide: (any MemberGuide)? = nil, sourceVersion: String? = nil
    ) {
        self.sourceVersion = sourceVersion
        self.judge = judge
        self.guide = guide
    }
}
