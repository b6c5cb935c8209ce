/// The model's knowledge about a source's columns and members.
package struct ReaderHints {
    package let judge: (any FieldTypeCheck)?
    package let guide: (any MemberGuide)?

    package init(judge: (any FieldTypeCheck)? = nil, guide: (any MemberGuide)? = nil) {
        self.judge = judge
        self.guide = guide
    }
}
