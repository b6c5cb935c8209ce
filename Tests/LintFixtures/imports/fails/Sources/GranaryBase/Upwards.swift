import Foundation
public import GranaryModel
