import type { Report } from './finding.ts';
import type { Journal } from './journal.ts';
import type { OperatorModel, Said } from './operator-model.ts';
import type { ScheduleContext } from './schedule-context.ts';
import {
  NOT_FOUND_AGE_MIN_MS,
  NOT_FOUND_ANSWERS_MIN,
  RESUBMISSIONS_MAX,
  THROTTLED_RESUBMISSIONS_MAX,
} from './service-core.ts';

type Send = Journal['sends'][number];

/** Resubmissions go only to operators that still recognise the reference, and only after sufficient answers. */
export function checkResubmissions(context: ScheduleContext, report: Report): void {
  const byReference = Map.groupBy(context.journal.sends, ({ reference }) => reference);
  for (const [reference, sends] of byReference) {
    const [first] = sends;
    if (sends.length < 2 || first === undefined) continue;
    const id = context.database.findByOperatorReference(reference)?.transfer.id ?? null;
    const operator = context.operators.find(({ plan }) => plan.name === first.route);
    if (operator === undefined) continue;
    const complain = (says: string) => report('resubmission', id, says);
    const said = operator.said().filter((word) => word.reference === reference);
    for (const [index, send] of sends.entries()) {
      const before = sends[index - 1];
      if (before === undefined || send.state !== 'in_doubt') continue;
      checkMemory({ operator, first, send }, complain);
      checkEvidence({ said, before, send }, complain);
    }
    checkCount({ sends, said }, complain);
  }
}

type Complain = (says: string) => void;

function checkMemory(
  { operator, first, send }: Readonly<{ operator: OperatorModel; first: Send; send: Send }>,
  complain: Complain,
): void {
  const { referenceMemoryMs, deduplicates } = operator.plan.abilities;
  const afterMs = send.atMs - first.atMs;
  if (!deduplicates) complain(`it was resubmitted to ${send.route}, which does not deduplicate`);
  if (afterMs <= referenceMemoryMs) return;
  complain(
    `it was resubmitted after ${afterMs} ms, but is remembered for only ${referenceMemoryMs} ms`,
  );
}

/** Three "not found" in 15 minutes; or, after a refusal with Retry-After, one "not found" after the named time. */
function checkEvidence(
  { said, before, send }: Readonly<{ said: readonly Said[]; before: Send; send: Send }>,
  complain: Complain,
): void {
  const since = said.filter(({ atMs }) => atMs >= before.atMs && atMs <= send.atMs);
  const notFound = since.filter(({ word }) => word === 'notFound');
  const [firstNotFound] = notFound;
  const refused = since.findLast(({ word }) => word === 'throttled');
  const waitedMs = firstNotFound === undefined ? 0 : send.atMs - firstNotFound.atMs;
  if (notFound.length >= NOT_FOUND_ANSWERS_MIN && waitedMs >= NOT_FOUND_AGE_MIN_MS) return;
  const hasInquiryAnswer =
    refused !== undefined && notFound.some(({ atMs }) => atMs >= refused.atMs);
  if (!hasInquiryAnswer) {
    complain(
      `it was resubmitted after ${notFound.length} answers of "not found" in ${waitedMs} ms`,
    );
  } else if (send.atMs < refused.notBeforeMs) {
    complain(`it was resubmitted ${refused.notBeforeMs - send.atMs} ms too early`);
  }
}

function checkCount(
  { sends, said }: Readonly<{ sends: readonly Send[]; said: readonly Said[] }>,
  complain: Complain,
): void {
  const count = sends.filter(({ state }) => state === 'in_doubt').length;
  const wasRefused = said.some(({ word }) => word === 'throttled');
  const max = wasRefused ? THROTTLED_RESUBMISSIONS_MAX : RESUBMISSIONS_MAX;
  if (count > max) complain(`it was resubmitted ${count} times`);
}
