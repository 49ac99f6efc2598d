import { useState } from 'react';
import type { Merchant, StaffWallet } from '../../api/staff-types.ts';
import { useInactive } from '../../app/staff-api.ts';
import { Amount } from '../../parts/amount.tsx';
import { balanceColumns } from '../../parts/balance-columns.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Id, ModeWord, Tag } from '../../parts/words.tsx';
import { merchant as words } from '../../texts/en/merchants.ts';
import { shell } from '../../texts/en/shell.ts';
import { OpenWallet } from './open-wallet.tsx';
import { type Change, WalletDialog } from './wallet-dialog.tsx';

const texts = words.wallets;

type Chosen = Readonly<{ wallet: StaffWallet; change: Change }>;

function columnsOf(onChoose: (chosen: Chosen) => void): readonly Column<StaffWallet>[] {
  return [
    {
      key: 'wallet',
      head: texts.wallet,
      isRowHead: true,
      fold: 'main',
      cell: ({ id, name, mode }) => (
        <span className="two">
          <span>
            {name} <ModeWord mode={mode} />
          </span>
          <small>
            <Id id={id} />
          </small>
        </span>
      ),
    },
    {
      key: 'state',
      head: texts.state,
      fold: 'state',
      cell: ({ status }) =>
        status === 'active' ? (
          <Tag tone="good">{texts.active}</Tag>
        ) : (
          <Tag tone="caution">{texts.frozen}</Tag>
        ),
    },
    {
      key: 'limit',
      head: texts.limit,
      isNumber: true,
      fold: 'hide',
      cell: ({ currency, dailyLimit }) => <Mark currency={currency} amount={dailyLimit} />,
    },
    {
      key: 'low',
      head: texts.low,
      isNumber: true,
      fold: 'hide',
      cell: ({ currency, lowBalance }) => <Mark currency={currency} amount={lowBalance} />,
    },
    ...balanceColumns(texts),
    {
      key: 'act',
      head: <span className="visually-hidden">{texts.act}</span>,
      isNumber: true,
      fold: 'act',
      cell: (wallet) => (
        <WalletActs wallet={wallet} onChoose={(change) => onChoose({ wallet, change })} />
      ),
    },
  ];
}

function Mark({ currency, amount }: Readonly<{ currency: string; amount: string | null }>) {
  return amount === null ? (
    <span className="faint">{texts.none}</span>
  ) : (
    <Amount currency={currency} amount={amount} />
  );
}

function WalletActs({
  wallet: { name, mode, status },
  onChoose,
}: Readonly<{ wallet: StaffWallet; onChoose: (change: Change) => void }>) {
  const inactive = useInactive();
  const modeWord = shell.modes[mode].word;
  const changes: readonly (readonly [Change, string])[] = [
    ['takeBack', words.takeBack.act],
    status === 'active' ? ['freeze', words.freeze.act] : ['unfreeze', words.unfreeze.act],
    ['limit', words.limit.act],
    ['low', words.low.act],
  ];
  return (
    <span className="row-acts">
      <Button
        size="sm"
        inactive={inactive('wallets:fund')}
        aria-label={texts.fundOf(name, modeWord)}
        onClick={() => onChoose('fund')}
      >
        {words.fund.act}
      </Button>
      <Menu
        className="btn btn-sm"
        label={texts.moreOf(name, modeWord)}
        align="end"
        items={changes.map(([change, label]) => ({
          key: change,
          content: label,
          onChoose: () => onChoose(change),
        }))}
      >
        {texts.more}
        <span className="visually-hidden"> {`${name}, ${modeWord}`}</span>
        <Icon name="down" />
      </Menu>
    </span>
  );
}

/** Live before test, each by name. */
export function WalletsCard({ merchant }: Readonly<{ merchant: Merchant }>) {
  const inactive = useInactive();
  const [chosen, setChosen] = useState<Chosen>();
  const [isOpening, setOpening] = useState(false);
  const rows = merchant.wallets.toSorted((a, b) =>
    a.mode === b.mode ? a.name.localeCompare(b.name) : a.mode === 'live' ? -1 : 1,
  );
  return (
    <Card
      title={texts.title}
      aside={
        <Button size="sm" inactive={inactive('merchants:write')} onClick={() => setOpening(true)}>
          {texts.open}
        </Button>
      }
    >
      {rows.length === 0 ? (
        <p className="card-pad pt-0 soft">{texts.empty}</p>
      ) : (
        <Table
          caption={texts.caption}
          columns={columnsOf(setChosen)}
          rows={rows}
          idOf={({ id }) => id}
        />
      )}
      {chosen !== undefined && (
        <WalletDialog
          wallet={chosen.wallet}
          change={chosen.change}
          onClose={() => setChosen(undefined)}
        />
      )}
      {isOpening && <OpenWallet merchant={merchant} onClose={() => setOpening(false)} />}
    </Card>
  );
}
