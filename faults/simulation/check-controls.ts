import type { Report } from './finding.ts';
import type { Scene } from './scene.ts';

/** Nothing leaves before its time; what is late, or whose number is denied, waits for a person. */
export function checkControls(scene: Scene, report: Report): void {
  checkTimes(scene, report);
  checkHeldBack(scene, report);
  for (const { transfer } of scene.database.all()) {
    const { id, state } = transfer;
    const isWaiting = state === 'scheduled' || state === 'awaiting_approval';
    if (isWaiting) report('I13', id, `still ${state}, although people looked at all that waits`);
  }
}

function checkTimes({ database, journal, toDate }: Scene, report: Report): void {
  for (const { reference, atMs } of journal.sends) {
    const transfer = database.findByOperatorReference(reference)?.transfer;
    const sendAt = transfer?.sendAt ?? null;
    if (transfer === undefined || sendAt === null || toDate(atMs) >= sendAt) continue;
    report('I31', transfer.id, 'it was sent before its time');
  }
}

function checkHeldBack({ journal }: Scene, report: Report): void {
  for (const { transferId, to, why } of journal.left) {
    if (why !== null) report('I35', transferId, `it was ${why}, and became ${to} without a person`);
  }
}
