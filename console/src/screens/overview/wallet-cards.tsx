import { Link } from '@tanstack/react-router';
import type { OverviewWallet } from '../../api/transfer-types.ts';
import { useBook } from '../../app/session.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Tag } from '../../parts/words.tsx';
import { overview as texts } from '../../texts/en/overview.ts';
import { states } from '../../texts/en/states.ts';
import { nameOfWallet } from '../transfers/transfer-filters.ts';

/** More are in the list of wallets. */
const SHOWN_MAX = 6;

export function WalletCards({ wallets }: Readonly<{ wallets: readonly OverviewWallet[] }>) {
  if (wallets.length === 0) {
    return (
      <Card>
        <Empty icon="wallet" title={texts.wallets.none}>
          {texts.wallets.noneDetail}
        </Empty>
      </Card>
    );
  }
  return (
    <div className="grid g2 grid-flush">
      {/* The service lists the newest first; the first wallet is most often the main one. */}
      {wallets
        .toReversed()
        .slice(0, SHOWN_MAX)
        .map((wallet) => (
          <WalletCard key={wallet.id} wallet={wallet} />
        ))}
    </div>
  );
}

function WalletCard({ wallet }: Readonly<{ wallet: OverviewWallet }>) {
  const book = useBook();
  const { id, currency, available, held, heldFor, lowBalance, status } = wallet;
  const isLow = lowBalance !== null && Number(available) < Number(lowBalance);
  const name = nameOfWallet(wallet);
  return (
    <section className="card card-pad wallet" aria-label={name}>
      <div className="wallet-head">
        <h2>
          {name} {isLow && <Tag tone="caution">{texts.wallets.low}</Tag>}
          {status === 'frozen' && <Tag tone="caution">{texts.wallets.frozen}</Tag>}
        </h2>
        <Link className="small" to={`/b/${book.id}/wallets/${id}`}>
          {texts.wallets.open}
        </Link>
      </div>
      <div className="wallet-nums">
        <p>
          <span className="faint small">{texts.wallets.available}</span>
          <br />
          <Amount currency={currency} amount={available} size="huge" />
        </p>
        <p>
          <span className="faint small">{texts.wallets.held}</span>
          <br />
          <Amount currency={currency} amount={held} size="big" />
        </p>
      </div>
      <ul className="wallet-held">
        {heldFor.length === 0 ? (
          <li>{texts.wallets.nothingHeld}</li>
        ) : (
          heldFor.map(({ state, sum }) => (
            <li key={state}>
              <Link to={`/b/${book.id}/transfers`} search={{ state, walletId: id }}>
                {states[state].word}
              </Link>{' '}
              <Amount currency={currency} amount={sum} />
            </li>
          ))
        )}
      </ul>
    </section>
  );
}
