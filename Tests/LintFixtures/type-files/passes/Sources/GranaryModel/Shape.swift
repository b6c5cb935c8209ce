package struct Shape {
    enum Kind {}
    let mode: Mode
    let platform: Platform
}
