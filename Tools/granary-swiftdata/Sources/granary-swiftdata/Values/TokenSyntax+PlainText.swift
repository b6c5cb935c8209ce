import SwiftSyntax

extension TokenSyntax {
    /// The text without the backticks of an escaped name.
    var plainText: String {
        let text = self.text
        guard text.utf8.count > 2, text.utf8.first == UInt8(ascii: "`"), text.utf8.last == UInt8(ascii: "`") else {
            return text
        }
        return String(text.dropFirst().dropLast())
    }
}
