import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { Invitation, Session } from '../../api/types.ts';
import { SESSION_KEY, sessionQuery } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { PartFailed, Refused } from '../../parts/failure.tsx';
import { LoadingRows } from '../../parts/loading.tsx';
import { invitation as texts } from '../../texts/en/sign-in.ts';
import { EntryFrame } from '../sign-in/entry-frame.tsx';
import { InvitationFacts } from './invitation-facts.tsx';
import { NewAccountForm } from './new-account-form.tsx';

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
        <Answer path={path} invitation={found.data} />
      ) : found.isError ? (
        <PartFailed error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <LoadingRows />
      )}
    </EntryFrame>
  );
}

type Given = Readonly<{ path: string; invitation: Invitation }>;

/** A new person makes an account. A person with an account signs in first, also by single sign-on, and then accepts. */
function Answer({ path, invitation }: Given) {
  const session = useQuery(sessionQuery);
  if (!invitation.hasAccount) return <NewAccountForm path={path} invitation={invitation} />;
  if (session.isPending) return <LoadingRows />;
  const isTheirs = session.data?.person.email === invitation.email;
  return (
    <div className="form">
      <InvitationFacts invitation={invitation} />
      {isTheirs ? <AcceptSignedIn path={path} invitation={invitation} /> : <SignInFirst />}
    </div>
  );
}

function SignInFirst() {
  const { token = '' } = useParams({ strict: false });
  return (
    <>
      <p>{texts.hasAccount}</p>
      <Link
        to="/sign-in"
        search={{ returnTo: `/console/invitation/${token}` }}
        className="btn btn-main btn-block"
      >
        {texts.signInFirst}
      </Link>
    </>
  );
}

function AcceptSignedIn({ path, invitation }: Given) {
  const queries = useQueryClient();
  const router = useRouter();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const accept = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const session = await call<Session>({ method: 'POST', path, body: {}, isSignIn: true });
      queries.clear();
      queries.setQueryData(SESSION_KEY, session);
      router.history.replace('/console/');
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
    }
  };
  return (
    <>
      <p>{texts.signedIn(invitation.email)}</p>
      {error !== undefined && <Refused error={error} />}
      <Button kind="main" isBlock isBusy={isBusy} onClick={() => void accept()}>
        {texts.accept}
      </Button>
    </>
  );
}
