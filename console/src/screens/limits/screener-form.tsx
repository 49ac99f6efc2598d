import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Screener } from '../../api/control-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { Says } from '../../parts/says.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { lists } from '../../texts/en/lists.ts';
import { shell } from '../../texts/en/shell.ts';

const texts = lists.screeners;
const NAME_LENGTH_MAX = 60;
const DEADLINE_DEFAULT_MS = '5000';

/** Adds a screener. Its secret is shown once. */
export function ScreenerForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [deadline, setDeadline] = useState(DEADLINE_DEFAULT_MS);
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    return (
      <SecretOnce
        title={texts.secret.title}
        secret={secret}
        what={texts.secret.what}
        onKept={onClose}
      >
        <p>{texts.secret.use}</p>
      </SecretOnce>
    );
  }
  const isWhole = name.trim() !== '' && url.trim() !== '';
  return (
    <Dialog title={texts.add} onClose={onClose}>
      <GuardedAct
        needsFactor={mode === 'live'}
        actLabel={shell.inTest(texts.form.act(name.trim()), mode)}
        inactive={isWhole ? undefined : texts.form.first}
        onKeep={onClose}
        onAct={async () => {
          const made = await api<Screener & { secret: string }>({
            method: 'POST',
            path: '/screeners',
            body: { name: name.trim(), url: url.trim(), deadlineMs: Number(deadline) },
          });
          toast(texts.form.done(made.name));
          setSecret(made.secret);
          await queries.invalidateQueries({ queryKey: key('screeners') });
        }}
      >
        <TextField
          label={texts.form.name}
          help={texts.form.nameHelp}
          maxLength={NAME_LENGTH_MAX}
          spellCheck={false}
          value={name}
          onChange={setName}
        />
        <TextField
          label={texts.form.url}
          help={texts.form.urlHelp}
          type="url"
          spellCheck={false}
          value={url}
          onChange={setUrl}
        />
        <TextField
          label={texts.form.deadline}
          help={texts.form.deadlineHelp}
          inputMode="numeric"
          value={deadline}
          onChange={(text) => setDeadline(text.replace(/\D/g, ''))}
        />
        <Says lead={texts.form.says}>
          <p className="strong break">{url}</p>
        </Says>
      </GuardedAct>
    </Dialog>
  );
}
