import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ownerOfPrefix } from '../../../../service/src/domain/number-prefix.ts';
import { COUNTRIES, isCountry, OPERATORS } from '../../../../service/src/domain/operator.ts';
import { ApiError } from '../../api/api-error.ts';
import type { Recipient } from '../../api/money-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { formatCountry, formatOperator } from '../../format/format-operator.ts';
import { toast } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { sayError } from '../../parts/failure.tsx';
import { SegmentField, SelectField, TextField } from '../../parts/field.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { Icon } from '../../parts/icon.tsx';
import { recipients } from '../../texts/en/recipients.ts';
import { shell } from '../../texts/en/shell.ts';

const texts = recipients.form;
/** Asked this long after the last key. */
const TYPING_MS = 300;
/** Shorter texts are no whole number yet. */
const DIGITS_MIN = 9;

type Account = Readonly<{ phone: string; operator: string; country: string }>;

export function RecipientForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const queries = useQueryClient();
  const [account, setAccount] = useState<Account>({ phone: '', operator: '', country: 'zm' });
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const change = (part: Partial<Account>) => {
    setProblem(undefined);
    setAccount({ ...account, ...part });
  };
  const add = async () => {
    try {
      const body = { ...account, accountName: name.trim() === '' ? null : name.trim() };
      const stored = await api<Recipient>({
        method: 'POST',
        path: '/transfer-recipients/mobile-money',
        body,
      });
      toast(stored.accountName === null ? texts.donePending : texts.done(stored.accountName));
    } catch (error) {
      if (error instanceof ApiError) setProblem(error.problemOf('phone'));
      throw error;
    }
    onClose();
    await queries.invalidateQueries({ queryKey: key('recipients') });
  };
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <GuardedAct
        needsFactor={false}
        actLabel={shell.inTest(texts.act, mode)}
        inactive={inactiveOf(account)}
        onKeep={onClose}
        onAct={add}
      >
        <SegmentField
          label={texts.country}
          value={account.country}
          options={COUNTRIES.map((one) => ({ value: one, label: formatCountry(one) }))}
          onChange={(country) => change({ country })}
        />
        <TextField
          label={texts.phone}
          help={texts.phoneHelp}
          problem={problem}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={account.phone}
          onChange={(phone) => change({ phone, ...predicted(phone, account) })}
        />
        <SelectField
          label={texts.operator}
          value={account.operator}
          options={[
            { value: '', label: texts.choose },
            ...OPERATORS.map((one) => ({ value: one, label: formatOperator(one) })),
          ]}
          onChange={(operator) => change({ operator })}
        />
        <FoundName account={account} />
        <TextField
          label={texts.name}
          help={texts.nameHelp}
          isOptional
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
      </GuardedAct>
    </Dialog>
  );
}

/** The operator that the number's range belongs to, as long as the reader has not chosen another. */
function predicted(phone: string, { country, operator }: Account): Partial<Account> {
  const before = operatorOf(phone, country);
  const isOwnChoice = operator !== '' && operator !== before && phone.length > DIGITS_MIN;
  return before === undefined || isOwnChoice ? {} : { operator: before };
}

function operatorOf(phone: string, country: string): string | undefined {
  const national = phone.replace(/\D/g, '').replace(/^(?:260|234|0)/, '');
  const owner = isCountry(country) ? ownerOfPrefix(national, country) : undefined;
  return OPERATORS.find((one) => one === owner);
}

function inactiveOf({ phone, operator }: Account): string | undefined {
  if (phone.trim() === '') return texts.needsPhone;
  return operator === '' ? texts.needsOperator : undefined;
}

/** The name at the operator, asked while the reader types. */
function FoundName({ account }: Readonly<{ account: Account }>) {
  const api = useBookApi();
  const key = useBookKey();
  const asked = useSettled(account);
  const isWhole = asked.operator !== '' && asked.phone.replace(/\D/g, '').length >= DIGITS_MIN;
  const found = useQuery({
    queryKey: key('resolve', asked),
    queryFn: ({ signal }) =>
      api<{ accountName: string }>({
        method: 'POST',
        path: '/resolve/mobile-money',
        body: asked,
        signal,
      }),
    enabled: isWhole,
    retry: false,
    // Names that are looked up count for the day: what else happens in the book is no reason to ask again.
    meta: { isList: true },
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  });
  return (
    <div role="status" className="found-name">
      {isWhole && found.isFetching && <p className="help">{texts.looking}</p>}
      {isWhole && found.data !== undefined && (
        <p className="found">
          <Icon name="succeeded" />
          {texts.found(found.data.accountName)}
        </p>
      )}
      {isWhole && found.isError && !found.isFetching && (
        <p className="problem">
          <Icon name="alert" />
          {found.error instanceof ApiError
            ? (found.error.fields[0]?.message ?? found.error.message)
            : `${sayError(found.error)} ${texts.later}`}
        </p>
      )}
    </div>
  );
}

/** The value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
