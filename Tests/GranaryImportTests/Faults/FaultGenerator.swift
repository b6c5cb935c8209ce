import TestSupport

/// Makes good rows: hostile values, NULL, forward and backward references, references to themselves.
struct FaultGenerator {
    private let columns: [FaultColumn]
    private var random: SeededGenerator
    /// Cells that many rows share, by column: to read each one slowly takes too long.
    private var pools: [[FaultCell]] = []

    init(_ columns: [FaultColumn], seed: UInt64) {
        self.columns = columns
        random = SeededGenerator(seed: seed)
        for column in columns { pools.append(Self.pool(column, &random)) }
    }

    private static func pool(_ column: FaultColumn, _ random: inout SeededGenerator) -> [FaultCell] {
        var cells: [FaultCell] = []
        for text in FaultTexts.values(column, &random) {
            let isQuoted = text.isEmpty || Int.random(in: 0..<4, using: &random) == 0
            cells.append(FaultCell(column, text, isQuoted: isQuoted))
        }
        if !column.isRequired {
            for _ in 0...cells.count / 6 { cells.append(FaultCell(column, "", isQuoted: false)) }
        }
        return cells
    }

    /// - Parameters:
    ///   - isDamaged: for each row whether it will be; others mostly refer to rows that stay.
    ///   - known: codes of objects that there are already, to refer to.
    mutating func rows(isDamaged: [Bool], known: [[UInt8]] = []) -> [FaultRow] {
        var codes: [[UInt8]] = []
        for index in isDamaged.indices { codes.append(code(index)) }
        let good = codes.indices.filter { !isDamaged[$0] }.map { codes[$0] } + known
        var badges = FaultModel.badges.shuffled(using: &random)[...]
        var rows: [FaultRow] = []
        for index in codes.indices {
            var cells: [FaultCell] = []
            for (place, column) in columns.enumerated() {
                switch column {
                case .code:
                    cells.append(FaultCell(column, codes[index], isQuoted: Int.random(in: 0..<3, using: &random) == 0))
                case .parent: cells.append(parent(of: codes[index], codes, good))
                case .badge:
                    let hasOne = Int.random(in: 0..<8, using: &random) == 0
                    let badge = hasOne ? badges.popFirst() : nil
                    cells.append(FaultCell(column, badge.map { "\($0)" } ?? "", isQuoted: false))
                default:
                    let count = pools[place].count
                    cells.append(pools[place][Int.random(in: 0..<count, using: &random)])
                }
            }
            rows.append(FaultRow(cells: cells))
        }
        return rows
    }

    /// What looks like a number, a formula or nothing is a key like any other.
    private mutating func code(_ index: Int) -> [UInt8] {
        let beginnings = ["0", "k", "\u{E9}", "e\u{301}", "NA", "-", "😀", " ", "\"", "k;", "=", "x,"]
        return Array((beginnings.randomElement(using: &random) ?? "k").utf8) + Array("\(index + 1)".utf8)
    }

    private mutating func parent(of code: [UInt8], _ codes: [[UInt8]], _ good: [[UInt8]]) -> FaultCell {
        let text: [UInt8]
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4: text = good.randomElement(using: &random) ?? []
        case 4: text = codes.randomElement(using: &random) ?? []
        case 5: text = code
        default: text = []
        }
        return FaultCell(.parent, text, isQuoted: false)
    }
}
