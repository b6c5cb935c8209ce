import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// The objects of an entity: a table, page by page, with a filter, an order and chosen columns.
struct EntityPage {
    /// The number of objects of a page.
    static let size = 50
    /// The number of scalars of a text in a cell.
    private static let textLength = 80
    /// How long the objects of a condition are counted.
    private static let countTime = Duration.milliseconds(40)

    private let context: PageContext
    private let entity: Schema.Entity

    private init(_ context: PageContext, _ entity: Schema.Entity) {
        self.context = context
        self.entity = entity
    }

    static func make(_ context: PageContext) throws -> SitePage {
        let entity = try context.entity()
        return try EntityPage(context, entity).make()
    }

    private func make() throws -> SitePage {
        var page = SitePage(entity.name)
        let query: ListQuery
        do throws(GranaryError) {
            query = try ListQuery(context.address, entity: entity, of: context.store)
        } catch {
            page.status = 400
            page.add(form(nil, problem: error))
            return page
        }
        page.add(links(query))
        page.add(form(query, problem: nil))
        do {
            try addRows(query, to: &page)
        } catch let error as GranaryError where error.code == .usage {
            page.status = 400
            page.add("<pre class=\"message\">\(MarkupText.escapedLines(error.message))</pre>\n")
        }
        return page
    }

    // MARK: - The form

    /// The filter and the columns.
    private func form(_ query: ListQuery?, problem: GranaryError?) -> String {
        let address = context.address
        let kept = context.carried(address.without("where", "column", "after")).items
        // The columns are shown beside a wrong condition, too.
        let columns = query?.columns ?? (try? ListColumns(of: entity, choosing: address.all("column")))
        let names = columns?.shown.map(\.name) ?? []
        let field =
            "<label for=\"where\">Condition, as <code>granary query --where</code> takes it</label><br>"
            + "<input class=\"wide\" type=\"text\" id=\"where\" name=\"where\" maxlength=\"4000\" "
            + "value=\"\(MarkupText.escaped(address["where"] ?? ""))\""
            + (problem == nil ? "" : " aria-invalid=\"true\" aria-describedby=\"problem\"") + "> <button>Show</button>"
        let message =
            problem.map { "<pre class=\"message\" id=\"problem\">\(MarkupText.escapedLines($0.message))</pre>" } ?? ""
        let all = columns?.all ?? []
        let boxes = all.prefix(500).map { column in
            "<label class=\"choice\"><input type=\"checkbox\" name=\"column\" value=\"\(MarkupText.escaped(column.name))\""
                + (names.contains(column.name) ? " checked" : "") + "> \(ValueMarkup.isolated(column.name))</label>"
        }
        let choice =
            all.isEmpty
            ? ""
            : "<details><summary>Columns</summary><fieldset><legend>Shown columns, at most \(ListColumns.limit)</legend>"
                + boxes.joined(separator: "\n") + "</fieldset></details>"
        return "<form method=\"get\" action=\"/entity\">\(SitePage.hidden(kept))\(field)\(message)\n\(choice)</form>\n"
    }

    /// Links to what else is known about the entity and the list.
    private func links(_ query: ListQuery) -> String {
        var download = context.address.without("after", "column")
        download.path = "/download"
        // The columns that are seen, also if nobody chose them.
        download.items += query.columns.shown.map { PageAddress.Item(name: "column", value: $0.name) }
        var parts = [
            context.link(download.with("format", "csv"), "CSV"), context.link(download.with("format", "json"), "JSON"),
            context.link(PageAddress("/diagram", [("around", entity.name)]), "Diagram around it"),
        ]
        if let superentity = entity.superentity {
            let other = context.schema.entities[superentity]
            parts.append("is a kind of " + context.link(context.entityAddress(other), ValueMarkup.isolated(other.name)))
        }
        var text = "<p>" + parts.joined(separator: " · ") + "</p>\n"
        if let link = query.link {
            var labels = ObjectLabels(context.store, zone: context.zone)
            try? labels.load([link.destination])
            text +=
                "<p>Objects whose \(ValueMarkup.isolated(link.relationship.name)) "
                + "\(link.relationship.isToMany ? "contains" : "is") \(context.objectLink(link.destination, labels)) · "
                + context.link(context.address.without("via", "of", "to", "after"), "all objects") + "</p>\n"
        }
        return text
    }

    // MARK: - The table

    /// The cells of an object, before the labels of the objects that it refers to are known.
    private struct Row {
        let place: ObjectPlace
        var cells: [Cell]

        enum Cell {
            case html(SiteTable.Cell)
            case reference(ObjectPlace)
        }
    }

