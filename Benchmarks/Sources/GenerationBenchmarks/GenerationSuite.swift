import Foundation
import Measuring

/// Generation, and others that make as many objects. They take turns in each round; a ratio is that of two times of one round.
struct GenerationSuite {
    let employees: Employees

    static var isSelected: Bool { Selection.includes("granary generate") }

    static func makeTable() -> MarkdownTable {
        MarkdownTable([
            "objects made by", "objects", "seconds", "user+sys", "peak MB", "objects/s",
            "times as long as granary generate",
        ])
    }

    func run(_ table: MarkdownTable) throws {
        let libraries = PythonLibrary.all
        var generations: [Measured] = []
        var imports: [Measured] = []
        var others = [[Measured]](repeating: [], count: libraries.count)
        for round in 0..<Selection.runs {
            let generated = try employees.newStore("generated")
            generations.append(try employees.generate(generated))
            if round == 0 { try employees.export(generated) }
            let imported = try employees.newStore("imported")
            imports.append(try employees.importExported(imported))
            if round == 0 {
                // Both made the same objects.
                _ = try employees.granary(["store", "diff", generated, imported])
            }
            for (index, library) in libraries.enumerated() {
                if let measured = try library.run(employees) { others[index].append(measured) }
            }
        }
        add("granary generate", generations, employees.objects, nil, table)
        add("granary import of the same objects, CSV", imports, employees.objects, generations, table)
        for (library, found) in zip(libraries, others) {
            if found.isEmpty {
                table.add([library.title, "\(employees.rows)", "not installed (pip install \(library.distribution))"])
            } else {
                add(library.title(employees), found, employees.rows, generations, table)
            }
        }
    }

    private func add(
        _ title: String, _ found: [Measured], _ objects: Int, _ generations: [Measured]?, _ table: MarkdownTable
    ) {
        let median = Measured.median(found)
        let ratios = zip(found, generations ?? []).map { $0.seconds / $1.seconds }
        table.add(
            [title, "\(objects)"] + median.cells + [
                "\(Int(Double(objects) / max(median.seconds, 1e-9)))", Spread(ratios).description,
            ])
    }
}
