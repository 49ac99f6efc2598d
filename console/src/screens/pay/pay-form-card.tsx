import { useState } from 'react';
import { hasCode } from '../../api/api-error.ts';
import type { OperatorPair, Preflight } from '../../api/transfer-types.ts';
import type { Wallet } from '../../api/types.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useBook } from '../../app/session.ts';
import { formatAmount, formatSums } from '../../format/format-amount.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { readAmount } from '../../format/read-amount.ts';
import { AmountField, SelectField, TextField } from '../../parts/field.tsx';
import { Operator } from '../../parts/words.tsx';
import { pay as texts } from '../../texts/en/pay.ts';
import { nameOfWallet } from '../transfers/transfer-filters.ts';
import { Consequences } from './consequences.tsx';
import { EARLIER_MAY_BE_PAID } from './earlier-note.tsx';
import { FoundName } from './found-name.tsx';
import { PayAct } from './pay-act.tsx';
import { type PayForm, toOrder } from './pay-form.ts';
import { SimilarNote } from './similar-note.tsx';
import { usePreflight } from './use-preflight.ts';
import { useSend } from './use-send.ts';
import { WarnedNote, warningsOf } from './warned-note.tsx';

const NARRATION_LENGTH_MAX = 100;

type Given = Readonly<{
  wallets: readonly Wallet[];
  operators: readonly OperatorPair[];
  begin: PayForm;
  /** A payout is paid again: its reference follows from that one's, and cannot be changed. */
  isRetry: boolean;
}>;

/** The form at the left, its consequences at the right. */
export function PayFormCard({ wallets, operators, begin, isRetry }: Given) {
  const book = useBook();
  const [form, setForm] = useState(begin);
  const [prediction, setPrediction] = useState({ of: '', operator: '' });
  const [answered, setAnswered] = useState<ReadonlySet<string>>(new Set());
  // An amount that came with the address is judged at once.
  const [left, setLeft] = useState<ReadonlySet<string>>(
    new Set(begin.amount === '' ? [] : ['amount']),
  );
  const wallet = wallets.find(({ id }) => id === form.walletId);
  const currency = wallet?.currency ?? '';
  const pairs = operators.filter((pair) => pair.currency === currency);
  const country = pairs[0]?.country ?? '';
  // Only for the number that it was said of: another number may be another operator's.
  const numberOf = (one: PayForm) => `${country} ${one.phone.trim()}`;
  const predicted = prediction.of === numberOf(form) ? prediction.operator : '';
  const operator = form.operator === '' ? predicted : form.operator;
  const { timeZone } = usePreferences();
  const typed = readAmount(form.amount);
  const order = toOrder(form, { operator, country, timeZone });
  const { preflight, of, error, isChecking, checkAgain } = usePreflight(order);
  // What the operator may have paid is named by the check alone.
  const sending = useSend((refusal) => {
    if (hasCode(refusal, EARLIER_MAY_BE_PAID)) checkAgain();
  });
  const said = preflight?.operator.predicted ?? '';
  if (preflight !== undefined && of === numberOf(form) && said !== predicted) {
    setPrediction({ of, operator: said });
  }

  const set = (change: Partial<PayForm>) => {
    setForm({ ...form, ...change });
    // The answer was about another number or amount.
    if (change.phone !== undefined || change.amount !== undefined) setAnswered(new Set());
  };
  const questions = questionsOf(preflight);
  const answer = (asked: readonly string[]) => (isYes: boolean) =>
    setAnswered(
      new Set([...[...answered].filter((one) => !asked.includes(one)), ...(isYes ? asked : [])]),
    );
  const isAnother = questions.similar.every((one) => answered.has(one));
  const isWarned = questions.warned.every((one) => answered.has(one));
  const leave = (field: string) => () => setLeft(new Set([...left, field]));
  const problemOf = (field: keyof PayForm | 'recipientName') => {
    if (field === 'amount' && typed.problem !== undefined) {
      return left.has('amount') ? typed.problem : undefined;
    }
    return problemIn(preflight, field, left);
  };
  return (
    <div className="grid g-main-side g-top">
      <fieldset className="card card-pad form" disabled={sending.isLocked}>
        <SelectField
          label={texts.wallet}
          value={form.walletId}
          onChange={(walletId) => set({ walletId })}
          problem={problemOf('walletId')}
          options={wallets.map((one) => ({ value: one.id, label: sayWallet(one) }))}
        />
        <div className="form-row">
          <TextField
            label={texts.phone}
            type="tel"
            autoComplete="off"
            value={form.phone}
            onChange={(phone) => set({ phone })}
            onBlur={leave('phone')}
            problem={form.phone === '' ? undefined : problemOf('phone')}
            help={book.mode === 'test' ? texts.phoneTest : undefined}
          />
          <SelectField
            label={texts.operator}
            value={operator}
            onChange={(value) => set({ operator: value })}
            problem={operator === '' ? undefined : problemOf('operator')}
            help={sayPrediction(form.operator, predicted)}
            options={[
              ...(operator === '' ? [{ value: '', label: texts.choose }] : []),
              ...pairs.map((pair) => ({
                value: pair.operator,
                label: Operator({ operator: pair.operator, country: pair.country }),
              })),
            ]}
          />
        </div>
        <TextField
          label={texts.name}
          isOptional
          autoComplete="off"
          maxLength={NARRATION_LENGTH_MAX}
          value={form.name}
          onChange={(name) => set({ name })}
          problem={problemOf('recipientName')}
          help={
            <FoundName preflight={preflight} typed={form.name} onUse={(name) => set({ name })} />
          }
        />
        <div className="form-row">
          <AmountField
            label={texts.amount}
            currency={currency}
            value={form.amount}
            onChange={(amount) => set({ amount })}
            onBlur={() => {
              leave('amount')();
              if (typed.amount !== undefined) {
                setForm({ ...form, amount: formatAmount(typed.amount) });
              }
            }}
            problem={problemOf('amount')}
            help={sayBounds(preflight, currency)}
          />
          <TextField
            label={texts.reference}
            autoComplete="off"
            spellCheck={false}
            value={form.reference}
            onChange={(reference) => set({ reference })}
            disabled={sending.isReferenceFixed || isRetry}
            problem={problemOf('reference')}
            help={sayReference(sending.isReferenceFixed, isRetry)}
          />
        </div>
        <TextField
          label={texts.narration}
          isOptional
          autoComplete="off"
          maxLength={NARRATION_LENGTH_MAX}
          value={form.narration}
          onChange={(narration) => set({ narration })}
          problem={problemOf('narration')}
          help={texts.narrationHelp}
        />
        <TextField
          label={texts.sendAt}
          isOptional
          type="datetime-local"
          value={form.sendAt}
          onChange={(sendAt) => set({ sendAt })}
          problem={problemOf('sendAt')}
          help={texts.sendAtHelp}
        />
        {preflight !== undefined && preflight.similar.length > 0 && (
          <SimilarNote
            similar={preflight.similar}
            isAnswered={isAnother}
            onAnswer={answer(questions.similar)}
          />
        )}
        {preflight !== undefined && (
          <WarnedNote
            preflight={preflight}
            currency={currency}
            isAnswered={isWarned}
            onAnswer={answer(questions.warned)}
          />
        )}
      </fieldset>
      <div className="stack">
        <Consequences
          preflight={preflight}
          hasFailed={error !== undefined}
          isChecking={isChecking}
          currency={currency}
          amount={typed.amount === undefined ? undefined : Number(typed.amount)}
          order={order}
        />
        <PayAct
          form={form}
          order={order}
          currency={currency}
          preflight={preflight}
          isChecking={isChecking && error === undefined}
          isAnswered={isAnother}
          isWarningAnswered={isWarned}
          sending={sending}
          onCheckAgain={() => {
            sending.forgetRefusal();
            checkAgain();
          }}
        />
      </div>
    </div>
  );
}

