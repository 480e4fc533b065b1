// refused: SendingClosureRisksDataRace
import Store

func cross(_ context: Context) {
  Task.detached { try context.save() }
  context.rollback()
}
