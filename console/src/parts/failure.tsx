import type { ReactNode } from 'react';
import { ApiError, NoAnswer } from '../api/api-error.ts';
import { shell } from '../texts/en/shell.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Note } from './note.tsx';

/** What an error means to the reader and what to do. */
export function sayError(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof NoAnswer) {
    return error.changes ? shell.errors.notKnown : shell.errors.noAnswer;
  }
  return shell.errors.partFailed;
}

/** Code and request id in faint ink, copyable, for those who help the reader. */
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
export function Refused({ error, title }: Readonly<{ error: unknown; title?: ReactNode }>) {
  const isUnknown = error instanceof NoAnswer && error.changes;
  return (
    <Note tone={isUnknown ? 'caution' : 'bad'} isAlert>
      {title !== undefined && <p className="strong">{title}</p>}
      <p>
        {sayError(error)}
        <ErrorCode error={error} />
      </p>
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
