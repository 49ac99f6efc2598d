import { useState } from 'react';
import type { StaffFloat } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { formatSums } from '../../format/format-amount.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { TextAreaField, TextField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { float } from '../../texts/en/float.ts';
import { ActDialog } from '../staff/act-dialog.tsx';

const texts = float.explain;
const REASON_LENGTH_MAX = 500;
const SIGNED = /^-?[0-9]{1,13}(?:\.[0-9]{1,2})?$/;

export function ExplainFloat({ float: given }: Readonly<{ float: StaffFloat }>) {
  const inactive = useInactive();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" inactive={inactive('floats:write')} onClick={() => setOpen(true)}>
        {texts.open}
      </Button>
      {isOpen && <ExplainDialog float={given} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Says why our figure and the operator's differ. The amount begins as the whole difference. */
function ExplainDialog({
  float: { route, currency, difference, seen },
  onClose,
}: Readonly<{ float: StaffFloat; onClose: () => void }>) {
  const act = useStaffAct();
  const [typed, setTyped] = useState(Number(difference) === 0 ? '' : (difference ?? ''));
  const [reason, setReason] = useState('');
  // The difference that the person explains is the one at the opening, however the page changes under it.
  const [seenFirst] = useState(seen);
  const amount = typed.trim();
  const isAmount = SIGNED.test(amount) && Number(amount) !== 0;
  const sum = formatSums([{ currency, sum: amount.replace('-', '') }]);
  const first = isAmount ? undefined : texts.amountFirst;
  return (
    <ActDialog
      title={texts.title(route)}
      actLabel={texts.do}
      needsStepUp
      inactive={first ?? (reason.trim() === '' ? texts.reasonFirst : undefined)}
      onClose={onClose}
      onAct={async () => {
        await act({
          path: `/floats/${encodeURIComponent(route)}/explain`,
          body: { currency, amount, reason: reason.trim(), seen: seenFirst },
        });
        toast(texts.done(route));
      }}
    >
      <p className="soft">{texts.detail}</p>
      <TextField
        label={texts.amount(currency)}
        help={texts.amountHelp}
        inputMode="decimal"
        autoComplete="off"
        problem={amount !== '' && !isAmount ? texts.amountProblem : undefined}
        value={typed}
        onChange={setTyped}
      />
      <TextAreaField
        label={texts.reason}
        help={texts.reasonHelp}
        maxLength={REASON_LENGTH_MAX}
        value={reason}
        onChange={setReason}
      />
      {isAmount && (
        <Note tone="info">
          <p>{amount.startsWith('-') ? texts.left(sum) : texts.came(sum)}</p>
        </Note>
      )}
    </ActDialog>
  );
}
