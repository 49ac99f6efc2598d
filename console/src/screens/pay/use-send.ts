import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError, NoAnswer } from '../../api/api-error.ts';
import type { Page } from '../../api/page.ts';
import type { Transfer } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook } from '../../app/session.ts';
import { formatSums } from '../../format/format-amount.ts';
import { toast } from '../../parts/announce.tsx';
import { pay as texts } from '../../texts/en/pay.ts';

type Order = Readonly<Record<string, string | number>>;

/** The result of the sent order, with the reference under which it was sent. */
export type Outcome = Readonly<
  | { kind: 'none' }
  | { kind: 'refused'; reference: string; error: unknown }
  /** `error`: why it could not be looked up. */
  | { kind: 'unknown'; reference: string; error?: unknown }
  /** Looked up and not found: the service may still wait, such as for a locked wallet, and store it later. */
  | { kind: 'absent'; reference: string; error?: unknown }
>;

/** Sends the order once. A second click while it is under way does nothing; a later one has the same reference. */
export function useSend(onRefused: (error: unknown) => void) {
  const api = useBookApi();
  const book = useBook();
  const navigate = useNavigate();
  const isSending = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const [isReferenceFixed, setReferenceFixed] = useState(false);
  const show = ({ id }: Transfer) =>
    navigate({ to: `/b/${book.id}/transfers/${id}`, replace: true });
  const run = async (act: () => Promise<void>, failed: (error: unknown) => Outcome) => {
    if (isSending.current) return;
    isSending.current = true;
    setBusy(true);
    try {
      await act();
    } catch (error) {
      const next = failed(error);
      setOutcome(next);
      if (next.kind === 'unknown') setReferenceFixed(true);
      if (next.kind === 'refused') onRefused(error);
    } finally {
      isSending.current = false;
      setBusy(false);
    }
  };
  return {
    outcome,
    isBusy,
    /** The form cannot be changed until the result is known. */
    isLocked: isBusy || outcome.kind === 'unknown' || outcome.kind === 'absent',
    /**
     * After an answer that was lost, also when the next try is refused: the first one may still be stored, and another
     * reference would be another payout.
     */
    isReferenceFixed,
    /** Hides the refusal, because its cause is being checked again. */
    forgetRefusal: () => {
      if (outcome.kind === 'refused') setOutcome({ kind: 'none' });
    },
    send: (order: Order, name: string) => {
      const reference = String(order['reference']);
      return run(
        async () => {
          setOutcome({ kind: 'none' });
          const transfer = await api<Transfer>({
            method: 'POST',
            path: '/transfers/mobile-money',
            body: order,
          });
          const { currency, amount } = transfer;
          toast(texts.done(formatSums([{ currency, sum: amount }]), name));
          await show(transfer);
        },
        (error) =>
          isUnknown(error) ? { kind: 'unknown', reference } : { kind: 'refused', reference, error },
      );
    },
    lookUp: (reference: string) =>
      run(
        async () => {
          const query = { reference };
          const [transfer] = (await api<Page<Transfer>>({ path: '/transfers', query })).items;
          if (transfer === undefined) setOutcome({ kind: 'absent', reference });
          else await show(transfer);
        },
        (error) =>
          outcome.kind === 'none' ? { kind: 'refused', reference, error } : { ...outcome, error },
      ),
  };
}

/** An answer of a service in trouble does not say whether the order was stored before the trouble. */
function isUnknown(error: unknown): boolean {
  return error instanceof NoAnswer || (error instanceof ApiError && error.status >= 500);
}
