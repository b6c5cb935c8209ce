import GranaryCommands

@main
enum Granary {
    static func main() { GranaryMain.main() }
}
