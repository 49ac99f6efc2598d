import { useState } from 'react';
import type { ApprovalItem } from '../../api/control-types.ts';
import { useInactive } from '../../app/may-act.ts';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { approvals as texts } from '../../texts/en/approvals.ts';
import { DecideBox, type Outcome } from './decide-box.tsx';

type Given = Readonly<{ item: ApprovalItem; onOutcome: (outcome: Outcome) => void }>;

/** What the reader cannot approve and can stop: why, and the rejection once it is asked for. */
export function RejectOnly({ item, onOutcome }: Given) {
  const [isRejecting, setRejecting] = useState(false);
  const inactive = useInactive()('payouts:approve');
  if (isRejecting) {
    return (
      <DecideBox
        items={[item]}
        isNamed={false}
        onKeep={() => setRejecting(false)}
        onOutcome={onOutcome}
      />
    );
  }
  return (
    <Note
      tone="info"
      action={
        <Button kind="danger" size="sm" inactive={inactive} onClick={() => setRejecting(true)}>
          {texts.decide.toReject}
        </Button>
      }
    >
      <p>
        <b>{texts.onlyReject}.</b> {item.whyNot} {texts.mayReject}
      </p>
    </Note>
  );
}
