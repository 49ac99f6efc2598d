import { useState } from 'react';
import { SCOPES } from '../../../../service/src/merchants/authenticated-key.ts';
import type { Merchant } from '../../api/staff-types.ts';
import type { Mode } from '../../api/types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { CheckField, SegmentField, TextField } from '../../parts/field.tsx';
import { Says } from '../../parts/says.tsx';
import { merchant as words } from '../../texts/en/merchants.ts';
import { shell } from '../../texts/en/shell.ts';
import { ActDialog } from '../staff/act-dialog.tsx';
import { modeOptions } from '../staff/filter-options.ts';
import { ShownOnce } from '../staff/shown-once.tsx';

const texts = words.keys;
const NAME_LENGTH_MAX = 100;

type Given = Readonly<{ merchant: Merchant; onClose: () => void }>;

/** Makes a key for a merchant, and shows it once. */
export function MakeKey({ merchant, onClose }: Given) {
  const act = useStaffAct();
  const inactive = useInactive();
  const [mode, setMode] = useState<Mode>('test');
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>([]);
  const [secret, setSecret] = useState<string>();
  const book = merchant.books.find((one) => one.mode === mode);
  if (secret !== undefined) {
    return (
      <ShownOnce
        title={texts.made}
        label={texts.secret}
        text={secret}
        detail={texts.secretDetail}
        onClose={onClose}
      />
    );
  }
  return (
    <ActDialog
      title={texts.makeTitle}
      actLabel={texts.makeDo(shell.modes[mode].word)}
      needsStepUp
      inactive={
        inactive('merchants:write') ?? (name.trim() === '' ? texts.makeNameFirst : undefined)
      }
      onClose={onClose}
      onAct={async () => {
        const made = await act<{ secret: string }>({
          path: `/books/${book?.id}/keys`,
          body: { name: name.trim(), scopes },
        });
        setSecret(made.secret);
        return 'stay';
      }}
    >
      <SegmentField
        label={texts.book}
        value={mode}
        options={modeOptions}
        onChange={(value) => setMode(value === 'live' ? 'live' : 'test')}
      />
      <TextField
        label={texts.makeName}
        help={texts.makeNameHelp}
        autoComplete="off"
        maxLength={NAME_LENGTH_MAX}
        value={name}
        onChange={setName}
      />
      <fieldset className="field">
        <legend>{texts.scopesLabel}</legend>
        {SCOPES.map((scope) => (
          <CheckField
            key={scope}
            label={<code>{scope}</code>}
            isChecked={scopes.includes(scope)}
            onChange={(isChecked) =>
              setScopes(isChecked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
            }
          />
        ))}
        <p className="help">{texts.scopesHelp}</p>
      </fieldset>
      <Says lead={texts.makeSays} book={{ mode, merchant }}>
        <p className="small">{texts.makeEffect}</p>
      </Says>
    </ActDialog>
  );
}
