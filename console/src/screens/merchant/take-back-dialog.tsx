import { useState } from 'react';
import type { StaffWallet } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { formatSums } from '../../format/format-amount.ts';
import { toast } from '../../parts/announce.tsx';
import { TextField } from '../../parts/field.tsx';
import { Says } from '../../parts/says.tsx';
import { merchant } from '../../texts/en/merchants.ts';
import { ReasonDialog } from '../staff/reason-dialog.tsx';

const texts = merchant.takeBack;
const REFERENCE_LENGTH_MAX = 100;

type Given = Readonly<{ wallet: StaffWallet; onClose: () => void }>;
type TakenBack = Readonly<{ result: 'proposed' | 'confirmed'; amount: string }>;

/** Takes a whole funding back, by two people. The form starts empty, for the second person too. */
export function TakeBackDialog({ wallet, onClose }: Given) {
  const { id, currency, name } = wallet;
  const act = useStaffAct();
  const inactive = useInactive();
  const [typed, setTyped] = useState('');
  const fundingReference = typed.trim();
  return (
    <ReasonDialog
      title={texts.title(name)}
      actLabel={texts.do(fundingReference)}
      isDanger
      needsStepUp
      inactive={
        inactive('wallets:fund') ?? (fundingReference === '' ? texts.referenceFirst : undefined)
      }
      onClose={onClose}
      onAct={async (reason) => {
        const { result, amount } = await act<TakenBack>({
          path: `/wallets/${id}/take-back`,
          body: { fundingReference, reason },
        });
        const sum = formatSums([{ currency, sum: amount }]);
        toast(result === 'proposed' ? texts.proposed(sum) : texts.confirmed(sum));
      }}
    >
      <TextField
        label={texts.reference}
        help={texts.help}
        autoComplete="off"
        maxLength={REFERENCE_LENGTH_MAX}
        value={typed}
        onChange={setTyped}
      />
      <Says lead={texts.says} book={wallet}>
        <p>{texts.from(name, fundingReference)}</p>
        <p className="small">{texts.twoPeople}</p>
      </Says>
    </ReasonDialog>
  );
}
