import type { TotpSetUp } from '../api/types.ts';
import { invitation } from '../texts/en/sign-in.ts';
import { CopyButton } from './copy-button.tsx';
import { CodeField } from './field.tsx';

type Given = Readonly<{
  setUp: TotpSetUp;
  code: string;
  onCode: (code: string) => void;
  problem?: string | undefined;
}>;

/** The picture for an authenticator app, its key in letters, and the code that proves that the app has it. */
export function TotpFields({ setUp, code, onCode, problem }: Given) {
  return (
    <div className="totp">
      <img
        className="totp-picture"
        alt={invitation.picture}
        src={`data:image/svg+xml,${encodeURIComponent(setUp.qr)}`}
      />
      <div className="form">
        <p className="soft small">{invitation.appHelp}</p>
        <p className="small">
          <span className="faint">{invitation.key}</span>{' '}
          <code className="break">{setUp.secret.match(/.{1,4}/g)?.join(' ')}</code>
          <CopyButton text={setUp.secret} what={invitation.key} />
        </p>
        <CodeField label={invitation.code} value={code} onChange={onCode} problem={problem} />
      </div>
    </div>
  );
}
