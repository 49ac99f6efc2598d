import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import type { Session, SignInMethods } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorCode, sayError } from '../../parts/failure.tsx';
import { TextField } from '../../parts/field.tsx';
import { Note } from '../../parts/note.tsx';
import { passkey } from '../../parts/passkey.ts';
import { SecondFactorField } from '../../parts/second-factor-field.tsx';
import { signIn } from '../../texts/en/sign-in.ts';

type Given = Readonly<{
  /** Of the person whose session ended. */
  email?: string;
  /** Where single sign-on comes back to; default: this page. */
  returnTo?: string | undefined;
  onSignedIn: (session: Session) => void | Promise<void>;
}>;

/** Password and code are in one form, so that a wrong password and a wrong code get one answer. */
export default function SignInForm({ email: known, returnTo, onSignedIn }: Given) {
  const { data: methods, isPending } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: ({ signal }) =>
      call<SignInMethods>({ path: '/session/methods', signal, isSignIn: true }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: 1,
  });
  const [email, setEmail] = useState(known ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Readonly<{ text: string; error?: unknown }>>();
  const form = useRef<HTMLFormElement>(null);

  const run = async (prove: () => Promise<Session>, say: (error: unknown) => string) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await onSignedIn(await prove());
    } catch (error) {
      // A code counts once: the next attempt needs a new one.
      setCode('');
      setFailure({ text: say(error), error });
      setBusy(false);
    }
  };
  const byPassword = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const body = { email: email.trim(), password, ...(code === '' ? {} : { code: code.trim() }) };
    void run(
      () => call<Session>({ method: 'POST', path: '/session', body, isSignIn: true }),
      sayFailure,
    );
  };
  const here = returnTo ?? `${location.pathname}${location.search}`;
  const singleSignOn = `/api/v1/session/single-sign-on?${new URLSearchParams({ returnTo: here })}`;
  return (
    <>
      <form ref={form} className="form" onSubmit={byPassword}>
        {failure !== undefined && (
          <Note tone="bad" isAlert>
            <p>
              {failure.text}
              <ErrorCode error={failure.error} />
            </p>
          </Note>
        )}
        {(isPending || methods?.passkey === true) && (
          // Its place is kept until the service has said what it offers: most do, and the fields would move.
          <div className={isPending ? 'form entry-awaited' : 'form'}>
            <Button
              isBlock
              icon="fingerprint"
              isBusy={isBusy}
              onClick={() => void run(passkey.signIn, sayPasskeyFailure)}
            >
              {signIn.passkey}
            </Button>
            <p className="or">
              <span>{signIn.or}</span>
            </p>
          </div>
        )}
        <TextField
          label={signIn.email}
          type="email"
          autoComplete="username"
          required
          maxLength={254}
          value={email}
          onChange={setEmail}
        />
        <TextField
          label={signIn.password}
          type="password"
          autoComplete="current-password"
          required
          maxLength={1000}
          value={password}
          onChange={setPassword}
        />
        <SecondFactorField code={code} onCode={setCode} />
        <Button kind="main" type="submit" isBlock isBusy={isBusy}>
          {signIn.submit}
        </Button>
      </form>
      {methods?.singleSignOn === true && (
        <p className="help entry-foot">
          {signIn.singleSignOn} <a href={singleSignOn}>{signIn.singleSignOnLink}</a>
        </p>
      )}
      {methods?.demo === true && <p className="help entry-foot">{signIn.demo}</p>}
    </>
  );
}

function sayFailure(error: unknown): string {
  if (error instanceof ApiError && error.code === 'SIGN_IN_FAILED') return signIn.failed;
  if (error instanceof ApiError && error.status === 429) return signIn.slowed;
  return sayError(error);
}

function sayPasskeyFailure(error: unknown): string {
  return error instanceof ApiError ? sayFailure(error) : signIn.passkeyFailed;
}
