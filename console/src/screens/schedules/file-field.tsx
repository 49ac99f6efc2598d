import { useQuery } from '@tanstack/react-query';
import type { Page } from '../../api/page.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBookKey } from '../../app/session.ts';
import { formatSums } from '../../format/format-amount.ts';
import { SelectField } from '../../parts/field.tsx';
import { schedules } from '../../texts/en/schedules.ts';

const texts = schedules.form;

/** The fields of a payout file that this form reads. */
type PayoutFile = Readonly<{
  id: string;
  name: string;
  state: string;
  currency: string | null;
  sum: string;
  counts: Readonly<{ rows: number; problems: number; dropped: number }>;
}>;

/** The latest payout files whose rows can be copied; undefined: not known yet. */
export function useCopyableFiles(
  currency: string,
  enabled: boolean,
): readonly PayoutFile[] | undefined {
  const api = useBookApi();
  const key = useBookKey();
  const query = { limit: 100 };
  const found = useQuery({
    queryKey: key('payout-files', query),
    queryFn: ({ signal }) => api<Page<PayoutFile>>({ path: '/payout-files', query, signal }),
    enabled,
  });
  return found.data?.items.filter(
    (file) =>
      file.currency === currency &&
      file.state !== 'checking' &&
      file.counts.problems === 0 &&
      file.counts.rows > file.counts.dropped,
  );
}

export function countOf({ counts }: PayoutFile): number {
  return counts.rows - counts.dropped;
}

type Given = Readonly<{
  fileId: string;
  files: readonly PayoutFile[] | undefined;
  onChange: (fileId: string) => void;
}>;

export function FileField({ fileId, files, onChange }: Given) {
  return (
    <SelectField
      label={texts.fileLabel}
      value={fileId}
      help={files?.length === 0 ? texts.noFiles : texts.fileHelp}
      options={[
        { value: '', label: texts.choose },
        ...(files ?? []).map((file) => ({ value: file.id, label: sayFile(file) })),
      ]}
      onChange={onChange}
    />
  );
}

function sayFile(file: PayoutFile): string {
  const { name, currency, sum } = file;
  const count = schedules.payouts(countOf(file));
  return [name, count, formatSums([{ currency: currency ?? '', sum }])].join(' · ');
}
