import Foundation

/// The input: the same rows on every machine.
enum Sample {
    static func writeModel(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let attributes = [
            ("number", "Integer 64"), ("small", "Integer 32"), ("amount", "Double"), ("share", "Double"),
            ("name", "String"), ("city", "String"), ("street", "String"), ("remark", "String"),
        ].map { "        <attribute name=\"\($0.0)\" attributeType=\"\($0.1)\"/>" }
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
                <entity name="Row">
            \(attributes.joined(separator: "\n"))
                </entity>
            </model>
            """
        try Data(text.utf8).write(to: folder.appending(path: "contents"))
    }

    /// Returns the file's size in bytes.
    static func writeRows(_ count: Int, to path: String) throws -> Int {
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        var text = "number,small,amount,share,name,city,street,remark\n"
        var size = 0
        var state: UInt64 = 42
        for row in 1...max(1, count) {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Int(truncatingIfNeeded: state >> 33)
            text +=
                "\(value),\(row),\(Double(value) / 100),0.\(value % 1_000_000 + 1)5,Name of person \(value % 99_991),"
            text +=
                "City of \(value % 977),\(value % 300) Some Street \(row),\"a remark, with a comma \(value % 7_919)\"\n"
            if text.utf8.count > 1 << 20 || row == count {
                size += text.utf8.count
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.close()
        return size
    }
}
