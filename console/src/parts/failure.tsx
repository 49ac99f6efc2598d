import type { ReactNode } from 'react';
import { ApiError, NoAnswer } from '../api/api-error.ts';
import { shell } from '../texts/en/shell.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Note } from './note.tsx';

/** The browser's error names when a person closes its passkey dialog or it times out. */
const PASSKEY_ENDED: ReadonlySet<string> = new Set(['NotAllowedError', 'AbortError']);

/** What an error means to the reader and what to do. */
export function sayError(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof NoAnswer) {
    return error.changes ? shell.errors.notKnown : shell.errors.noAnswer;
  }
  if (error instanceof Error && PASSKEY_ENDED.has(error.name)) return shell.errors.noPasskey;
  return shell.errors.partFailed;
}

/** Code and request id in faint ink. Readers copy them for support. */
export function ErrorCode({ error }: Readonly<{ error: unknown }>) {
  if (!(error instanceof ApiError)) return null;
  const request = error.requestId === '' ? '' : ` · ${shell.errors.request} ${error.requestId}`;
  return (
    <span className="faint small">
      {' '}
      <code className="break">{`${error.code}${request}`}</code>
      <CopyButton text={`${error.code}${request}`} what={error.code} />
    </span>
  );
}

/** An act was refused, or it is not known whether it was stored. */
export function Refused({
  error,
  title,
  hasFields = false,
}: Readonly<{
  error: unknown;
  title?: ReactNode;
  /** Lists what is wrong with each field, where the fields do not say so themselves. */
  hasFields?: boolean;
}>) {
  const isUnknown = error instanceof NoAnswer && error.changes;
  const fields = hasFields && error instanceof ApiError ? error.fields : [];
  return (
    <Note tone={isUnknown ? 'caution' : 'bad'} isAlert>
      {title !== undefined && <p className="strong">{title}</p>}
      <p>
        {sayError(error)}
        <ErrorCode error={error} />
      </p>
      {fields.length > 0 && (
        <ul className="bullets">
          {fields.map(({ field, message }) => (
            <li key={`${field} ${message}`}>
              <code className="break">{field}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}

/** A part of a page could not be loaded; the rest works. */
export function PartFailed({ error, onRetry }: Readonly<{ error: unknown; onRetry: () => void }>) {
  return (
    <div className="card-pad">
      <Note
        tone="caution"
        action={
          <Button size="sm" onClick={onRetry}>
            {shell.tryAgain}
          </Button>
        }
      >
        <p>
          {sayError(error)}
          <ErrorCode error={error} />
        </p>
      </Note>
    </div>
  );
}
