/// A type in a file of its name and a capability.
package struct Writer {
    let reader: Reader
}
