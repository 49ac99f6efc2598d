import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Transfer, TransferState } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey, useRolesNeeded } from '../../app/session.ts';
import { useIsConnected } from '../../app/stream.tsx';
import { useWalletNames } from '../../app/wallet-names.ts';
import { addAmounts, formatSums } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Says } from '../../parts/says.tsx';
import { shell } from '../../texts/en/shell.ts';
import { transfer as texts } from '../../texts/en/transfer.ts';
import { PayAgain } from './pay-again.tsx';

const CANCELLABLE: readonly TransferState[] = ['queued', 'scheduled'];
const ENDED: readonly TransferState[] = ['succeeded', 'failed', 'cancelled', 'reversed'];
/** The recipient has no money: paying again is a thing to offer. */
const UNPAID: readonly TransferState[] = ['failed', 'cancelled', 'reversed'];

/** Cancelling while it is possible; after an end without a payment, paying again. */
export function CancelAct({ transfer }: Readonly<{ transfer: Transfer }>) {
  const { state } = transfer;
  const needed = useRolesNeeded()('payouts:write');
  const isConnected = useIsConnected();
  const [isOpen, setOpen] = useState(false);
  if (UNPAID.includes(state)) return <PayAgain transfer={transfer} />;
  const isEnded = ENDED.includes(state);
  const reason = isEnded
    ? texts.cancel.ended
    : !CANCELLABLE.includes(state)
      ? state === 'awaiting_approval'
        ? texts.cancel.awaits
        : texts.cancel.mayBePaid
      : needed !== undefined
        ? shell.onlyRoles(needed)
        : isConnected
          ? undefined
          : texts.cancel.offline;
  return (
    <>
      <div className="foot-act">
        <Button kind="danger" inactive={reason} onClick={() => setOpen(true)}>
          {texts.cancel.act}
        </Button>
        {reason !== undefined && (
          <p className="help" aria-hidden="true">
            {reason}
          </p>
        )}
      </div>
      {isOpen && <CancelConfirm transfer={transfer} onClose={() => setOpen(false)} />}
    </>
  );
}

function CancelConfirm({
  transfer,
  onClose,
}: Readonly<{ transfer: Transfer; onClose: () => void }>) {
  const { id, currency, amount, fee, reference, walletId } = transfer;
  const nameOf = useWalletNames();
  const { mode } = useBook();
  const api = useBookApi();
  const key = useBookKey();
  const queries = useQueryClient();
  const total = addAmounts([amount, fee]);
  const sum = formatSums([{ currency, sum: amount }]);
  return (
    <Confirm
      title={texts.cancel.title}
      keepLabel={texts.cancel.keep}
      isDanger
      actLabel={`${texts.cancel.button(sum)}${mode === 'test' ? texts.cancel.test : ''}`}
      onClose={onClose}
      onAct={async () => {
        const now = await api<Transfer>({ method: 'POST', path: `/transfers/${id}/cancel` });
        queries.setQueryData(key('transfer', id), now);
        void queries.invalidateQueries({ queryKey: key('transfer', id) });
        toast(texts.cancel.done(sum));
      }}
    >
      <Says lead={texts.cancel.lead}>
        <p className="strong">
          {texts.cancel.one} <Amount currency={currency} amount={amount} />{' '}
          <span className="id">{reference}</span>
        </p>
      </Says>
      <p>
        {texts.cancel.detail(
          formatSums([{ currency, sum: total }]),
          nameOf({ id: walletId, currency }),
        )}
      </p>
    </Confirm>
  );
}
