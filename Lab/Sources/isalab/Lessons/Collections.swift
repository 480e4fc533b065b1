extension Lessons {
  static let collections = Lesson(
    name: "collections",
    title: Text("Collections", "集合类属性"),
    goal: Text(
      "Change a collection so that its observers hear what came and went, and at which index.",
      "改动一个集合类属性，使观察者得知增减了什么、在哪个下标。"),
    introduction: Text(
      """
      A playlist has songs. Putting another array there is a setting like any other. Changing the array \
      that is there goes past every setter, unless it goes through accessors that insert and remove, or \
      through a mutable proxy that stands for the key: mutableArrayValueForKey:.
      """,
      """
      播放列表里有歌曲。换上另一个数组，是一次普通的设置。就地改动原有的数组，则绕过了一切设置方法，\
      除非经过负责插入和移除的存取方法，或者经过代表这个键的可变代理：mutableArrayValueForKey:。
      """),
    question: .init(
      text: Text(
        "A song is inserted at index 0 through the proxy. What is the observer of songs told?",
        "经过代理，在下标 0 处插入一首歌。songs 的观察者得知的是什么？"),
      choices: [
        .init(Text("nothing: it is the same array", "什么也没有：还是同一个数组")) {
          $0.deliveries(inserting).isEmpty
        },
        .init(Text("a setting: the whole array, old and new", "一次设置：整个数组，旧的和新的")) {
          $0.deliveries(inserting).map(\.kind) == [.setting]
        },
        .init(
          Text("an insertion: the index and the new song alone", "一次插入：只有下标和新的那首歌")
        ) { $0.deliveries(inserting).map(\.kind) == [.insertion] },
      ],
      explanation: Text(
        """
        A to-many change has a kind, insertion, removal or replacement, the indexes, and as old and new \
        only what went and came: an observer can change its own list in the same place.
        """,
        """
        对多关系的改变有种类，即插入、移除或替换，还有下标；旧值和新值里只有离开的和到来的。\
        观察者据此就能在自己的列表里改动同样的位置。
        """)),
    lines: """
      class Playlist { songs: mutable-array accessors(insert, remove) }
      let list = Playlist()
      list.songs = ["Air", "Blue"]
      observe list.songs as listener
      insert "Carol" into list.songs at 2 by ivar
      expect no notification
      insert "Dawn" into list.songs at 0
      remove from list.songs at (1, 2)
      list.songs = []
      observe list.songs.@count as counter
      add "Echo" to list.songs
      expect listener 1 insertion at 0 old absent new ["Dawn"]
      expect listener 2 removal at (1, 2) old ["Air", "Blue"] new absent
      expect counter last setting old 0 new 1
      """,
    turn: .init(line: inserting, subjects: [.object("list")]),
    departures: [
      .init(
        apple: Text(
          "A proxy that was obtained before the first observer came may not announce its changes.",
          "在第一个观察者到来之前取得的代理，可能不会宣布它所作的改变。"),
        here: Text(
          "It does: whether somebody observes is asked at each change.",
          "会宣布：每次改变时都查看是否有人在观察。"),
        rule: "8.3.6")
    ],
    conclusion: Text(
      """
      The array does not tell, the object that has it does: observing belongs to a key of an object, and \
      the change has to come by that key. What is computed of the collection, such as @count, is told as \
      a setting.
      """,
      """
      发出通知的不是数组，而是拥有数组的对象：观察的是对象的键，改变就必须经由这个键。\
      由集合计算而来的值，例如 @count，以“设置”的方式通知。
      """),
    exercise: .init(
      task: Text(
        """
        Give an object p a mutable-set tags that holds 1 and 2, and let t observe it. Unite it with \
        {2, 3}: t must hear of 3 alone.
        """,
        "给对象 p 一个 mutable-set 属性 tags，其中有 1 和 2，由 t 观察。让它与 {2, 3} 求并集：t 应只得知 3。"),
      check: """
        expect t count 1
        expect t last insertion old absent new {3}
        expect p.tags == {1, 2, 3}
        """))

  private static let inserting = "insert \"Dawn\" into list.songs at 0"
}
