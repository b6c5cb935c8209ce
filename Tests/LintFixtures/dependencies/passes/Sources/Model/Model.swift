import Foundation
public import struct Base.Bytes
