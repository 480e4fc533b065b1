// refused: SendingClosureRisksDataRace
import Company
import Store

func cross(_ person: Person) {
  Task.detached { person.age = 1 }
  person.age = 2
}
