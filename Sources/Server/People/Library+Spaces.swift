// What belongs to whom: routines that change their space, people who leave, and what a job works for.

import Database
import FoundationEssentials
import HTTP
import Model
import Storage

/// The bucket has no copy of a medium's derived files yet.
private struct CopyMissing: Error {
  let medium: String
}

extension Library {
  /// The spaces of what a job works on; of the whole library, the owner's. Nil if it is not known.
  func spaces(ofJob id: String) throws -> Set<String>? {
    guard let job = try jobs.job(id) else { return nil }
    if let record = job.record {
      return try records.space(of: record.type, record.id).map { [$0] } ?? []
    }
    guard job.kind == ExportJob.kind, let order = ExportOrder(text: job.parameters) else {
      return [Person.owner]
    }
    return Set(
      try order.clips.map(\.track).compactMap {
        try records.space(of: .track, $0)
      })
  }

  /// Moves a routine to a group or, with nil, to the own space of `viewer`, who may edit it both where
  /// it is and where it goes. See `RecordStore.carryOut`.
  ///
  /// - Throws: `LibraryError` `notFound`, also if somebody else has taken it away meanwhile; `conflict`
  ///   while a file that has to be copied is being prepared.
  func move(routine: String, to space: String?, by viewer: Viewer) throws {
    // A bucket copies without a lock: what the move turns out to need is copied, and it begins again.
    var copies: [String: LocalBlob] = [:]
    while true {
      do {
        return try withExtendedLifetime(copies) {
          try move(routine: routine, to: space, by: viewer, copies.mapValues(\.path))
        }
      } catch let missing as CopyMissing {
        guard let derived else { throw missing }
        let id = Identifier.make(milliseconds: Library.now())
        copies[missing.medium] = try derived.copy(missing.medium, to: id)
      }
    }
  }

  /// Moves a routine. `copies` are the ids of the copies that the bucket has, by those of the originals.
  private func move(
    routine: String, to space: String?, by viewer: Viewer, _ copies: [String: String]
  ) throws {
    let target = space ?? viewer.person
    let now = Library.now()
    let concerned = try mediaLock.withLock { () -> Set<String> in
      guard let from = try records.record(.routine, routine), from.deletedAt == nil,
        viewer.mayEdit(from.space)
      else { throw LibraryError(.notFound, "There is no such routine.") }
      if from.space == target { return [] }
      let readers = people.readers(of: [target])
      let leaving = people.readers(of: [from.space]).subtracting(readers)
      var copied: [String] = []
      defer { quota.updateHealth() }
      try records.carryOut(
        RoutineMove(routine: routine, to: target, by: viewer), leaving: leaving.sorted(),
        stamp: { nextStamp(now: now) },
        makeId: { $0.flatMap { copies[$0] } ?? Identifier.make(milliseconds: now) },
        copyFiles: { copy, original in
          guard Medium(original).state != .importing else {
            throw LibraryError(
              .conflict,
              "A file of this routine is still being prepared. Try again when that is done.")
          }
          if derived != nil {
            guard copies[copy.from] == copy.to else { throw CopyMissing(medium: copy.from) }
          } else {
            try folder.copyDerived(of: copy.from, to: copy.to)
          }
          copied.append(copy.to)
        })
      // Not within the transaction, whose lock comes after this one's.
      for id in copied { try quota.derivedSizes.refresh(id) }
      return readers.union(leaving)
    }
    if concerned.isEmpty { return }
    log.info("routine.moved", ["routine": .text(routine)])
    reviewLeads()
    announceChanges(try records.latestSeq(), to: .people(concerned))
  }

  /// Dissolves a group. Its routines go to the own space of `viewer`, who leads it, and with them all
  /// else that the group owns.
  func dissolve(group id: String, by viewer: Viewer) throws {
    guard let group = people.group(id) else { throw LibraryError.unknownGroup }
    for routine in try records.records(in: id, .routine) where routine.deletedAt == nil {
      try move(routine: routine.id, to: nil, by: viewer)
    }
    try people.removeGroup(id, leavingTo: viewer.person)
    log.info("group.dissolved", ["group": .text(id)])
    announcePeople(to: Set(group.members.keys))
  }

  /// Removes a person: their devices are shut out, they leave their groups, and what is theirs alone is
  /// deleted, as records are.
  func remove(person id: String) throws {
    guard people[id] != nil else { throw LibraryError.unknownPerson }
    guard id != Person.owner else {
      throw LibraryError(.conflict, "The person who runs this server can't be removed.")
    }
    let companions = Set(people.groups(of: id).flatMap(\.members.keys))
    let now = Library.now()
    for device in devices.all where device.person == id { try revoke(device.id) }
    // What hangs on these goes with them.
    let roots: [RecordType] = [
      .routine, .moveType, .track, .video, .recording, .practiceEntry, .runThrough, .plan,
    ]
    for type in roots {
      try commit(
        try records.records(in: id, type).filter { $0.deletedAt == nil }.map {
          Edit(type, $0.id, ["deletedAt": .integer(now)])
        })
    }
    // Last, so that a removal that was interrupted can be made again.
    try people.remove(id, now: now)
    // One may have been added meanwhile.
    for device in devices.all where device.person == id { try revoke(device.id) }
    log.info("person.removed", ["person": .text(id)])
    announcePeople(to: companions)
  }

  /// Ends what may not be led any more, and what somebody may not follow any more.
  func reviewLeads() {
    do {
      try leads.review { id in
        do {
          guard let routine = try records.record(.routine, id), routine.deletedAt == nil else {
            return nil
          }
          return routine.space
        } catch {
          log.error("leads.unreviewed", error)
          return nil
        }
      }
    } catch {
      log.error("leads.unreviewed", error)
    }
  }

  /// Tells the pages of some people that people, groups or their roles have changed.
  func announcePeople(to readers: Set<String>) {
    reviewLeads()
    events.publish("people", data: "{}", to: .people(readers))
    do {
      announceChanges(try records.latestSeq(), to: .people(readers))
    } catch {
      log.error("people.untold", error)
    }
  }
}
