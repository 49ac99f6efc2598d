import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { COUNTRIES, currencyOf } from '../../../../service/src/domain/operator.ts';
import { hasCode } from '../../api/api-error.ts';
import type { Page } from '../../api/page.ts';
import type { Schedule } from '../../api/schedule-types.ts';
import type { Wallet } from '../../api/types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { useNamedWallets } from '../../app/wallet-names.ts';
import { formatSums } from '../../format/format-amount.ts';
import { Amount } from '../../parts/amount.tsx';
import { toast } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SegmentField, SelectField, TextField } from '../../parts/field.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { Says } from '../../parts/says.tsx';
import { schedules } from '../../texts/en/schedules.ts';
import { shell } from '../../texts/en/shell.ts';
import { nameOfWallet } from '../transfers/transfer-filters.ts';
import { countOf, FileField, useCopyableFiles } from './file-field.tsx';
import { RecurrenceFields } from './recurrence-fields.tsx';
import { RowsFields } from './rows-fields.tsx';
import { beginDraft, missingIn, type ScheduleDraft, sumOf, toBody } from './schedule-draft.ts';

const texts = schedules.form;

type Given = Readonly<{
  /** Absent: a new one. */
  schedule?: Schedule;
  onClose: () => void;
}>;

/** Makes a schedule, or changes one. */
export function ScheduleForm({ schedule, onClose }: Given) {
  const api = useBookApi();
  const key = useBookKey();
  const query = { limit: 100 };
  const wallets = useQuery({
    queryKey: key('wallets', query),
    queryFn: ({ signal }) => api<Page<Wallet>>({ path: '/wallets', query, signal }),
  });
  const named = useNamedWallets(wallets.data?.items);
  const title = schedule === undefined ? texts.title : texts.change(schedule.name);
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      {wallets.data === undefined ? (
        <LoadingRows rows={4} />
      ) : (
        <FormPart schedule={schedule} wallets={named} onClose={onClose} />
      )}
    </Dialog>
  );
}

type PartGiven = Readonly<{
  schedule: Schedule | undefined;
  wallets: readonly Wallet[];
  onClose: () => void;
}>;

function FormPart({ schedule, wallets, onClose }: PartGiven) {
  const { mode } = useBook();
  const [draft, setDraft] = useState(() => beginDraft(schedule));
  const set = (change: Partial<ScheduleDraft>) => setDraft({ ...draft, ...change });
  const wallet = wallets.find(({ id }) => id === draft.walletId) ?? wallets[0];
  const currency = wallet?.currency ?? '';
  const country = COUNTRIES.find((one) => currencyOf(one) === currency) ?? '';
  const { save, isStale } = useSave(schedule, onClose);
  const files = useCopyableFiles(currency, draft.source === 'file');
  const paid = paidEachTime(draft, files);
  return (
    <GuardedAct
      needsFactor={false}
      actLabel={shell.inTest(sayAct(schedule, paid, currency), mode)}
      count={paid?.count}
      inactive={isStale ? texts.stale : missingIn(draft, country)}
      onKeep={onClose}
      onAct={() => save(toBody(draft, { walletId: wallet?.id ?? '', country }))}
    >
      <div className="form-row">
        <TextField
          label={texts.name}
          help={texts.nameHelp}
          maxLength={100}
          autoComplete="off"
          value={draft.name}
          onChange={(name) => set({ name })}
        />
        <SelectField
          label={texts.wallet}
          value={wallet?.id ?? ''}
          options={wallets.map((one) => ({ value: one.id, label: nameOfWallet(one) }))}
          onChange={(walletId) => set({ walletId, fileId: '' })}
        />
      </div>
      <RecurrenceFields draft={draft} country={country} onChange={set} />
      <SegmentField
        label={texts.list}
        value={draft.source}
        options={[
          ...(schedule === undefined ? [] : [{ value: 'keep', label: texts.keep }]),
          { value: 'typed', label: texts.typed },
          { value: 'file', label: texts.file },
        ]}
        onChange={(source) => set({ source })}
      />
      {draft.source === 'file' && (
        <FileField fileId={draft.fileId} files={files} onChange={(fileId) => set({ fileId })} />
      )}
      {draft.source === 'typed' && (
        <RowsFields
          rows={draft.rows}
          country={country}
          currency={currency}
          onChange={(rows) => set({ rows })}
        />
      )}
      {paid !== undefined && (
        <Says lead={texts.says}>
          <p className="strong">
            {schedules.payouts(paid.count)}, <Amount currency={currency} amount={paid.sum} />{' '}
            {schedules.ask.each}
          </p>
        </Says>
      )}
    </GuardedAct>
  );
}

type Paid = Readonly<{ count: number; sum: string }>;

/** What is paid each time; undefined: it stays as it is, or no file is chosen yet. */
function paidEachTime(
  { source, rows, fileId }: ScheduleDraft,
  files: ReturnType<typeof useCopyableFiles>,
): Paid | undefined {
  if (source === 'typed') return { count: rows.length, sum: sumOf(rows) };
  const file = source === 'file' ? files?.find(({ id }) => id === fileId) : undefined;
  return file === undefined ? undefined : { count: countOf(file), sum: file.sum };
}

function sayAct(schedule: Schedule | undefined, paid: Paid | undefined, currency: string): string {
  if (schedule !== undefined) return texts.actChange;
  if (paid === undefined) return texts.actPlain;
  const sum = formatSums([{ currency, sum: paid.sum }]);
  return texts.act(schedules.payouts(paid.count), sum);
}

function useSave(schedule: Schedule | undefined, onClose: () => void) {
  const api = useBookApi();
  const key = useBookKey();
  const queries = useQueryClient();
  const [isStale, setStale] = useState(false);
  const save = async (body: object) => {
    try {
      const stored = await api<Schedule>(
        schedule === undefined
          ? { method: 'POST', path: '/schedules', body }
          : {
              method: 'PUT',
              path: `/schedules/${schedule.id}`,
              // Refused if it was changed since the form was opened.
              body: { ...body, version: schedule.version },
            },
      );
      toast((schedule === undefined ? texts.done : texts.doneChange)(stored.name));
      onClose();
    } catch (error) {
      if (!hasCode(error, 'CONTENT_CHANGED')) throw error;
      setStale(true);
      await queries.invalidateQueries({ queryKey: key('schedules') });
      throw error;
    }
    await queries.invalidateQueries({ queryKey: key('schedules') });
    await queries.invalidateQueries({ queryKey: key('calendar') });
  };
  return { save, isStale };
}
