import GranaryBase

package struct Model {
    let writer: Writer
    let kind: Shape.Kind  // Kind of GranaryBase is another type, as is ReaderPart
    let url = "file://ReaderPart"
    let buffer: Buffer
    let text = """
        Step ReaderPart
        """
}

/* Step
   ReaderPart */
private struct Buffer {}
