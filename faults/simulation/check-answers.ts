import type { Report } from './finding.ts';
import type { ScheduleContext } from './schedule-context.ts';

/** Compares the service's answers with its stored data. */
export function checkAnswers(context: ScheduleContext, report: Report): void {
  checkAcknowledged(context, report);
  checkReferences(context, report);
  checkContradictions(context, report);
  for (const id of context.journal.cancelled) {
    const state = context.database.find(id)?.transfer.state;
    if (state !== 'cancelled')
      report('I10', id, `its cancellation was acknowledged, but it is ${state}`);
  }
}

function checkAcknowledged({ database, journal }: ScheduleContext, report: Report): void {
  const idByKey = new Map<string, string>();
  const news = new Set<string>();
  for (const said of journal.acknowledged) {
    const { id, isReplay } = said;
    const transfer = database.find(id)?.transfer;
    const agrees =
      transfer?.reference === said.reference &&
      transfer.amountMinor === said.amountMinor &&
      transfer.phone === said.phone &&
      transfer.bookId === said.bookId;
    if (!agrees)
      report('I10', id, `${said.reference} was acknowledged, but is not stored with these values`);
    if (!isReplay && news.has(id)) report('I5', id, 'it was accepted as new twice');
    if (!isReplay) news.add(id);
    if (said.key === null) continue;
    const key = `${said.bookId} ${said.key}`;
    const first = idByKey.get(key) ?? id;
    if (first !== id) report('I19', id, `${said.key} showed ${first} before`);
    idByKey.set(key, first);
  }
}

function checkReferences({ database }: ScheduleContext, report: Report): void {
  const seen = new Set<string>();
  for (const { transfer } of database.all()) {
    for (const name of [`${transfer.bookId} ${transfer.reference}`, transfer.operatorReference]) {
      if (seen.has(name)) report('I5', transfer.id, `${name} also belongs to another transfer`);
      seen.add(name);
    }
  }
}

/** An operator's final answer that contradicts a recorded end must create an incident. */
function checkContradictions({ journal }: ScheduleContext, report: Report): void {
  for (const { observed, stateNow } of journal.observed) {
    const { transfer, outcome, recorded } = observed;
    const isPaid = outcome.kind === 'paid' && (stateNow === 'failed' || stateNow === 'cancelled');
    const isRefused = outcome.kind === 'rejected' && stateNow === 'succeeded';
    if (!isPaid && !isRefused) continue;
    const isRecorded = journal.incidents.some(({ transferId }) => transferId === transfer.id);
    if (recorded.kind !== 'contradicted' || !isRecorded) {
      report(
        'incident',
        transfer.id,
        `the operator reported ${outcome.kind}, but no incident was recorded`,
      );
    }
  }
}
