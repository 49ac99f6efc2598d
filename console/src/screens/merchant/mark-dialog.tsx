import { useState } from 'react';
import type { StaffWallet } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { formatSums } from '../../format/format-amount.ts';
import { readAmount } from '../../format/read-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { AmountField } from '../../parts/field.tsx';
import { Says } from '../../parts/says.tsx';
import { merchant } from '../../texts/en/merchants.ts';
import { ActDialog } from '../staff/act-dialog.tsx';

type Given = Readonly<{ wallet: StaffWallet; mark: 'limit' | 'low'; onClose: () => void }>;

/** The daily limit of a wallet, or the balance below which its merchant gets an alert. Empty removes it. */
export function MarkDialog({ wallet, mark, onClose }: Given) {
  const { id, name, currency } = wallet;
  const texts = merchant[mark];
  const act = useStaffAct();
  const inactive = useInactive();
  const [typed, setTyped] = useState(
    (mark === 'limit' ? wallet.dailyLimit : wallet.lowBalance) ?? '',
  );
  const { amount, problem } = readAmount(typed);
  return (
    <ActDialog
      title={texts.title(name)}
      actLabel={
        amount === undefined ? texts.doNone : texts.do(formatSums([{ currency, sum: amount }]))
      }
      inactive={inactive('merchants:write') ?? problem}
      onClose={onClose}
      onAct={async () => {
        await act({
          path: `/wallets/${id}/${mark === 'limit' ? 'limit' : 'low-balance'}`,
          body: { amount: amount === undefined ? null : Number(amount) },
        });
        toast(texts.done);
      }}
    >
      <AmountField
        label={texts.label}
        help={texts.help}
        currency={currency}
        value={typed}
        problem={problem}
        onChange={setTyped}
      />
      <Says lead={texts.says} book={wallet}>
        <p className="big">
          {amount === undefined ? texts.none : <Amount currency={currency} amount={amount} />}
        </p>
        <p className="small">{name}</p>
      </Says>
    </ActDialog>
  );
}
