extension Trace {
  /// The registrations of a property's observers, or all, in the order in which they began, each
  /// with its end. Those that the library made for itself are there if `forwarders` says so.
  package func observers(
    of property: TraceProperty? = nil, forwarders: Bool = false
  ) -> [TraceRegistration] {
    registrations(of: property, forwarders: forwarders, until: .max, withEnded: true)
  }

  /// The registrations that have not ended when the trace does.
  package func open(
    of property: TraceProperty? = nil, forwarders: Bool = false
  ) -> [TraceRegistration] {
    registrations(of: property, forwarders: forwarders, until: .max, withEnded: false)
  }

  /// What was there when the event of that id happened, the event included.
  package func moment(at id: UInt64) -> TraceMoment {
    TraceMoment(
      event: id, objects: objects(at: id),
      registrations: registrations(of: nil, forwarders: true, until: id, withEnded: false))
  }

  /// Registrations come and go by structure alone, if it is whole.
  private var structureOrAll: TraceEvents { structureEvents ?? events }

  private func registrations(
    of property: TraceProperty?, forwarders: Bool, until last: UInt64, withEnded: Bool
  ) -> [TraceRegistration] {
    var filter = KeyFilter(property)
    var course = TraceCourse()
    var live = LiveRegistrations(earlierRegistrations)
    var ended: [TraceRegistration] = []
    for event in structureOrAll {
      if event.id > last { break }
      live.reach(event.id)
      course.take(event)
      switch event.kind {
      case .observerAdded: live.begin(event, in: course, of: self)
      case .observerRemoved:
        let registration = live.end(event)
        if withEnded { ended.append(registration) }
      // One that had come when it was refused ends by that.
      case .observerRefused: if event.registration != 0 { _ = live.end(event) }
      case .deallocated: live.forget(object: event.object)
      default: break
      }
    }
    live.reach(last)
    return (ended + live.all).filter {
      (forwarders || !$0.isForwarder) && filter.contains(key(of: $0), in: self)
    }.sorted { ($0.seen, $0.number) < ($1.seen, $1.number) }
  }

  /// The key path, of the class of the object.
  package func key(of registration: TraceRegistration) -> TraceKey {
    TraceKey(
      className: className(of: registration.object, at: registration.seen),
      key: registration.keyPath)
  }
}

/// What is there at an event.
package struct TraceMoment: Sendable {
  package struct Object: Sendable {
    package let object: TraceObject
    /// The class that the isa names, if it is not the object's own: a notifying class.
    package let isa: TextNumber?
  }

  package let event: UInt64
  /// In the order in which they were seen. An object is seen when the first event is about it.
  package let objects: [Object]
  /// In the order in which they began, those that the library made for itself among them.
  package let registrations: [TraceRegistration]
}

extension Trace {
  fileprivate func objects(at id: UInt64) -> [TraceMoment.Object] {
    var isas: [Int: TextNumber] = [:]
    var dead: Set<Int> = []
    for event in structureOrAll {
      if event.id > id { break }
      guard let index = structure.objects.index(of: event.object, at: event.id) else { continue }
      if event.kind == .deallocated { dead.insert(index) }
      if event.kind == .isaSwapped { isas[index] = event.className }
    }
    return objects.filter { $0.first <= id && !dead.contains($0.index) }
      .sorted { ($0.first, $0.index) < ($1.first, $1.index) }
      .map { object in
        let isa = isas[object.index].flatMap { $0 == object.className ? nil : $0 }
        return TraceMoment.Object(object: object, isa: isa)
      }
  }
}
