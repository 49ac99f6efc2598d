import { useState } from 'react';
import type { StaffTransfer } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { addAmounts, formatSums } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { TextAreaField } from '../../parts/field.tsx';
import { Says } from '../../parts/says.tsx';
import { staffTransfers } from '../../texts/en/staff-transfers.ts';

const texts = staffTransfers.page;
const REASON_LENGTH_MAX = 500;

/** Cancels a queued payout for its merchant, with a reason. */
export function CancelAct({ transfer }: Readonly<{ transfer: StaffTransfer }>) {
  const { id, currency, amount, fee } = transfer;
  const act = useStaffAct();
  const inactive = useInactive();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const sum = formatSums([{ currency, sum: amount }]);
  return (
    <>
      <Button kind="danger" inactive={inactive('transfers:cancel')} onClick={() => setOpen(true)}>
        {texts.cancel}
      </Button>
      {isOpen && (
        <Confirm
          title={texts.cancelTitle}
          actLabel={texts.cancelAct(sum)}
          keepLabel={texts.keep}
          isDanger
          inactive={reason.trim() === '' ? texts.reasonFirst : undefined}
          onClose={() => setOpen(false)}
          onAct={async () => {
            await act({ path: `/transfers/${id}/cancel`, body: { reason: reason.trim() } });
            toast(texts.cancelled(sum));
          }}
        >
          <TextAreaField
            label={texts.reason}
            help={texts.reasonHelp}
            maxLength={REASON_LENGTH_MAX}
            value={reason}
            onChange={setReason}
          />
          <Says lead={texts.cancelSays} book={transfer}>
            <p className="big">
              <Amount currency={currency} amount={amount} />
            </p>
            <p className="small">
              <Amount currency={currency} amount={addAmounts([amount, fee])} /> {texts.cancelDetail}
            </p>
          </Says>
        </Confirm>
      )}
    </>
  );
}
