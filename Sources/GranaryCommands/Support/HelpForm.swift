import GranarySeedPlans

/// How the help of diagnostics is printed.
package enum HelpForm {
    case none
    /// As options of the command line.
    case options
    /// As keys of a seed plan.
    case planKeys

    /// The line below a message; nil for none.
    func line(_ help: String?) -> String? {
        guard let help else { return nil }
        switch self {
        case .none: return nil
        case .options: return "  help: \(help)"
        case .planKeys: return "  help: \(PlanHelp.keys(help))"
        }
    }
}
