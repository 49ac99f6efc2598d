import { useState } from 'react';
import { CURRENCIES } from '../../../../service/src/domain/money.ts';
import type { Merchant } from '../../api/staff-types.ts';
import type { Mode } from '../../api/types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { toast } from '../../parts/announce.tsx';
import { SegmentField, TextField } from '../../parts/field.tsx';
import { merchant as words } from '../../texts/en/merchants.ts';
import { shell } from '../../texts/en/shell.ts';
import { ActDialog } from '../staff/act-dialog.tsx';
import { modeOptions } from '../staff/filter-options.ts';

const texts = words.wallets;
const NAME_LENGTH_MAX = 100;

type Given = Readonly<{ merchant: Merchant; onClose: () => void }>;

export function OpenWallet({ merchant, onClose }: Given) {
  const act = useStaffAct();
  const inactive = useInactive();
  const [mode, setMode] = useState<Mode>('test');
  const [currency, setCurrency] = useState<string>(CURRENCIES[0]);
  const [name, setName] = useState('');
  const book = merchant.books.find((one) => one.mode === mode);
  return (
    <ActDialog
      title={texts.openTitle}
      actLabel={texts.openDo(currency, shell.modes[mode].word)}
      inactive={
        inactive('merchants:write') ?? (name.trim() === '' ? texts.openNameFirst : undefined)
      }
      onClose={onClose}
      onAct={async () => {
        await act({
          path: `/books/${book?.id}/wallets`,
          body: { currency, name: name.trim() },
        });
        toast(texts.opened);
      }}
    >
      <SegmentField
        label={texts.book}
        value={mode}
        options={modeOptions}
        onChange={(value) => setMode(value === 'live' ? 'live' : 'test')}
      />
      <SegmentField
        label={texts.openCurrency}
        value={currency}
        options={CURRENCIES.map((one) => ({ value: one, label: one }))}
        onChange={setCurrency}
      />
      <TextField
        label={texts.openName}
        help={texts.openNameHelp}
        autoComplete="off"
        maxLength={NAME_LENGTH_MAX}
        value={name}
        onChange={setName}
      />
    </ActDialog>
  );
}
