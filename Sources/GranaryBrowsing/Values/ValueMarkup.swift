import GranaryBase
import GranaryModel

/// Values as HTML.
struct ValueMarkup {
    let zone: ReaderZone

    /// Text between other text: escaped, and isolated, so that its direction does not change the text around it.
    static func isolated(_ text: String) -> String { "<bdi>\(MarkupText.escaped(text))</bdi>" }

    static let null = "<span class=\"null\">NULL</span>"

    /// The value in a cell of a table.
    ///
    /// - Parameter address: where binary data can be loaded.
    func cell(_ value: ShownValue, _ attribute: Schema.Attribute, _ address: PageAddress) -> String {
        switch value {
        case .null: Self.null
        case .number(let text), .plain(let text): MarkupText.escaped(text)
        case .boolean(let flag): flag ? "true" : "false"
        case .date(let seconds):
            "<span title=\"stored: \(MarkupText.escaped(stored(seconds)))\">\(MarkupText.escaped(zone.text(seconds)))</span>"
        case .text(_, let bytes) where bytes == 0: "<span class=\"null\">empty</span>"
        case .text(let text, let bytes):
            Self.isolated(text.text) + (text.isCut ? "… <span class=\"soft\">\(SizeText.text(bytes))</span>" : "")
        case .binary(let image, let bytes):
            "<a href=\"\(address.attribute)\">\(binary(image, bytes, attribute))</a>"
        case .unreadable(let reason): Self.unreadable(reason)
        }
    }

    /// The value on the page of its object, with all that is known.
    func whole(_ value: ShownValue, _ attribute: Schema.Attribute, _ address: PageAddress) -> String {
        switch value {
        case .null, .number, .plain, .boolean, .unreadable: return cell(value, attribute, address)
        case .date(let seconds):
            return "\(MarkupText.escaped(zone.text(seconds))) "
                + "<span class=\"stored\">stored: \(MarkupText.escaped(stored(seconds)))</span>"
        case .text(_, let bytes) where bytes == 0: return cell(value, attribute, address)
        case .text(let text, let bytes):
            let isBlock = text.isCut || text.text.utf8.count > 100 || text.text.utf8.contains(10)
            let lines = "<bdi>\(MarkupText.escapedLines(text.text))</bdi>"
            return (isBlock ? "<pre>\(lines)</pre>" : lines)
                + (text.isCut
                    ? "<p class=\"cut\">Cut: the text has \(SizeText.text(bytes)). "
                        + "<a href=\"\(address.attribute)\">Download all of it</a></p>" : "")
        case .binary(let image, let bytes):
            let link = "<a href=\"\(address.attribute)\">\(binary(image, bytes, attribute))</a>"
            guard image != nil else { return link }
            return
                "\(link)<img class=\"value\" alt=\"\(MarkupText.escaped(attribute.name))\" src=\"\(address.attribute)\">"
        }
    }

    private func stored(_ seconds: Double) -> String {
        let iso = DateText.text(seconds)
        return iso == "\(seconds)" ? "\(seconds) s since 2001" : "\(seconds) s since 2001, \(iso)"
    }

    private func binary(_ image: ImageKind?, _ bytes: Int, _ attribute: Schema.Attribute) -> String {
        "\(image?.name ?? MarkupText.escaped(attribute.type.name.lowercased())), \(SizeText.text(bytes))"
    }

    static func unreadable(_ reason: String) -> String {
        "<span class=\"bad\">unreadable: \(MarkupText.escaped(reason))</span>"
    }
}
