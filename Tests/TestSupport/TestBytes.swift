public import Foundation

/// Bytes for large values. They are made by doubling: a loop over a million bytes takes a second in a debug build.
public enum TestBytes {
    /// Bytes that differ from their neighbours, and from those with another seed.
    public static func varied(_ count: Int, seed: UInt8 = 0) -> Data {
        // The length is odd, so that pages of a file differ.
        var data = Data((0..<251).map { UInt8($0) ^ seed })
        while data.count < count { data.append(data) }
        return Data(data.prefix(count))
    }
}
