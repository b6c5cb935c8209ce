/// A type in the file of its name. `ReaderPart` is in a comment: no other file uses it.
package struct Reader {
    let part: ReaderPart
}

/// Only this file uses this type.
struct ReaderPart {}

private struct Step {}

/// Other modules cannot see this type.
struct Buffer {}

/// Another file has a nested type of this name.
package enum Kind {}

/// Other files have types of this name.
package enum Mode {}
