import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Page } from '../../api/page.ts';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey, useMay } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { shell } from '../../texts/en/shell.ts';
import { transfer as texts } from '../../texts/en/transfer.ts';
import { retryReference } from './retry-reference.ts';

type Given = Readonly<{ transfer: Transfer }>;

/** Opens the form with the same details, under a reference of its own. */
export function PayAgain({
  transfer,
  retry,
}: Given & Readonly<{ retry?: Readonly<{ reference: string; retryOf: string }> }>) {
  const book = useBook();
  const mayPay = useMay()('payouts:write');
  if (!mayPay) return null;
  return (
    <Link to={`/b/${book.id}/pay`} search={{ ...detailsOf(transfer), ...retry }} className="btn">
      {texts.payAgain}
    </Link>
  );
}

/**
 * What failed is paid again once: under the reference that follows from its own, as by a payout file and the command
 * line. Where a payout has it already, that one is shown instead.
 */
export function PayFailedAgain({ transfer }: Given) {
  const { id, reference: failed } = transfer;
  const book = useBook();
  const api = useBookApi();
  const key = useBookKey();
  const found = useQuery({
    queryKey: key('transfer', id, 'retry'),
    queryFn: async ({ signal }) => {
      const reference = await retryReference(failed);
      const { items } = await api<Page<Transfer>>({
        path: '/transfers',
        query: { reference },
        signal,
      });
      return { reference, made: items[0]?.id };
    },
  });
  if (found.data === undefined) {
    return found.isError ? (
      <div className="foot-act">
        <Button onClick={() => void found.refetch()}>{shell.tryAgain}</Button>
        <p className="help">{texts.retryNotKnown}</p>
      </div>
    ) : null;
  }
  const { reference, made } = found.data;
  if (made === undefined) {
    return <PayAgain transfer={transfer} retry={{ reference, retryOf: failed }} />;
  }
  return (
    <Link to={`/b/${book.id}/transfers/${made}`} className="btn">
      {texts.retryMade}
    </Link>
  );
}

function detailsOf({ phone, operator, amount, recipientName, walletId, narration }: Transfer) {
  return {
    phone,
    operator,
    amount: amount.toFixed(2),
    walletId,
    ...(recipientName === null ? {} : { name: recipientName }),
    ...(narration === null ? {} : { narration }),
  };
}
