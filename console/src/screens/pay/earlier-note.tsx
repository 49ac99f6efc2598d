import { Link } from '@tanstack/react-router';
import type { Preflight } from '../../api/transfer-types.ts';
import { useBook } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Note } from '../../parts/note.tsx';
import { pay as texts } from '../../texts/en/pay.ts';

export const EARLIER_MAY_BE_PAID = 'EARLIER_MAY_BE_PAID';

/** The earlier payout that the operator may have paid and that this one would pay again. */
export function earlierIn(preflight: Preflight | undefined) {
  return preflight?.problems.find(({ code }) => code === EARLIER_MAY_BE_PAID);
}

type Given = Readonly<{
  /** Undefined: the service has not said yet which one it is. */
  transferId: string | undefined;
  isChecking: boolean;
  onCheck: () => void;
}>;

/** No field of the form is wrong: the reader waits until it is known whether the earlier payout was paid. */
export function EarlierNote({ transferId, isChecking, onCheck }: Given) {
  const book = useBook();
  return (
    <Note tone="caution" isAlert>
      <p>
        <b>{texts.earlier.title}</b>
      </p>
      <p>{texts.earlier.detail}</p>
      <div className="actions mt">
        {transferId !== undefined && (
          <Link to={`/b/${book.id}/transfers/${transferId}`} className="btn btn-sm">
            {texts.earlier.act}
          </Link>
        )}
        <Button size="sm" isBusy={isChecking} onClick={onCheck}>
          {texts.earlier.check}
        </Button>
      </div>
    </Note>
  );
}
