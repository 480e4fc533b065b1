let parts: [(name: String, show: () -> Void)] = [
  ("properties", showProperties), ("lazy and weak", showLazyAndWeak), ("computed", showComputed),
  ("key paths", showKeyPaths), ("coding", showCoding), ("equality", showEquality),
  ("conditions", showConditions), ("attributes", showAttributes), ("observers", showObservers),
  ("property observers", showPropertyObservers), ("announcing", showAnnouncing),
  ("witnesses", showWitnesses), ("main actor", showMainActor),
]

for part in parts {
  print("--", part.name)
  part.show()
}
