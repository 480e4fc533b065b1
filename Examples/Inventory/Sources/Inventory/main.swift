// An inventory: Inventory [FILE]
import CGtk
import Foundation
import GTKBridge
import IsaKVOBindings
import IsaKVOFoundation

gtk_init()
let file = CommandLine.arguments.dropFirst().first ?? "inventory.json"
let preferences = DefaultsController(
  UserDefaultsStore(), initialValues: ["hidesSoldOut": false, "currency": "€"])
let window = try Window(Document(url: URL(fileURLWithPath: file)), preferences: preferences)
window.interface["window"].with(as: GtkWindow.self, gtk_window_present)
if let places = ProcessInfo.processInfo.environment["INVENTORY_TRACE"] {
  Trace.start(window, places: places)
}
MainLoop.run()
// Foundation keeps defaults in memory, until it is told to write them.
UserDefaults.standard.synchronize()
