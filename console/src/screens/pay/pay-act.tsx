import { hasCode } from '../../api/api-error.ts';
import type { Preflight } from '../../api/transfer-types.ts';
import { useBook } from '../../app/session.ts';
import { useIsConnected } from '../../app/stream.tsx';
import { formatSums } from '../../format/format-amount.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { readAmount } from '../../format/read-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { Button } from '../../parts/button.tsx';
import { Refused, sayError } from '../../parts/failure.tsx';
import { useHalfTyped } from '../../parts/half-typed.tsx';
import { Note } from '../../parts/note.tsx';
import { PaidWhen } from '../../parts/paid-when.tsx';
import { Says } from '../../parts/says.tsx';
import { pay as texts } from '../../texts/en/pay.ts';
import { shell } from '../../texts/en/shell.ts';
import { EARLIER_MAY_BE_PAID, EarlierNote, earlierIn } from './earlier-note.tsx';
import type { PayForm } from './pay-form.ts';
import type { Outcome, useSend } from './use-send.ts';
import { warningsOf } from './warned-note.tsx';

type Given = Readonly<{
  form: PayForm;
  order: Readonly<Record<string, string | number>>;
  currency: string;
  preflight: Preflight | undefined;
  isChecking: boolean;
  /** The similar payout, and what the policy warns of. */
  isAnswered: boolean;
  isWarningAnswered: boolean;
  sending: ReturnType<typeof useSend>;
  onCheckAgain: () => void;
}>;

/** The box that repeats what is paid, the button, and the result. */
export function PayAct(given: Given) {
  const { form, order, currency } = given;
  const { mode } = useBook();
  const { outcome, isBusy, send, lookUp } = given.sending;
  const inactive = useReason(given);
  const isRefusedAsPaid = outcome.kind === 'refused' && hasCode(outcome.error, EARLIER_MAY_BE_PAID);
  const mayBePaid =
    isRefusedAsPaid || (outcome.kind === 'none' && earlierIn(given.preflight) !== undefined);
  const { amount } = readAmount(form.amount);
  const name = form.name.trim() === '' ? formatPhone(form.phone.trim()) : form.name.trim();
  const isWhole = amount !== undefined && name !== '';
  const needsApproval = (given.preflight?.approvals.needed ?? 0) > 0;
  const say = needsApproval ? texts.actAsk : texts.act;
  const label = isWhole ? say(formatSums([{ currency, sum: amount }]), name) : texts.actPlain;
  return (
    <>
      {isWhole && (
        <Says lead={texts.says.lead}>
          <p className="strong">
            {texts.says.one} <Amount currency={currency} amount={amount} /> {texts.says.to(name)}
          </p>
          <PaidWhen
            at={order['sendAt'] === undefined ? undefined : String(order['sendAt'])}
            lead={texts.says.at}
            atOnce={needsApproval ? texts.says.approved : texts.says.atOnce}
          />
        </Says>
      )}
      {outcome.kind === 'none' && !given.isChecking && hasDuplicate(given.preflight) && (
        <DuplicateNote onLookUp={() => void lookUp(String(order['reference']))} />
      )}
      {mayBePaid && (
        <EarlierNote
          transferId={earlierIn(given.preflight)?.transferId}
          isChecking={given.isChecking}
          onCheck={given.onCheckAgain}
        />
      )}
      {!isRefusedAsPaid && (
        <OutcomeNote outcome={outcome} onLookUp={(reference) => void lookUp(reference)} />
      )}
      <div className="stack-s">
        <Button
          kind="main"
          size="lg"
          isBlock
          isBusy={isBusy}
          inactive={inactive}
          onClick={() => void send(order, name)}
        >
          {label}
          {mode === 'test' && texts.test}
        </Button>
        {inactive !== undefined && (
          <p className="help" aria-hidden="true">
            {inactive}
          </p>
        )}
      </div>
    </>
  );
}

function useReason(given: Given): string | undefined {
  const { form, order, preflight, isChecking, isAnswered, isWarningAnswered } = given;
  const { outcome } = given.sending;
  const isConnected = useIsConnected();
  const halfTyped = useHalfTyped();
  if (outcome.kind === 'unknown') return texts.inactive.lookUp;
  if (!isConnected) return texts.inactive.offline;
  // The same order once more: what there was to correct or to answer was done before it was sent first.
  if (outcome.kind === 'absent') return undefined;
  const missing = [
    ...(form.phone.trim() === '' ? [texts.phone] : []),
    ...(order['operator'] === undefined ? [texts.operator] : []),
    ...(form.amount.trim() === '' ? [texts.amount] : []),
    ...(order['reference'] === undefined ? [texts.reference] : []),
  ];
  if (missing.length > 0) {
    return texts.inactive.missing(missing.map((field) => field.toLowerCase()));
  }
  if (order['amount'] === undefined) return shell.correctFirst;
  if (halfTyped !== undefined) return halfTyped;
  if (isChecking) return texts.inactive.checking;
  if (hasDuplicate(preflight)) return texts.inactive.duplicate;
  if (earlierIn(preflight) !== undefined) return texts.inactive.earlier;
  if (preflight !== undefined && preflight.problems.length > 0) return shell.correctFirst;
  if (preflight !== undefined && preflight.similar.length > 0 && !isAnswered) {
    return texts.inactive.similar;
  }
  if (preflight !== undefined && warningsOf(preflight).length > 0 && !isWarningAnswered) {
    return texts.inactive.warned;
  }
  return undefined;
}

function hasDuplicate(preflight: Preflight | undefined): boolean {
  return preflight?.problems.some(({ code }) => code === 'DUPLICATE_REFERENCE') ?? false;
}

/** It may be this payout, or one with other details: the reader looks at it. */
function DuplicateNote({ onLookUp }: Readonly<{ onLookUp: () => void }>) {
  return (
    <Note tone="caution" isAlert>
      <p>
        <b>{texts.duplicate.title}</b>
      </p>
      <p>{texts.duplicate.detail}</p>
      <Button size="sm" onClick={onLookUp}>
        {texts.duplicate.act}
      </Button>
    </Note>
  );
}

type OutcomeGiven = Readonly<{ outcome: Outcome; onLookUp: (reference: string) => void }>;

/** Never "failed" where it is not known. */
function OutcomeNote({ outcome, onLookUp }: OutcomeGiven) {
  switch (outcome.kind) {
    case 'none':
      return null;
    case 'absent':
    case 'unknown':
      return (
        <Note tone="caution" isAlert>
          <p>
            <b>{outcome.kind === 'absent' ? texts.notKnown.absent : texts.notKnown.title}</b>
          </p>
          <p>{outcome.kind === 'absent' ? texts.notKnown.absentDetail : texts.notKnown.detail}</p>
          {outcome.error !== undefined && (
            <p>
              {texts.notKnown.failed} {sayError(outcome.error)}
            </p>
          )}
          <Button size="sm" onClick={() => onLookUp(outcome.reference)}>
            {texts.notKnown.act}
          </Button>
        </Note>
      );
    case 'refused':
      return hasCode(outcome.error, 'DUPLICATE_REFERENCE') ? (
        <DuplicateNote onLookUp={() => onLookUp(outcome.reference)} />
      ) : (
        <Refused error={outcome.error} />
      );
    default: {
      const unhandled: never = outcome;
      throw new Error(`unhandled ${String(unhandled)}`);
    }
  }
}
