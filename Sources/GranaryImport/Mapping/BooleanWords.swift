import GranaryBase

/// The words for true and false of a column, compared byte by byte.
struct BooleanWords: Sendable {
    let trueTexts: [[UInt8]]
    let falseTexts: [[UInt8]]

    init(_ trueTexts: [String], _ falseTexts: [String]) {
        self.trueTexts = trueTexts.map { Array($0.utf8) }
        self.falseTexts = falseTexts.map { Array($0.utf8) }
    }

    /// A word that is in both lists; nil if there is none.
    var contradiction: String? {
        falseTexts.first { trueTexts.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
    }

    func value(of text: UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Bool {
        for word in trueTexts where word.elementsEqual(text) { return true }
        for word in falseTexts where word.elementsEqual(text) { return false }
        throw .syntax(reason)
    }

    /// `neither "ja" (true) nor "nein" (false)`.
    private var reason: String {
        switch (list(trueTexts, "true"), list(falseTexts, "false")) {
        case (let truths?, let falsehoods?): "neither \(truths) nor \(falsehoods)"
        case (let words, let others): "not \(words ?? others ?? "a word")"
        }
    }

    /// `"ja" (true) or "nein" (false)`.
    var phrase: String {
        [list(trueTexts, "true"), list(falseTexts, "false")].compactMap { $0 }.joined(separator: " or ")
    }

    private func list(_ words: [[UInt8]], _ meaning: String) -> String? {
        words.isEmpty ? nil : AllowedTexts.list(words.map { String(decoding: $0, as: UTF8.self) }) + " (\(meaning))"
    }
}
