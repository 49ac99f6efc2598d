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

/**
 * What was not paid is paid again once: under the reference that follows from its own, as by a payout file and the command
 * line. Where a payout has it already, that one is shown instead.
 */
export function PayAgain({ transfer }: Readonly<{ transfer: Transfer }>) {
  const { id, reference: earlier } = transfer;
  const book = useBook();
  const mayPay = useMay()('payouts:write');
  const api = useBookApi();
  const key = useBookKey();
  const found = useQuery({
    queryKey: key('transfer', id, 'retry'),
    queryFn: async ({ signal }) => {
      const reference = await retryReference(earlier);
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
  if (made !== undefined) {
    return (
      <Link to={`/b/${book.id}/transfers/${made}`} className="btn">
        {texts.retryMade}
      </Link>
    );
  }
  if (!mayPay) return null;
  const search = { ...detailsOf(transfer), reference, retryOf: earlier };
  return (
    <Link to={`/b/${book.id}/pay`} search={search} className="btn">
      {texts.payAgain}
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
