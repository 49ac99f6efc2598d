import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { hasCode } from '../../api/api-error.ts';
import type { Wallet } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { Page } from '../../app/page.tsx';
import { useBook, useBookKey } from '../../app/session.ts';
import { useWalletNames } from '../../app/wallet-names.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { PartFailed } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Note } from '../../parts/note.tsx';
import { Id } from '../../parts/words.tsx';
import { placeNames } from '../../texts/en/places.ts';
import { wallet as texts } from '../../texts/en/wallet.ts';
import { StatementCard } from './statement-card.tsx';

export default function WalletScreen() {
  const { walletId = '' } = useParams({ strict: false }) as { walletId?: string };
  const api = useBookApi();
  const key = useBookKey();
  const book = useBook();
  const found = useQuery({
    queryKey: key('wallets', walletId),
    queryFn: ({ signal }) => api<Wallet>({ path: `/wallets/${walletId}`, signal }),
  });
  const wallet = found.data;
  const nameOf = useWalletNames();
  const crumbs = [
    <Link key="list" to={`/b/${book.id}/wallets`}>
      {placeNames.wallets}
    </Link>,
  ];
  const title = wallet === undefined ? placeNames.wallet : nameOf(wallet);
  return (
    <Page title={title} crumbs={crumbs} intro={<Id id={walletId} whole what={texts.id} />}>
      {wallet !== undefined ? (
        <div className="stack">
          {wallet.status === 'frozen' && <Note tone="caution">{texts.frozen}</Note>}
          <Balances wallet={wallet} />
          <StatementCard wallet={wallet} />
        </div>
      ) : (
        <Card>
          {hasCode(found.error, 'WALLET_NOT_FOUND') ? (
            <div className="card-pad">
              <Note tone="info">{texts.gone}</Note>
            </div>
          ) : found.isError ? (
            <PartFailed error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <LoadingRows />
          )}
        </Card>
      )}
    </Page>
  );
}

function Balances({ wallet }: Readonly<{ wallet: Wallet }>) {
  const { currency, available, held } = wallet;
  return (
    <section className="card card-pad wallet-nums" aria-label={texts.available}>
      <div>
        <p className="label">{texts.available}</p>
        <p>
          <Amount currency={currency} amount={available} size="huge" />
        </p>
        <p className="help">{texts.availableHelp}</p>
      </div>
      <div>
        <p className="label">{texts.held}</p>
        <p>
          <Amount currency={currency} amount={held} size="big" />
        </p>
        <p className="help">{texts.heldHelp}</p>
      </div>
    </section>
  );
}
