/// Places of the boxes and links of a diagram, in pixels.
struct DiagramLayout {
    struct Frame {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        var right: Double { x + width }
        var bottom: Double { y + height }
    }

    /// A link as horizontal lines at the ends and through the columns between them, and curves from one to the next.
    struct Path {
        let link: Int
        var points: [Point]
        /// Whether it leads from a box to itself.
        var isLoop = false
        /// Whether the first point is at ``Diagram/Link/from``.
        var startsAtFrom = true
    }

    struct Point {
        var x: Double
        var y: Double
    }

    private(set) var frames: [Frame]
    private(set) var paths: [Path] = []
    private(set) var width = 0.0
    private(set) var height = 0.0
    let shapes: [BoxShape]

    static let margin = 24.0
    static let boxGap = 26.0
    /// The space between columns, in which links change their height.
    static let columnGap = 84.0
    /// How much wider than high a diagram is meant to be.
    static let aspect = 1.8

    init(_ diagram: Diagram) {
        shapes = diagram.boxes.map(BoxShape.init)
        frames = shapes.map { Frame(x: 0, y: 0, width: $0.width, height: $0.height) }
        let parts = DiagramParts(diagram)
        var blocks: [ComponentLayout] = []
        for part in parts.components { blocks.append(ComponentLayout(part, diagram, shapes)) }
        blocks.sort { ($1.width * $1.height, $0.first) < ($0.width * $0.height, $1.first) }
        let wanted = max(
            blocks.map(\.width).max() ?? 0, 900,
            (blocks.reduce(0) { $0 + $1.width * $1.height } * Self.aspect).squareRoot())
        var shelf = Shelf(width: wanted, gap: Self.columnGap / 2)
        for block in blocks {
            let place = shelf.place(block.width, block.height)
            add(block, at: place)
        }
        shelf.nextRow()
        for orphan in parts.orphans {
            let place = shelf.place(frames[orphan].width, frames[orphan].height)
            (frames[orphan].x, frames[orphan].y) = (place.x, place.y)
        }
        width = (frames.map(\.right) + paths.flatMap { $0.points.map(\.x) }).max().map { $0 + Self.margin } ?? 0
        height = ((frames.map(\.bottom) + paths.flatMap { $0.points.map(\.y) }).max() ?? 0) + Self.margin
    }

    private mutating func add(_ block: ComponentLayout, at place: Point) {
        for (box, frame) in block.frames {
            frames[box] = frame
            frames[box].x += place.x
            frames[box].y += place.y
        }
        for var path in block.paths {
            path.points = path.points.map { Point(x: $0.x + place.x, y: $0.y + place.y) }
            paths.append(path)
        }
    }

    /// Places rectangles in rows from left to right.
    private struct Shelf {
        let width: Double
        let gap: Double
        private var next = Point(x: DiagramLayout.margin, y: DiagramLayout.margin)
        private var rowHeight = 0.0

        init(width: Double, gap: Double) {
            self.width = width
            self.gap = gap
        }

        mutating func place(_ itemWidth: Double, _ itemHeight: Double) -> Point {
            if next.x > DiagramLayout.margin, next.x + itemWidth > DiagramLayout.margin + width { nextRow() }
            let place = next
            next.x += itemWidth + gap
            rowHeight = max(rowHeight, itemHeight)
            return place
        }

        mutating func nextRow() {
            guard rowHeight > 0 else { return }
            next = Point(x: DiagramLayout.margin, y: next.y + rowHeight + gap)
            rowHeight = 0
        }
    }
}
