import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { COUNTRIES } from '../../../../service/src/domain/operator.ts';
import type { ListEntry, ListName } from '../../api/control-types.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useOptionalBook } from '../../app/session.ts';
import { formatCountry } from '../../format/format-operator.ts';
import { formatPhone } from '../../format/format-phone.ts';
import { periodOf } from '../../format/zoned-time.ts';
import { toast } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { Says } from '../../parts/says.tsx';
import { lists } from '../../texts/en/lists.ts';
import { shell } from '../../texts/en/shell.ts';
import type { EntryHome } from './entry-home.ts';

const texts = lists.form;
const REASON_LENGTH_MAX = 500;

type Given = Readonly<{ list: ListName; home: EntryHome; onClose: () => void }>;

/** Puts a number on a list, with the reason. */
export function EntryForm({ list, home, onClose }: Given) {
  const queries = useQueryClient();
  const book = useOptionalBook();
  const { timeZone } = usePreferences();
  const [phone, setPhone] = useState('');
  const [country, setCountry] = useState<string>(COUNTRIES[0]);
  const [reason, setReason] = useState('');
  const [lastDay, setLastDay] = useState('');
  const shown = formatPhone(phone.trim());
  const isWhole = phone.trim() !== '' && reason.trim() !== '';
  return (
    <Dialog title={texts.title[list]} onClose={onClose}>
      <GuardedAct
        needsFactor={home.needsFactor}
        actLabel={shell.inTest(texts.act[list](shown), book?.mode ?? 'live')}
        inactive={isWhole ? undefined : texts.first}
        onKeep={onClose}
        onAct={async () => {
          const { to } = periodOf({ to: lastDay === '' ? undefined : lastDay }, timeZone);
          const entry = await home.api<ListEntry>({
            method: 'POST',
            path: '/lists',
            body: {
              // The company has a deny list only.
              ...(home.isCompanys ? {} : { list }),
              phone: phone.trim(),
              country,
              reason: reason.trim(),
              ...(to === undefined ? {} : { expiresAt: to }),
            },
          });
          toast(texts.done[list](formatPhone(entry.phone)));
          onClose();
          await queries.invalidateQueries({ queryKey: home.key('lists') });
        }}
      >
        <div className="form-row">
          <TextField
            label={texts.phone}
            type="tel"
            autoComplete="off"
            value={phone}
            onChange={setPhone}
          />
          <SelectField
            label={texts.country}
            value={country}
            onChange={setCountry}
            options={COUNTRIES.map((one) => ({ value: one, label: formatCountry(one) }))}
          />
        </div>
        <TextField
          label={texts.reason}
          help={texts.reasonHelp}
          maxLength={REASON_LENGTH_MAX}
          value={reason}
          onChange={setReason}
        />
        <TextField
          label={texts.expires}
          help={texts.expiresHelp}
          isOptional
          type="date"
          value={lastDay}
          onChange={setLastDay}
        />
        {book === undefined ? (
          <p className="strong">{texts.company}</p>
        ) : (
          <Says lead={texts.says[list]}>
            <p className="strong">{shown}</p>
          </Says>
        )}
      </GuardedAct>
    </Dialog>
  );
}
