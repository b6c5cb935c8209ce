import GranaryCommands

@main
enum Granary {
    static func main() async { await GranaryMain.main() }
}
