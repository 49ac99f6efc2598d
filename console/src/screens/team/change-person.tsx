import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { TeamPerson } from '../../api/team-types.ts';
import type { SessionBook } from '../../api/types.ts';
import { SESSION_KEY, useBook, useBookKey, useSession } from '../../app/session.ts';
import { toast } from '../../parts/announce.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { shell } from '../../texts/en/shell.ts';
import { team as texts } from '../../texts/en/team.ts';
import { RoleFields } from './role-fields.tsx';
import { choiceOf, givenOf, sayRoles } from './team-roles.ts';

type Given = Readonly<{
  person: TeamPerson;
  books: readonly SessionBook[];
  onClose: () => void;
}>;

/** Changes the roles of a person, or removes the person. */
export function ChangePerson({ person, books, onClose }: Given) {
  const { merchant } = useBook();
  const { person: own } = useSession();
  const key = useBookKey();
  const queries = useQueryClient();
  const before = choiceOf(person.roles, books);
  const [choice, setChoice] = useState(before);
  const [isStale, setStale] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const path = `/merchants/${merchant.id}/people/${person.id}`;
  const changed = async (text: string) => {
    toast(text);
    onClose();
    await queries.invalidateQueries({ queryKey: key('people') });
    if (person.id === own.id) await queries.invalidateQueries({ queryKey: SESSION_KEY });
  };
  if (isRemoving) {
    return (
      <Dialog title={texts.removeAsk.title(person.name, merchant.name)} onClose={onClose}>
        <StepUp
          title={shell.stepUp.title}
          actLabel={texts.removeAsk.act(person.name)}
          isDanger
          aside={<Button onClick={onClose}>{texts.removeAsk.keep}</Button>}
          onAct={async () => {
            await call({ method: 'DELETE', path });
            await changed(texts.removeAsk.done(person.name));
          }}
        >
          {person.id === own.id && <Note tone="caution">{texts.removeAsk.you}</Note>}
          <p>
            <b>{texts.removeAsk.roles(sayRoles(before))}</b>
          </p>
          <p className="soft">{texts.removeAsk.detail}</p>
        </StepUp>
      </Dialog>
    );
  }
  const roles = sayRoles(choice);
  return (
    <Dialog title={texts.form.changeTitle(person.name)} onClose={onClose}>
      <div className="form">
        <p className="soft">{person.email ?? texts.noMail}</p>
        <RoleFields choice={choice} onChange={setChoice} />
        <StepUp
          title={shell.stepUp.title}
          actLabel={texts.form.save}
          inactive={isStale ? texts.form.stale : inactiveOf(roles, sayRoles(before))}
          aside={
            <Button kind="danger" onClick={() => setRemoving(true)}>
              {texts.form.remove}
            </Button>
          }
          onAct={async () => {
            // Refused if another person has changed them since.
            const body = { roles: givenOf(choice, books), before: person.roles };
            try {
              await call({ method: 'PUT', path: `${path}/roles`, body });
            } catch (error) {
              if (hasCode(error, 'CONTENT_CHANGED')) {
                setStale(true);
                await queries.invalidateQueries({ queryKey: key('people') });
              }
              throw error;
            }
            await changed(texts.form.saved(person.name));
          }}
        >
          {roles !== '' && <p>{texts.form.says(person.name, roles)}</p>}
        </StepUp>
      </div>
    </Dialog>
  );
}

function inactiveOf(roles: string, before: string): string | undefined {
  if (roles === '') return texts.form.needsRole;
  return roles === before ? texts.form.same : undefined;
}
