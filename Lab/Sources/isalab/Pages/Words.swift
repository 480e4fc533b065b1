/// The pages' own words.
enum Words {
  static let before = Text("before the first line", "第一行之前")
  static let serves = Text("for", "服务于")
  static let steps = Text("Steps", "步骤")
  static let first = Text("First step", "第一步")
  static let previous = Text("Previous step", "上一步")
  static let next = Text("Next step", "下一步")
  static let step = Text("Step", "步骤")
  static let dark = Text("Dark", "深色")
  static let skip = Text("Skip to the drawing", "跳到图")
  static let drawing = Text("Who points at whom", "谁指向谁")
  static let way = Text("The message's way", "消息的去路")
  static let metaclasses = Text("Metaclasses", "元类")
  static let whole = Text("Whole drawing", "整张图")
  static let touched = Text("Only what this step touches", "只看这一步触及的")
  static let into = Text("Into", "进入")
  static let back = Text("Back", "退一站")
  static let out = Text("Out", "跳出")
  static let scenario = Text("Scenario", "场景")
  static let language = Text("Each line shown as well in", "每行同时显示为")
  static let alone = Text("as a scenario alone", "只显示场景")
  static let happened = Text("What happened", "发生了什么")
  static let events = Text("Events and their causes", "事件与起因")
  static let methods = Text("Method tables", "方法表")
  static let objects = Text("Objects", "对象")
  static let observations = Text("Observations", "观察登记")
  static let all = Text("All steps", "全部步骤")
  static let line = Text("Line", "行")
  static let keys = Text(
    "Arrow keys, Home and End go from step to step; i goes into a step, one station of the message's "
      + "way forward, u one back, o out of it. An event shows its chain of causes when chosen.",
    "方向键、Home 与 End 切换步骤；i 进入一步，沿消息的去路前进一站，u 退一站，o 跳出。选中一个事件，便显示它的起因链。")

  static let script: [String: Text] = [
    "play": Text("Play", "播放"),
    "pause": Text("Pause", "暂停"),
    "step": Text("Step {0} of {1}", "第 {0} 步，共 {1} 步"),
    "none": Text("none", "无"),
    "nothing": Text("Nothing else happened.", "没有别的事发生。"),
    "noEvents": Text("No events.", "没有事件。"),
    "chain": Text("Why", "原因"),
    "thread": Text("thread", "线程"),
    "selector": Text("selector", "选择子"),
    "imp": Text("IMP", "方法实现 IMP"),
    "owner": Text("owner", "所属类"),
    "around": Text("around", "包着"),
    "new": Text("new", "新"),
    "object": Text("object", "对象"),
    "isa": Text("isa", "isa"),
    "says": Text("says it is a", "自称"),
    "count": Text("held", "引用数"),
    "values": Text("values", "值"),
    "observer": Text("observer", "观察者"),
    "what": Text("observes", "观察"),
    "options": Text("options", "选项"),
    "superclass": Text("superclass", "父类"),
    "outside": Text("Into follows the message, station by station.", "按「进入」，逐站跟随消息。"),
    "silent": Text("No message is sent here.", "这里没有发送消息。"),
    "station": Text("station {0} of {1}", "第 {0} 站，共 {1} 站"),
    "noMethods": Text("no methods of its own", "自身没有方法"),
  ]
}
