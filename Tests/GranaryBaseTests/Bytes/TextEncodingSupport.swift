import GranaryBase

extension TextEncoding {
    /// A text's bytes; nil where the encoding lacks a character.
    func bytes(of text: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        return encode(text, into: &output) ? output : nil
    }
}
