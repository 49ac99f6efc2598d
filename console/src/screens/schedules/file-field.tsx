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

type Given = Readonly<{ fileId: string; currency: string; onChange: (fileId: string) => void }>;

/** The latest payout files whose rows can be copied. */
export function FileField({ fileId, currency, onChange }: Given) {
  const api = useBookApi();
  const key = useBookKey();
  const query = { limit: 100 };
  const found = useQuery({
    queryKey: key('payout-files', query),
    queryFn: ({ signal }) => api<Page<PayoutFile>>({ path: '/payout-files', query, signal }),
  });
  const files = (found.data?.items ?? []).filter(
    (file) =>
      file.currency === currency &&
      file.state !== 'checking' &&
      file.counts.problems === 0 &&
      file.counts.rows > file.counts.dropped,
  );
  return (
    <SelectField
      label={texts.fileLabel}
      value={fileId}
      help={found.data !== undefined && files.length === 0 ? texts.noFiles : texts.fileHelp}
      options={[
        { value: '', label: texts.choose },
        ...files.map((file) => ({ value: file.id, label: sayFile(file) })),
      ]}
      onChange={onChange}
    />
  );
}

function sayFile({ name, counts, currency, sum }: PayoutFile): string {
  const count = schedules.payouts(counts.rows - counts.dropped);
  return [name, count, formatSums([{ currency: currency ?? '', sum }])].join(' · ');
}
