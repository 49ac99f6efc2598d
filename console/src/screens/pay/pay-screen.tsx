import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Page as ListPage } from '../../api/page.ts';
import type { OperatorPair } from '../../api/transfer-types.ts';
import type { Wallet } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { Page } from '../../app/page.tsx';
import { usePreferences } from '../../app/preferences.ts';
import { useBookKey, useRolesNeeded } from '../../app/session.ts';
import { useNamedWallets } from '../../app/wallet-names.ts';
import { dayOf } from '../../format/day-start.ts';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Note } from '../../parts/note.tsx';
import { pay as texts } from '../../texts/en/pay.ts';
import { placeNames } from '../../texts/en/places.ts';
import { shell } from '../../texts/en/shell.ts';
import { makeReference } from './pay-form.ts';
import { PayFormCard } from './pay-form-card.tsx';

type Search = Readonly<
  Partial<
    Record<
      | 'reference'
      | 'phone'
      | 'operator'
      | 'name'
      | 'amount'
      | 'walletId'
      | 'narration'
      /** The reference of the payout that is paid again, from which the reference follows. */
      | 'retryOf',
      string
    >
  >
>;

export default function PayScreen() {
  const needed = useRolesNeeded()('payouts:write');
  return (
    <Page title={placeNames.pay} intro={texts.intro}>
      {needed === undefined ? (
        <PayPart />
      ) : (
        <Note tone="info">
          <p>{shell.onlyRoles(needed)}</p>
        </Note>
      )}
    </Page>
  );
}

function PayPart() {
  const search = useSearch({ strict: false }) as Search;
  const reference = useReference(search);
  const api = useBookApi();
  const key = useBookKey();
  const wallets = useQuery({
    queryKey: key('wallets', { limit: 100 }),
    queryFn: ({ signal }) =>
      api<ListPage<Wallet>>({ path: '/wallets', query: { limit: 100 }, signal }),
  });
  const named = useNamedWallets(wallets.data?.items);
  const operators = useQuery({
    queryKey: key('operators'),
    queryFn: ({ signal }) =>
      api<{ items: readonly OperatorPair[] }>({ path: '/operators', signal }),
    staleTime: 60_000,
  });
  const failed = [wallets, operators].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) {
    return (
      <Card>
        <PartFailed error={failed.error} onRetry={() => void failed.refetch()} />
      </Card>
    );
  }
  if (wallets.data === undefined || operators.data === undefined || reference === undefined) {
    return (
      <Card>
        <LoadingRows rows={5} />
      </Card>
    );
  }
  const [first] = wallets.data.items.filter(({ status }) => status === 'active');
  if (first === undefined) {
    return (
      <Card>
        <Empty icon="wallet" title={texts.noWallets}>
          {texts.noWalletsDetail}
        </Empty>
      </Card>
    );
  }
  const isKnown = wallets.data.items.some(({ id }) => id === search.walletId);
  return (
    <PayFormCard
      // A new reference is a new payout: an empty form.
      key={reference}
      wallets={named}
      operators={operators.data.items}
      isRetry={search.retryOf !== undefined}
      begin={{
        walletId: isKnown ? (search.walletId ?? first.id) : first.id,
        phone: search.phone ?? '',
        operator: search.operator ?? '',
        name: search.name ?? '',
        amount: search.amount ?? '',
        reference,
        narration: search.narration ?? '',
        sendAt: '',
      }}
    />
  );
}

/**
 * Made when the form opens and kept in the address: after a reload, or in a second tab of the same address, the same
 * payout has the same reference and cannot be paid twice.
 */
function useReference({ reference }: Search): string | undefined {
  const { timeZone } = usePreferences();
  const navigate = useNavigate();
  useEffect(() => {
    if (reference !== undefined) return;
    const bytes = crypto.getRandomValues(new Uint8Array(8));
    const made = makeReference(dayOf(new Date(), timeZone), bytes);
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, reference: made }) as never,
      replace: true,
    });
  }, [reference, navigate, timeZone]);
  return reference;
}
