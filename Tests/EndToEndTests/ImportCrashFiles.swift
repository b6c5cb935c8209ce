import Foundation
import Granary

/// What ``ImportCrashTests`` import: a plan that fills a store, and one that changes what is in it.
///
/// The second updates rows and adds new ones, prunes tags, links items to others, and rejects every hundredth item.
enum ImportCrashFiles {
    static let itemCount = 1_500
    /// Items that the second plan has.
    static let itemCountAfter = 2_000

    /// Writes `Model.json`, the plans `before.yaml` and `after.yaml`, and their files.
    static func write(to folder: URL) throws {
        try model.write(to: folder.appending(path: "Model.json"))
        func write(_ text: String, _ name: String) throws {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        try write("name\n" + (0..<20).map { "Box \($0)\n" }.joined(), "boxes.csv")
        try write("name,rank\n" + (0..<200).map { "Tag \($0),\($0)\n" }.joined(), "tags-before.csv")
        try write("name,rank\n" + (50..<250).map { "Tag \($0),\($0 % 7)\n" }.joined(), "tags-after.csv")
        try write(items(0..<itemCount, round: 0), "items-before.csv")
        try write(items(0..<itemCountAfter, round: 1), "items-after.csv")
        try write(links(0..<itemCount) { $0 % 200 }, "links-before.csv")
        try write(links(0..<itemCountAfter) { 50 + $0 * 7 % 200 }, "links-after.csv")
        try write(plan("before", prunes: false), "before.yaml")
        try write(plan("after", prunes: true) + "mode: keep-good\nrejects: bad.csv\n", "after.yaml")
    }

    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Box", [.attribute("name", .string, .required), .toMany("items", "Item", inverse: "box")],
            unique: [["name"]]),
        EntityDescription(
            "Item",
            [
                .attribute("code", .string, .required), .attribute("title", .string, .required),
                .attribute("amount", .integer32), .toOne("box", "Box", inverse: "items"),
                .toMany("tags", "Tag", inverse: "items"),
            ], unique: [["code"]]),
        EntityDescription(
            "Tag",
            [
                .attribute("name", .string, .required), .attribute("rank", .integer16),
                .toMany("items", "Item", inverse: "tags"),
            ], unique: [["name"]]),
    ])

    private static func plan(_ name: String, prunes: Bool) -> String {
        """
        model: Model.json
        store: Seed.sqlite
        defaults: {on-conflict: update}
        imports:
          - {entity: Item, file: items-\(name).csv, lookup: {box: name}}
          - {entity: Item, file: links-\(name).csv, links: tags, lookup: {tags: name}}
          - {entity: Tag, file: tags-\(name).csv, prune: \(prunes), max-prune: 100%}
          - {entity: Box, file: boxes.csv}

        """
    }

    /// A long title makes the pages many.
    private static func items(_ range: Range<Int>, round: Int) -> String {
        let padding = String(repeating: "t", count: 300)
        var text = "code,title,amount,box\n"
        for index in range {
            let version = index % 3 == 0 ? round : 0
            let amount = round > 0 && index % 100 == 99 ? "x" : "\(index)"
            let box = index % (20 - round)
            text += "I\(100_000 + index),Title \(index) of round \(version) \(padding),\(amount),Box \(box)\n"
        }
        return text
    }

    private static func links(_ range: Range<Int>, tag: (Int) -> Int) -> String {
        "code,tags\n" + range.map { "I\(100_000 + $0),Tag \(tag($0))\n" }.joined()
    }
}