    private func addRows(_ query: ListQuery, to page: inout SitePage) throws {
        var rows: [Row] = []
        var hasMore = false
        try KeysetPager(query, of: context.store).read(after: query.after, limit: Self.size + 1) { batch, row in
            guard rows.count < Self.size else {
                hasMore = true
                return false
            }
            rows.append(cells(batch, row, query))
            return true
        }
        var labels = ObjectLabels(context.store, zone: context.zone)
        try labels.load(
            rows.flatMap { row in row.cells.compactMap { if case .reference(let place) = $0 { place } else { nil } } })
        var table = SiteTable(try caption(query, rows.count, hasMore), headers: headers(query))
        for row in rows {
            let name = context.objectName(row.place)
            let first = SiteTable.Cell(
                html: context.link(context.objectAddress(row.place), ValueMarkup.isolated(name)), isLine: true)
            let cells = row.cells.map { cell in
                switch cell {
                case .html(let cell): cell
                case .reference(let place): SiteTable.Cell(html: context.objectLink(place, labels))
                }
            }
            // Of at least one row, so that each page leads on.
            guard table.add([first] + cells) else { break }
        }
        page.add(table.html)
        page.add(pages(query, table.count, rows, hasMore || table.count < rows.count))
    }

    private func cells(_ batch: borrowing RowBatch, _ row: Int, _ query: ListQuery) -> Row {
        let place = ObjectPlace(entity: Int(batch.rows[row].entity), key: batch.rows[row].key)
        var cells: [Row.Cell] = []
        for column in query.columns.shown {
            switch column {
            case .attribute(let attribute):
                let value = ShownValue(batch, row: row, of: attribute, limit: Self.textLength)
                let address = context.valueAddress(place, attribute)
                cells.append(
                    .html(
                        .init(
                            html: context.values.cell(value, attribute, address), isNumber: attribute.isNumber,
                            isLine: attribute.type == .date)))
            case .relationship(let relationship) where relationship.isToMany:
                cells.append(.html(.init(html: toMany(relationship, of: place))))
            case .relationship(let relationship):
                switch batch[row, relationship.slot] {
                case .reference(let key, let entity):
                    cells.append(.reference(ObjectPlace(entity: Int(entity), key: key)))
                case .null: cells.append(.html(.init(html: ValueMarkup.null)))
                default: cells.append(.html(.init(html: ValueMarkup.unreadable("not a reference"))))
                }
            }
        }
        return Row(place: place, cells: cells)
    }

    /// A link to the objects of a to-many relationship. They are not counted: an object can have a million.
    private func toMany(_ relationship: Schema.Relationship, of place: ObjectPlace) -> String {
        context.link(
            LinksPage.address(relationship, of: place, context), "\(ValueMarkup.isolated(relationship.name)) →")
    }

    private func caption(_ query: ListQuery, _ shown: Int, _ hasMore: Bool) throws -> String {
        let isFirst = query.after == nil
        if isFirst, !hasMore { return CountText.count(shown, "object") }
        let search = StoreSearch(entities: entity.family, predicate: query.resolved)
        // A condition can take long, and the page shows its objects already.
        let count =
            query.resolved == nil
            ? try BoundedCount(search, of: context.store)
            : try BoundedCount(search, of: context.store, within: Self.countTime)
        return "\(CountText.count(shown, "object")) of \(count.text)"
    }

    private func headers(_ query: ListQuery) -> [SiteTable.Cell] {
        [.init(html: "Object")]
            + query.columns.shown.map { column in
                let name = ValueMarkup.isolated(column.name)
                guard case .attribute(let attribute) = column else {
                    return .init(html: "\(name) \(facets(column.name))")
                }
                guard attribute.canSort else { return .init(html: name) }
                return .init(
                    html: sortLink(attribute, query) + " " + facets(attribute.name), isNumber: attribute.isNumber)
            }
    }

    private func sortLink(_ attribute: Schema.Attribute, _ query: ListQuery) -> String {
        let current = query.order.first { $0.keyPath == attribute.name }
        let next = current?.isAscending == true ? "\(attribute.name):desc" : "\(attribute.name):asc"
        let mark = current.map { "<span class=\"dir\"> \($0.isAscending ? "▲" : "▼")</span>" } ?? ""
        return context.link(
            context.address.with("sort", next).without("after"),
            ValueMarkup.isolated(attribute.name) + mark,
            attributes: "title=\"sort \(current?.isAscending == true ? "down" : "up")\"")
    }

    private func facets(_ column: String) -> String {
        guard let relationship = entity.relationship(named: column) else {
            return context.link(FacetsPage.address(column, context.address), "▤", attributes: "title=\"values\"")
        }
        return relationship.isToMany
            ? "" : context.link(FacetsPage.address(column, context.address), "▤", attributes: "title=\"values\"")
    }

    private func pages(_ query: ListQuery, _ shown: Int, _ rows: [Row], _ hasMore: Bool) -> String {
        var links: [String] = []
        if query.after != nil { links.append(context.link(context.address.without("after"), "⇤ first page")) }
        if hasMore, shown > 0 {
            let next = context.address.with("after", "\(rows[shown - 1].place.key)")
            links.append(context.link(next, "next page →", attributes: "rel=\"next\""))
        }
        return links.isEmpty ? "" : "<p class=\"pages\">\(links.joined(separator: "\n"))</p>\n"
    }
}

extension Schema.Attribute {
    fileprivate var isNumber: Bool {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float: true
        default: false
        }
    }
}
