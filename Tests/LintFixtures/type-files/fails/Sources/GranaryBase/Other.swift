extension ReaderPart: Stepping {}

let platform = Platform()
let lines = call("""
    text
    """, AfterText.self, "// no comment")
let more = ["a", BetweenTexts.self, "b"]
