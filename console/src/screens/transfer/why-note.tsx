import type { Timeline } from '../../api/transfer-types.ts';
import type { Transfer, TransferState } from '../../api/types.ts';
import { Note } from '../../parts/note.tsx';
import { Time } from '../../parts/time.tsx';
import { transfer as texts } from '../../texts/en/transfer.ts';
import { withOperatorNames } from './operator-names.ts';

const TONES: Readonly<Record<TransferState, 'info' | 'good' | 'caution' | 'bad' | 'doubt'>> = {
  scheduled: 'info',
  awaiting_approval: 'caution',
  queued: 'info',
  submitting: 'info',
  submitted: 'info',
  in_doubt: 'doubt',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'info',
  reversed: 'caution',
};

const ENDED: readonly TransferState[] = ['succeeded', 'cancelled', 'reversed'];

/** One line: why it waits, or why it ended so, and what to do. */
export function WhyNote({
  transfer: { state },
  why,
}: Readonly<{ transfer: Transfer; why: Timeline['why'] }>) {
  const lead =
    state === 'failed'
      ? texts.why.failed
      : ENDED.includes(state)
        ? texts.why.ended
        : texts.why.waits;
  return (
    <div className="why" role="status">
      <Note tone={TONES[state]}>
        <p>
          <b>
            {lead}: {withOperatorNames(why.line)}
          </b>
        </p>
        {(why.action !== null || why.next !== null) && (
          <p>
            {why.action}
            {why.next !== null && (
              <>
                {' '}
                {state === 'awaiting_approval' ? texts.why.ends : texts.why.next}{' '}
                <Time at={why.next} />.
              </>
            )}
          </p>
        )}
      </Note>
    </div>
  );
}
