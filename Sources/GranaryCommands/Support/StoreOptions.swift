import ArgumentParser
import GranaryBase
import GranaryCoreDataStore

/// The options on opening a store.
package struct StoreOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Wait at most this long for a store that is in use.", valueName: "seconds"))
    package var busyTimeout = 5.0

    package init() {}

    package func validate() throws {
        if !(0...86_400).contains(busyTimeout) {
            throw ValidationError("--busy-timeout must be a number of seconds from 0 to 86400.")
        }
    }

    package var timeout: Duration { .seconds(busyTimeout) }
}
