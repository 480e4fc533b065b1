import Foundation

@objc protocol Captioned {
  var title: String { get set }
  var length: Int { get }
}

/// A page, whose title is a key because a protocol of Objective-C's requires it.
open class Page: Foundation.NSObject, Captioned {
  /// Over the text.
  public var title = "page"
  /// Of the title.
  public var length: Int { title.count }
  var number = 1
  /// Whether it says so.
  @objc dynamic open var isOpen: Bool {
    @objc(isOpenNow) get { title == "open" }
  }
}

/// A page of a book, whose keys depend on others.
final class BookPage: Page {
  @objc dynamic var book = "book"
  @objc dynamic weak var neighbor: AnyObject?

  @objc class func keyPathsForValuesAffectingLength() -> Set<String> { ["title"] }
}

func showWitnesses() {
  let page = BookPage()
  let token = page.observe(\.title, options: .new) { _, change in print("title", change.newValue!) }
  page.title = "open"
  page.setValue("shut", forKey: "title")
  page.neighbor = page
  print(page.value(forKey: "length") as! Int, page.value(forKey: "isOpenNow") as! Bool)
  print(page.value(forKey: "neighbor") as AnyObject === page)
  token.invalidate()
}
