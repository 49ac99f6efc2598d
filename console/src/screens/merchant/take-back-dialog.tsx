import { useState } from 'react';
import type { Some, StaffWallet, TakeBack } from '../../api/staff-types.ts';
import { useSession } from '../../app/session.ts';
import { askAnew, useInactive, useStaffAct, useStaffQuery } from '../../app/staff-api.ts';
import { formatSums } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { TextField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { Says } from '../../parts/says.tsx';
import { merchant } from '../../texts/en/merchants.ts';
import { shell } from '../../texts/en/shell.ts';
import { ReasonDialog } from '../staff/reason-dialog.tsx';
import { findStep, isSameStep, type TakeBackStep } from './take-back-step.ts';

const texts = merchant.takeBack;
const REFERENCE_LENGTH_MAX = 100;

type Given = Readonly<{ wallet: StaffWallet; onClose: () => void }>;
type TakenBack = Readonly<{ result: 'proposed' | 'confirmed'; amount: string }>;

/** Takes a whole funding back, by two people. The form starts empty, for the second person too. */
export function TakeBackDialog({ wallet, onClose }: Given) {
  const { id, currency, name, mode } = wallet;
  const act = useStaffAct();
  const inactive = useInactive();
  const { person } = useSession();
  const found = useStaffQuery<Some<TakeBack>>({ path: '/take-backs' });
  const [typed, setTyped] = useState('');
  const [isChanged, setChanged] = useState(false);
  const fundingReference = typed.trim();
  const about = { walletId: id, fundingReference, myId: person.id };
  const step = findStep(found.data, { ...about, now: new Date() });
  const takeBack = async (reason: string) => {
    const now = findStep(await askAnew(found), { ...about, now: new Date() });
    setChanged(!isSameStep(step, now));
    if (!isSameStep(step, now)) return 'stay';
    const { result, amount } = await act<TakenBack>({
      path: `/wallets/${id}/take-back`,
      body: { fundingReference, reason, ...seenOf(step) },
    });
    const sum = formatSums([{ currency, sum: amount }]);
    toast(result === 'proposed' ? texts.proposed(sum) : texts.confirmed(sum));
    return undefined;
  };
  return (
    <ReasonDialog
      title={texts.title(name)}
      actLabel={shell.inTest(labelOf(step, fundingReference), mode)}
      isDanger
      needsStepUp
      inactive={inactive('wallets:fund') ?? whatIsMissing(step, fundingReference)}
      onClose={onClose}
      onAct={takeBack}
    >
      <TextField
        label={texts.reference}
        help={texts.help}
        autoComplete="off"
        maxLength={REFERENCE_LENGTH_MAX}
        value={typed}
        onChange={setTyped}
      />
      {fundingReference !== '' && step.kind !== 'own' && (
        <Says lead={texts.says[step.kind]} book={wallet}>
          {step.kind === 'carryOut' && (
            <p className="big">
              <Amount currency={currency} amount={step.takeBack.amount} />
            </p>
          )}
          <p>{texts.from(name, fundingReference)}</p>
          <p className="small">{sayStep(step)}</p>
        </Says>
      )}
      {isChanged && (
        <Note tone="caution" isAlert>
          <p>{texts.changed}</p>
        </Note>
      )}
    </ReasonDialog>
  );
}

/** Nothing is said where the list could not be read. */
function seenOf(step: TakeBackStep): Readonly<{ seen?: string }> {
  if (step.kind === 'unknown') return {};
  return { seen: 'takeBack' in step ? step.takeBack.id : 'none' };
}

function labelOf(step: TakeBackStep, reference: string): string {
  if (step.kind === 'carryOut') {
    const { currency, amount } = step.takeBack;
    return texts.carryOut(formatSums([{ currency, sum: amount }]));
  }
  return step.kind !== 'unknown' && reference !== '' ? texts.propose : texts.do;
}

function sayStep(step: TakeBackStep): string {
  if (step.kind === 'carryOut') return texts.carriesOut(step.takeBack.proposedBy.name);
  return step.kind === 'unknown' ? texts.unknown : texts.nothingYet;
}

function whatIsMissing({ kind }: TakeBackStep, reference: string): string | undefined {
  if (reference === '') return texts.referenceFirst;
  return kind === 'own' ? texts.ownFirst : undefined;
}
