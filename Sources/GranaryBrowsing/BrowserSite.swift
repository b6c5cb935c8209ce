package import Foundation
import GranaryBase
package import GranaryCoordination

/// The pages of a store: requests in, answers out, without sockets.
///
/// request → ``BrowserGate`` (who asks) → ``PageAddress`` (what for) → a page, a value or a download, all read in one
/// snapshot of the store → answer.
package final class BrowserSite: Sendable {
    /// A page that takes longer is ended. A download is not.
    private static let time = 30.0

    private let name: String
    private let gate: BrowserGate
    private let zone: ReaderZone

    /// - Parameters:
    ///   - name: the name of the store in titles.
    ///   - zone: the time zone of dates, unless the reader chooses another one.
    package init(name: String, gate: BrowserGate, zone: TimeZone) {
        self.name = name
        self.gate = gate
        self.zone = ReaderZone(zone)
    }

    /// Answers a request.
    ///
    /// - Parameter open: opens the store. It is called only for requests that are answered.
    package func respond(
        to request: BrowserRequest, opening open: () throws -> any StoreBackend
    ) -> BrowserResponse {
        let address = PageAddress(target: request.target)
        switch gate.decide(request, address) {
        case .refuse(let status, let message):
            var response = BrowserResponse(status, page: SitePage.message(status, message))
            if status == 405 { response.add("Allow", "GET, HEAD") }
            return response
        case .enter(let cookie):
            var response = BrowserResponse(303, page: SitePage.message(303, "The store is at the address /."))
            response.add("Location", "/")
            response.add("Set-Cookie", cookie)
            return response
        case .answer:
            if let file = SiteFile.allCases.first(where: { $0.path == address?.path }) {
                return BrowserResponse(200, type: file.type, .bytes(Array(file.content.utf8)))
            }
            return answer(address ?? PageAddress("/"), open)
        }
    }

    private func answer(_ address: PageAddress, _ open: () throws -> any StoreBackend) -> BrowserResponse {
        do {
            return try limited { try self.page(address, try open()) }
        } catch let error as PageError {
            return message(error.status, error.message)
        } catch let error as GranaryError {
            switch error.code {
            case .interrupted:
                return message(503, "The page took longer than \(Int(Self.time)) seconds; narrow the condition.")
            case .usage: return message(400, error.message)
            case .busy: return message(503, error.message)
            default: return message(500, error.message)
            }
        } catch {
            return message(500, "\(error)")
        }
    }

    private func message(_ status: Int, _ message: String) -> BrowserResponse {
        BrowserResponse(status, page: SitePage.message(status, message, home: name))
    }

    /// Runs `body` with a cancellation that a timer triggers.
    private func limited<Result>(_ body: () throws -> Result) throws -> Result {
        let cancellation = Cancellation()
        let timer = DispatchWorkItem { cancellation.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.time, execute: timer)
        defer { timer.cancel() }
        return try Cancellation.$current.withValue(cancellation) { try body() }
    }

    private func page(_ address: PageAddress, _ store: any StoreBackend) throws -> BrowserResponse {
        let context = PageContext(name: name, store: store, zone: try zone(address), address: address.without("zone"))
        if address.path == "/download" { return try DownloadAnswer.make(context) }
        // A store wraps errors that it does not know, so they do not pass through it.
        return try store.reading { Result { try Self.answer(context) } }.get()
    }

    private static func answer(_ context: PageContext) throws -> BrowserResponse {
        let page: SitePage
        switch context.address.path {
        case "/": page = try HomePage.make(context)
        case "/entity": page = try EntityPage.make(context)
        case "/object": page = try ObjectPage.make(context)
        case "/links": page = try LinksPage.make(context)
        case "/facets": page = try FacetsPage.make(context)
        case "/diagram": page = try DiagramPage.make(context)
        case "/runs": page = try RunsPage.make(context)
        case "/value": return try ValueAnswer.make(context)
        default: throw PageError(404, "There is no such page.")
        }
        return BrowserResponse(page.status, page: page.html(context))
    }

    private func zone(_ address: PageAddress) throws(PageError) -> ReaderZone {
        guard let name = address["zone"], name != zone.name else { return zone }
        guard let chosen = ReaderZone(chosen: name) else {
            throw PageError(400, "\(name) is no time zone; write a name such as Europe/Berlin.")
        }
        return chosen
    }
}
