import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import type { ApiKey, KeyScope } from '../../api/developer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useBook, useBookKey, useMay } from '../../app/session.ts';
import { periodOf } from '../../format/zoned-time.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { CheckField, TextField } from '../../parts/field.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { Note } from '../../parts/note.tsx';
import { Says } from '../../parts/says.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { keys as texts } from '../../texts/en/keys.ts';
import { shell } from '../../texts/en/shell.ts';
import { listAnd } from '../../texts/plural.ts';

const SCOPES = Object.keys(texts.scopes) as readonly KeyScope[];

type Made = ApiKey & Readonly<{ secret: string }>;

export function KeyForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const { timeZone } = usePreferences();
  const queries = useQueryClient();
  const mustWait = !useMay()('keys:confirm') && mode === 'live';
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>(SCOPES);
  const [addresses, setAddresses] = useState('');
  const [lastDay, setLastDay] = useState('');
  const [problems, setProblems] = useState<ApiError>();
  const [made, setMade] = useState<Made>();
  const make = async () => {
    setProblems(undefined);
    try {
      const body = {
        name: name.trim(),
        scopes,
        addresses: addresses.split(/[\s,]+/).filter((one) => one !== ''),
        // An invalid day is sent unchanged: the service refuses it. Left out, the key would never expire.
        expiresAt: lastDay === '' ? null : (periodOf({ to: lastDay }, timeZone).to ?? lastDay),
      };
      setMade(await api<Made>({ method: 'POST', path: '/keys', body }));
    } catch (error) {
      if (error instanceof ApiError) setProblems(error);
      throw error;
    }
    await queries.invalidateQueries({ queryKey: key('keys') });
  };
  if (made !== undefined) {
    return (
      <SecretOnce
        title={texts.secret.title}
        what={texts.secret.what}
        secret={made.secret}
        onKept={onClose}
      >
        <p className="soft">{texts.secret.use}</p>
        {made.state === 'awaiting_confirmation' && <Note tone="info">{texts.secret.waits}</Note>}
      </SecretOnce>
    );
  }
  return (
    <Dialog title={texts.form.title} onClose={onClose}>
      <div className="form">
        <TextField
          label={texts.form.name}
          help={texts.form.nameHelp}
          problem={problems?.problemOf('name')}
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <ScopeFields scopes={scopes} onChange={setScopes} />
        <TextField
          label={texts.form.addresses}
          help={texts.form.addressesHelp}
          problem={problems?.problemOf('addresses')}
          isOptional
          autoComplete="off"
          value={addresses}
          onChange={setAddresses}
        />
        <TextField
          label={texts.form.expires}
          help={texts.form.expiresHelp}
          problem={problems?.problemOf('expiresAt')}
          isOptional
          type="date"
          value={lastDay}
          onChange={setLastDay}
        />
        <GuardedAct
          needsFactor={mode === 'live'}
          actLabel={shell.inTest(texts.make, mode)}
          inactive={inactiveOf(name, scopes)}
          onKeep={onClose}
          onAct={make}
        >
          <Says lead={texts.form.says}>
            <p>{texts.form.saysOpens(listAnd(scopes.map((one) => texts.scopes[one].word)))}</p>
            {mustWait && <p className="strong">{texts.form.waits}</p>}
          </Says>
        </GuardedAct>
      </div>
    </Dialog>
  );
}

function inactiveOf(name: string, scopes: readonly KeyScope[]): string | undefined {
  if (name.trim() === '') return texts.form.needsName;
  return scopes.length === 0 ? texts.form.needsScope : undefined;
}

function ScopeFields({
  scopes,
  onChange,
}: Readonly<{ scopes: readonly KeyScope[]; onChange: (scopes: readonly KeyScope[]) => void }>) {
  return (
    <fieldset className="field">
      <legend>{texts.form.scopes}</legend>
      {SCOPES.map((scope) => (
        <CheckField
          key={scope}
          label={
            <span className="two">
              {texts.scopes[scope].word}
              <small>{texts.scopes[scope].help}</small>
            </span>
          }
          isChecked={scopes.includes(scope)}
          onChange={(isOn) =>
            onChange(SCOPES.filter((one) => (one === scope ? isOn : scopes.includes(one))))
          }
        />
      ))}
    </fieldset>
  );
}