/** Questions that the reader must answer before it is paid. An answer counts only for the question as it was shown. */
function questionsOf(preflight: Preflight | undefined) {
  const warned = preflight === undefined ? [] : warningsOf(preflight);
  return {
    similar: (preflight?.similar ?? []).map(({ id }) => id),
    warned: warned.map(({ code, rule, message }) => `${code} ${rule} ${message}`),
  };
}

/** A field is called wrong when it was left, or when it holds enough to be judged. */
function problemIn(
  preflight: Preflight | undefined,
  field: string,
  left: ReadonlySet<string>,
): string | undefined {
  const problem = preflight?.problems.find((one) => one.field === field);
  if (problem === undefined || problem.code === 'REQUIRED') return undefined;
  if (field === 'phone' && !left.has('phone')) return undefined;
  if (problem.code === EARLIER_MAY_BE_PAID) return texts.inactive.earlier;
  return problem.code === 'DUPLICATE_REFERENCE' ? texts.inactive.duplicate : problem.message;
}

function sayReference(isFixed: boolean, isRetry: boolean): string {
  if (isFixed) return texts.referenceFixed;
  return isRetry ? texts.referenceRetry : texts.referenceHelp;
}

function sayWallet(wallet: Wallet): string {
  const { currency, available, status } = wallet;
  const sum = formatSums([{ currency, sum: available }]);
  const words = [nameOfWallet(wallet), sum];
  return (status === 'frozen' ? [...words, texts.frozen] : words).join(' · ');
}

function sayPrediction(chosen: string, predicted: string): string | undefined {
  if (predicted === '') return undefined;
  return chosen === '' || chosen === predicted
    ? texts.predicted
    : texts.predictedOther(formatOperator(predicted));
}

function sayBounds(preflight: Preflight | undefined, currency: string): string | undefined {
  const { given = null, min = null, max = null } = preflight?.operator ?? {};
  if (given === null || min === null || max === null) return undefined;
  return texts.bounds(formatOperator(given), `${currency} ${formatAmount(min)}`, formatAmount(max));
}
