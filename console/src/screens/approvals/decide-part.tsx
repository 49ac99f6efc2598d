import { useState } from 'react';
import type { ApprovalItem } from '../../api/control-types.ts';
import { DecideBox, type Outcome } from './decide-box.tsx';
import { DecideResults, keyOf } from './decide-results.tsx';
import { RejectOnly } from './reject-only.tsx';

type DecidePartGiven = Readonly<{ item: ApprovalItem | undefined; isWaiting: boolean }>;

/** The decision about one item, where it is the reader's, and why it was refused. */
export function DecidePart({ item, isWaiting }: DecidePartGiven) {
  const [outcome, setOutcome] = useState<Outcome>();
  return (
    <>
      {outcome?.answers.some(({ ok }) => !ok) === true && (
        <DecideResults
          key={keyOf(outcome)}
          outcome={outcome}
          onClose={() => setOutcome(undefined)}
        />
      )}
      {item !== undefined && isWaiting && item.iCan && (
        <DecideBox key={item.id} items={[item]} isNamed={false} onOutcome={setOutcome} />
      )}
      {item !== undefined && isWaiting && !item.iCan && item.iCanReject && (
        <RejectOnly key={item.id} item={item} onOutcome={setOutcome} />
      )}
    </>
  );
}
