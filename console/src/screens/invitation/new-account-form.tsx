import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { Invitation, Session, TotpSetUp } from '../../api/types.ts';
import { SESSION_KEY } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Refused } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { RecoveryCodes } from '../../parts/recovery-codes.tsx';
import { TotpFields } from '../../parts/totp-set-up.tsx';
import { useRun } from '../../parts/use-run.ts';
import { account } from '../../texts/en/account.ts';
import { invitation as texts } from '../../texts/en/sign-in.ts';
import { InvitationFacts } from './invitation-facts.tsx';

type Accepted = Session & Readonly<{ recoveryCodes: readonly string[] | null }>;

type Given = Readonly<{ path: string; invitation: Invitation }>;

/** Name, password and, where the roles need it, an authenticator app. */
export function NewAccountForm({ path, invitation }: Given) {
  const queries = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState(invitation.name);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [setUp, setSetUp] = useState<TotpSetUp>();
  const { isBusy, error, run } = useRun();
  const [codes, setCodes] = useState<readonly string[]>();

  const start = () => router.history.replace('/console/');
  const accept = async () => {
    const proof = setUp === undefined ? {} : { totpSecret: setUp.secret, code };
    const body = { name: name.trim(), password, ...proof };
    const session = await call<Accepted>({ method: 'POST', path, body, isSignIn: true });
    queries.clear();
    queries.setQueryData(SESSION_KEY, session);
    if (session.recoveryCodes === null) start();
    else setCodes(session.recoveryCodes);
  };
  const showApp = async () =>
    setSetUp(
      await call<TotpSetUp>({ method: 'POST', path: `${path}/totp`, body: {}, isSignIn: true }),
    );
  const mustSetUp = invitation.needsSecondFactor && setUp === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) void run(mustSetUp ? showApp : accept);
  };
  if (codes !== undefined) {
    return (
      <section>
        <h2>{account.codesTitle}</h2>
        <RecoveryCodes codes={codes} onKept={start} />
      </section>
    );
  }
  const problem = (field: string) =>
    error instanceof ApiError ? error.problemOf(field) : undefined;
  return (
    <form className="form" onSubmit={submit}>
      <InvitationFacts invitation={invitation} />
      {error !== undefined && <Refused error={error} />}
      <TextField
        label={texts.name}
        help={texts.nameHelp}
        problem={problem('name')}
        autoComplete="name"
        required
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <input type="hidden" autoComplete="username" value={invitation.email} readOnly />
      <TextField
        label={texts.password}
        help={texts.passwordHelp}
        problem={problem('password')}
        type="password"
        autoComplete="new-password"
        required
        minLength={12}
        maxLength={1000}
        value={password}
        onChange={setPassword}
      />
      {setUp !== undefined && (
        <TotpFields setUp={setUp} code={code} onCode={setCode} problem={problem('code')} />
      )}
      <Button kind="main" type="submit" isBlock isBusy={isBusy}>
        {mustSetUp ? texts.start : texts.submit}
      </Button>
    </form>
  );
}
