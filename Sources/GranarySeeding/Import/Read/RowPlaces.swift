import GranaryBase
import GranaryPersistence

/// Which object a key means: keys count over a hierarchy of entities.
struct RowID: Hashable {
    let root: Int
    let key: Int64
}

/// Which record each row of an import came from: eight bytes a row, since an import has as many as its files.
struct RowPlaces {
    private struct Place {
        var line: UInt32
        var record: UInt32
    }

    /// The rows of one hierarchy in order of their keys, as far as keys were given one after the other.
    private struct Run {
        let first: Int64
        let file: Int32
        var places: [Place] = []

        /// The key behind the last one.
        var next: Int64 { first &+ Int64(places.count) }
    }

    /// By the root entity's index.
    private var runs: [[Run]] = []
    /// Rows whose keys their `$id` gave.
    private var asked: [RowID: (file: Int32, place: Place)] = [:]

    mutating func note(_ id: RowID, file: Int32, line: Int, record: Int) {
        let place = Place(line: UInt32(clamping: line), record: UInt32(clamping: record))
        while runs.count <= id.root { runs.append([]) }
        // Numbers only: a run that is held while it grows would be copied.
        let count = runs[id.root].count
        let next = count == 0 ? nil : runs[id.root][count - 1].next
        if next == id.key, runs[id.root][count - 1].file == file {
            runs[id.root][count - 1].places.append(place)
        } else if next ?? 0 <= id.key, count < Self.runLimit {
            runs[id.root].append(Run(first: id.key, file: file, places: [place]))
        } else {
            asked[id] = (file, place)
        }
    }

    /// More runs than this would make keys with gaps cost more than a dictionary does.
    private static let runLimit = 4096

    /// The file, line and record of a row of this import; nil for an object that the store had before.
    subscript(id: RowID) -> (file: Int32, line: Int, record: Int)? {
        if !asked.isEmpty, let (file, place) = asked[id] { return (file, Int(place.line), Int(place.record)) }
        guard self.runs.indices.contains(id.root) else { return nil }
        let runs = self.runs[id.root]
        // The last run that does not begin behind the key.
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].first <= id.key { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let run = runs[low - 1]
        let index = id.key - run.first
        guard index < Int64(run.places.count) else { return nil }
        let place = run.places[Int(index)]
        return (run.file, Int(place.line), Int(place.record))
    }

    func position(_ id: RowID, files: [String]) -> SourcePosition? {
        self[id].map { place in
            SourcePosition(
                file: files.indices.contains(Int(place.file)) ? files[Int(place.file)] : "", line: place.line,
                column: 1, record: place.record)
        }
    }
}
