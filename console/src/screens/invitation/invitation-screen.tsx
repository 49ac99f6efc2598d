import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { Invitation, Session, TotpSetUp } from '../../api/types.ts';
import { SESSION_KEY } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/card.tsx';
import { PartFailed, Refused } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { RecoveryCodes } from '../../parts/recovery-codes.tsx';
import { Time } from '../../parts/time.tsx';
import { TotpFields } from '../../parts/totp-set-up.tsx';
import { Tag } from '../../parts/words.tsx';
import { account } from '../../texts/en/account.ts';
import { invitation as texts } from '../../texts/en/sign-in.ts';
import { EntryFrame } from '../sign-in/entry-frame.tsx';

export default function InvitationScreen() {
  const { token = '' } = useParams({ strict: false });
  const path = `/session/invitations/${encodeURIComponent(token)}`;
  const found = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call<Invitation>({ path, signal, isSignIn: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (found.error instanceof ApiError && found.error.status === 404) {
    return (
      <EntryFrame title={texts.gone}>
        <div className="form">
          <p className="soft">{texts.goneDetail}</p>
          <Link to="/sign-in" className="btn btn-block">
            {texts.toSignIn}
          </Link>
        </div>
      </EntryFrame>
    );
  }
  return (
    <EntryFrame title={texts.title}>
      {found.data !== undefined ? (
        <Accept path={path} invitation={found.data} />
      ) : found.isError ? (
        <PartFailed error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <LoadingRows />
      )}
    </EntryFrame>
  );
}

type Accepted = Session & Readonly<{ recoveryCodes?: readonly string[] }>;

function Accept({ path, invitation }: Readonly<{ path: string; invitation: Invitation }>) {
  const queries = useQueryClient();
  const router = useRouter();
  const [name, setName] = useState(invitation.name);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [setUp, setSetUp] = useState<TotpSetUp>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [codes, setCodes] = useState<readonly string[]>();

  const run = async (act: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
    } catch (refusal) {
      setError(refusal);
    } finally {
      setBusy(false);
    }
  };
  const start = () => router.history.replace('/console/');
  const accept = async () => {
    const proof = setUp === undefined ? {} : { totpSecret: setUp.secret, code };
    const body = { name: name.trim(), password, ...proof };
    const session = await call<Accepted>({ method: 'POST', path, body, isSignIn: true });
    queries.clear();
    queries.setQueryData(SESSION_KEY, session);
    if (session.recoveryCodes === undefined) start();
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
      <p>{invitation.merchant === null ? texts.toStaff : texts.to(invitation.merchant.name)}</p>
      <Facts
        facts={[
          [
            texts.roles,
            <span key="roles" className="roles">
              {invitation.roles.map((role) => (
                <Tag key={role} tone="accent">
                  {role}
                </Tag>
              ))}
            </span>,
          ],
          [texts.until, <Time key="until" at={invitation.expiresAt} />],
        ]}
      />
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
        help={`${texts.passwordHelp} ${texts.haveAccount}`}
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
