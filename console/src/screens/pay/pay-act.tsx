import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError, hasCode, NoAnswer } from '../../api/api-error.ts';
import type { Page } from '../../api/page.ts';
import type { Preflight } from '../../api/transfer-types.ts';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook } from '../../app/session.ts';
import { useIsConnected } from '../../app/stream.tsx';
import { formatSums } from '../../format/format-amount.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { readAmount } from '../../format/read-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Refused } from '../../parts/failure.tsx';
import { useHalfTyped } from '../../parts/half-typed.tsx';
import { Note } from '../../parts/note.tsx';
import { PaidWhen } from '../../parts/paid-when.tsx';
import { Says } from '../../parts/says.tsx';
import { pay as texts } from '../../texts/en/pay.ts';
import { shell } from '../../texts/en/shell.ts';
import type { PayForm } from './pay-form.ts';
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
}>;

/** The box that repeats what is paid, the button, and what became of it. */
export function PayAct(given: Given) {
  const { form, order, currency } = given;
  const { mode } = useBook();
  const { send, lookUp, isBusy, error, isAbsent } = useSend(order);
  const reason = useReason(given);
  const inactive = isUnknown(error) ? texts.inactive.lookUp : reason;
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
      {error !== undefined && <Outcome error={error} onLookUp={() => void lookUp()} />}
      {isAbsent && <Note tone="info">{texts.notKnown.absent}</Note>}
      <div className="stack-s">
        <Button
          kind="main"
          size="lg"
          isBlock
          isBusy={isBusy}
          inactive={inactive}
          onClick={() => void send(name)}
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
  const isConnected = useIsConnected();
  const halfTyped = useHalfTyped();
  if (!isConnected) return texts.inactive.offline;
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
  if (preflight !== undefined && preflight.problems.length > 0) return shell.correctFirst;
  if (preflight !== undefined && preflight.similar.length > 0 && !isAnswered) {
    return texts.inactive.similar;
  }
  if (preflight !== undefined && warningsOf(preflight).length > 0 && !isWarningAnswered) {
    return texts.inactive.warned;
  }
  return undefined;
}

/** Sends the order once. A second click while it is under way does nothing; a later one has the same reference. */
function useSend(order: Given['order']) {
  const api = useBookApi();
  const book = useBook();
  const navigate = useNavigate();
  const isSending = useRef(false);
  const [state, setState] = useState<
    Readonly<{ isBusy: boolean; error?: unknown; isAbsent?: boolean }>
  >({ isBusy: false });
  const show = ({ id }: Transfer) =>
    navigate({ to: `/b/${book.id}/transfers/${id}`, replace: true });
  const run = async (act: () => Promise<void>) => {
    if (isSending.current) return;
    isSending.current = true;
    setState({ isBusy: true });
    try {
      await act();
    } catch (error) {
      setState({ isBusy: false, error });
    } finally {
      isSending.current = false;
    }
  };
  return {
    isBusy: state.isBusy,
    error: state.error,
    isAbsent: state.isAbsent === true,
    send: (name: string) =>
      run(async () => {
        const transfer = await api<Transfer>({
          method: 'POST',
          path: '/transfers/mobile-money',
          body: order,
        });
        const { currency, amount } = transfer;
        toast(texts.done(formatSums([{ currency, sum: amount }]), name));
        await show(transfer);
      }),
    lookUp: () =>
      run(async () => {
        const found = await api<Page<Transfer>>({
          path: '/transfers',
          query: { reference: String(order['reference']) },
        });
        const [transfer] = found.items;
        if (transfer === undefined) setState({ isBusy: false, isAbsent: true });
        else await show(transfer);
      }),
  };
}

/** An answer of a service in trouble does not say whether the order was stored before the trouble. */
function isUnknown(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof ApiError && error.status >= 500);
}

/** Never "failed" where it is not known. */
function Outcome({ error, onLookUp }: Readonly<{ error: unknown; onLookUp: () => void }>) {
  if (isUnknown(error)) {
    return (
      <Note tone="caution" isAlert>
        <p>
          <b>{texts.notKnown.title}</b>
        </p>
        <p>{texts.notKnown.detail}</p>
        <Button size="sm" onClick={onLookUp}>
          {texts.notKnown.act}
        </Button>
      </Note>
    );
  }
  return (
    <>
      <Refused error={error} />
      {hasCode(error, 'DUPLICATE_REFERENCE') && (
        <Button size="sm" onClick={onLookUp}>
          {texts.duplicate}
        </Button>
      )}
    </>
  );
}
