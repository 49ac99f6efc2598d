import { useState } from 'react';
import type { StaffWallet } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { formatSums } from '../../format/format-amount.ts';
import { readAmount } from '../../format/read-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { AmountField, TextField } from '../../parts/field.tsx';
import { Says } from '../../parts/says.tsx';
import { merchant } from '../../texts/en/merchants.ts';
import { ActDialog } from '../staff/act-dialog.tsx';

const texts = merchant.fund;
const REFERENCE_LENGTH_MAX = 100;

type Given = Readonly<{ wallet: StaffWallet; onClose: () => void }>;

/** Books money that arrived. Its box repeats amount, currency, wallet and book. */
export function FundDialog({ wallet, onClose }: Given) {
  const { id, currency, name, mode } = wallet;
  const act = useStaffAct();
  const inactive = useInactive();
  const [typed, setTyped] = useState('');
  const [reference, setReference] = useState('');
  const { amount, problem } = readAmount(typed);
  const sum = amount === undefined ? undefined : formatSums([{ currency, sum: amount }]);
  const label = sum === undefined ? texts.nothing : texts.do(sum);
  return (
    <ActDialog
      title={texts.title(name)}
      actLabel={mode === 'test' ? `${label}${texts.test}` : label}
      needsStepUp
      inactive={
        inactive('wallets:fund') ??
        (amount === undefined
          ? (problem ?? texts.amountFirst)
          : reference.trim() === ''
            ? texts.referenceFirst
            : undefined)
      }
      onClose={onClose}
      onAct={async () => {
        const { already } = await act<{ already: boolean }>({
          path: `/wallets/${id}/fund`,
          body: { amount: Number(amount), reference: reference.trim() },
        });
        if (already) toast(texts.already, 'info');
        else toast(texts.done(sum ?? '', name));
      }}
    >
      <AmountField
        label={texts.amount}
        currency={currency}
        value={typed}
        problem={problem}
        onChange={setTyped}
      />
      <TextField
        label={texts.reference}
        help={texts.referenceHelp}
        autoComplete="off"
        maxLength={REFERENCE_LENGTH_MAX}
        value={reference}
        onChange={setReference}
      />
      {amount !== undefined && (
        <Says lead={texts.says} book={wallet}>
          <p className="big">
            <Amount currency={currency} amount={amount} />
          </p>
          <p className="small">{texts.into(name, reference.trim())}</p>
        </Says>
      )}
    </ActDialog>
  );
}
