import Model
import Yams
