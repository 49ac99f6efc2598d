import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { Invited } from '../../api/team-types.ts';
import { usePreferences } from '../../app/preferences.ts';
import { useBook, useBookKey, useSession } from '../../app/session.ts';
import { formatTime } from '../../format/format-time.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { shell } from '../../texts/en/shell.ts';
import { team as texts } from '../../texts/en/team.ts';
import { RoleFields } from './role-fields.tsx';
import { givenOf, NO_ROLES, sayRoles } from './team-roles.ts';

export function InviteForm({ onClose }: Readonly<{ onClose: () => void }>) {
  const { merchant } = useBook();
  const { memberships } = useSession();
  const key = useBookKey();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [choice, setChoice] = useState(NO_ROLES);
  const [problems, setProblems] = useState<ApiError>();
  const [invited, setInvited] = useState<Invited>();
  const books = memberships.find((one) => one.merchant.id === merchant.id)?.books ?? [];
  const invite = async () => {
    setProblems(undefined);
    try {
      const answer = await call<Invited>({
        method: 'POST',
        path: `/merchants/${merchant.id}/invitations`,
        body: { name: name.trim(), email: email.trim(), roles: givenOf(choice, books) },
      });
      setInvited(answer);
    } catch (error) {
      if (error instanceof ApiError) setProblems(error);
      throw error;
    }
    await queries.invalidateQueries({ queryKey: key('people') });
  };
  if (invited !== undefined) {
    return <InvitationLink invited={invited} name={name} email={email} onKept={onClose} />;
  }
  const roles = sayRoles(choice);
  return (
    <Dialog title={texts.form.inviteTitle(merchant.name)} onClose={onClose}>
      <div className="form">
        <TextField
          label={texts.form.name}
          problem={problems?.problemOf('name')}
          maxLength={80}
          autoComplete="off"
          value={name}
          onChange={setName}
        />
        <TextField
          label={texts.form.email}
          help={texts.form.emailHelp}
          problem={problems?.problemOf('email')}
          type="email"
          autoComplete="off"
          value={email}
          onChange={setEmail}
        />
        <RoleFields choice={choice} onChange={setChoice} />
        <StepUp
          title={shell.stepUp.title}
          actLabel={texts.form.invite}
          inactive={inactiveOf({ name, email, roles })}
          aside={<Button onClick={onClose}>{shell.cancel}</Button>}
          onAct={invite}
        >
          {name.trim() !== '' && roles !== '' && <p>{texts.form.says(name.trim(), roles)}</p>}
        </StepUp>
      </div>
    </Dialog>
  );
}

function inactiveOf(
  given: Readonly<{ name: string; email: string; roles: string }>,
): string | undefined {
  if (given.name.trim() === '') return texts.form.needsName;
  if (given.email.trim() === '') return texts.form.needsEmail;
  return given.roles === '' ? texts.form.needsRole : undefined;
}

type LinkGiven = Readonly<{ invited: Invited; name: string; email: string; onKept: () => void }>;

function InvitationLink({ invited, name, email, onKept }: LinkGiven) {
  const { timeZone } = usePreferences();
  const ends = formatTime(new Date(invited.expiresAt), { now: new Date(), timeZone });
  return (
    <SecretOnce
      title={texts.link.title(name.trim())}
      what={texts.link.what}
      secret={invited.link}
      keptLabel={texts.link.copied}
      onKept={onKept}
    >
      <p className="soft">
        {invited.mailed ? texts.link.mailed(email.trim()) : texts.link.notMailed}
      </p>
      <p className="soft">{texts.link.until(ends)}</p>
    </SecretOnce>
  );
}
