import GranaryDiagrams
import GranaryPages

/// The files of the site that have no data of the store.
enum SiteFile: CaseIterable {
    case style, icon

    var path: String {
        switch self {
        case .style: "/style.css"
        case .icon: "/icon.svg"
        }
    }

    var type: String {
        switch self {
        case .style: "text/css; charset=utf-8"
        case .icon: "image/svg+xml"
        }
    }

    var content: String {
        switch self {
        case .style: Page.style + "\n" + SiteStyle.rules + "\n" + SVGDiagram.style + "\n"
        case .icon:
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2b5d9b" d="M1 6 8 1l7 5v9H1z"/>\
            <path stroke="#fff" d="M4 8.5h8M4 11.5h8"/></svg>
            """
        }
    }
}
