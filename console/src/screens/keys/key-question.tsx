import { useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '../../api/developer-types.ts';
import { useBookApi } from '../../app/book-api.ts';
import { useBook, useBookKey } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { GuardedAct } from '../../parts/guarded-act.tsx';
import { Says } from '../../parts/says.tsx';
import { keys as texts } from '../../texts/en/keys.ts';
import { shell } from '../../texts/en/shell.ts';
import { listAnd } from '../../texts/plural.ts';

type Given = Readonly<{ act: 'revoke' | 'confirm'; apiKey: ApiKey; onClose: () => void }>;

/** Revokes a key, or lets one work that another person made. */
export function KeyQuestion({ act, apiKey, onClose }: Given) {
  const api = useBookApi();
  const key = useBookKey();
  const { mode } = useBook();
  const queries = useQueryClient();
  const words = act === 'revoke' ? texts.revokeAsk : texts.confirmAsk;
  const { name, hint, scopes, createdBy } = apiKey;
  return (
    <Dialog title={words.title(name)} onClose={onClose}>
      <GuardedAct
        needsFactor={act === 'confirm' || mode === 'live'}
        actLabel={shell.inTest(words.act(name), mode)}
        keepLabel={words.keep}
        isDanger={act === 'revoke'}
        onKeep={onClose}
        onAct={async () => {
          await api({ method: 'POST', path: `/keys/${apiKey.id}/${act}` });
          toast(words.done(name));
          onClose();
          await queries.invalidateQueries({ queryKey: key('keys') });
        }}
      >
        <Says lead={words.says}>
          <p>
            <b>{name}</b> <code className="small">{hint}</code>
          </p>
          <p className="small">
            {texts.mayNote(listAnd(scopes.map((scope) => texts.scopes[scope].word)))}
          </p>
          {act === 'confirm' && (
            <p className="small">{texts.confirmAsk.madeBy(createdBy?.name ?? texts.staff)}</p>
          )}
        </Says>
        <p className="soft">{words.detail}</p>
      </GuardedAct>
    </Dialog>
  );
}
