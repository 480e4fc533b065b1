import Foundation
import IsaKVO
import IsaKVOFoundation

protocol Captioned: AnyObject {
  var title: String { get set }
  var length: Int { get }
}

/// A page, whose title is a key because a protocol of Objective-C's requires it.
open class Page: KVObject, Captioned {
  /// Over the text.
  @Dynamic public var title = "page"
  /// Of the title.
  public var length: Int { title.count }
  var number = 1
  /// Whether it says so.
  open var isOpen: Bool {
    get { title == "open" }
  }

  open override class var keys: [KeyDeclaration] {
    [
      .key("length", \Page.length),
      .key("isOpen", \Page.isOpen),
      .key("isOpenNow", \Page.isOpen, paths: ["isOpen"], notifiesAutomatically: false),
    ]
  }
}

/// A page of a book, whose keys depend on others.
final class BookPage: Page {
  @Dynamic var book = "book"
  @WeakDynamic var neighbor: AnyObject?

  override class var keys: [KeyDeclaration] {
    [.key("length", \BookPage.length, paths: ["title"])]
  }
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
