import { useState } from 'react';
import type { PolicyDocument } from '../../api/policy-types.ts';
import { sayDuration } from '../../format/iso-duration.ts';
import { Button } from '../../parts/button.tsx';
import { Refused } from '../../parts/failure.tsx';
import { policy } from '../../texts/en/policy.ts';
import { shell } from '../../texts/en/shell.ts';
import { DurationFields } from './duration-fields.tsx';
import type { DraftChange } from './use-policy.ts';

const texts = policy.waiting;

const LATE_DEFAULT = 'PT24H';
const EXPIRES_DEFAULT = 'P7D';

type Given = Readonly<{
  document: PolicyDocument;
  before: PolicyDocument | null;
  /** The hash of the draft. */
  read?: string;
  onSave?: ((change: DraftChange, read: string) => Promise<void>) | undefined;
}>;

/** How long things wait: two sentences that every policy has. */
export function WaitingCard({ document, before, read = '', onSave }: Given) {
  const [isEditing, setEditing] = useState(false);
  const now = timesOf(document);
  const then = timesOf(before ?? document);
  const isChanged = now.late !== then.late || now.expires !== then.expires;
  const edit = onSave === undefined ? undefined : () => setEditing(true);
  return (
    <section className={isChanged ? 'rule rule-changed mt' : 'rule mt'} aria-label={texts.title}>
      <div className="rule-head">
        <h3>{texts.title}</h3>
        {edit !== undefined && !isEditing && (
          <span className="push actions">
            <Button size="sm" kind="plain" aria-label={texts.edit} onClick={edit}>
              {policy.edit}
            </Button>
          </span>
        )}
      </div>
      {isEditing && onSave !== undefined ? (
        <WaitingForm
          document={document}
          read={read}
          onSave={onSave}
          onClose={() => setEditing(false)}
        />
      ) : (
        <>
          <Line words={texts.late} now={now.late} then={then.late} onEdit={edit} />
          <Line words={texts.expires} now={now.expires} then={then.expires} onEdit={edit} />
        </>
      )}
    </section>
  );
}

function timesOf({ sendLateWithin, approvalExpiresAfter }: PolicyDocument) {
  return { late: sendLateWithin ?? LATE_DEFAULT, expires: approvalExpiresAfter ?? EXPIRES_DEFAULT };
}

type LineGiven = Readonly<{
  words: readonly [string, string];
  now: string;
  then: string;
  onEdit: (() => void) | undefined;
}>;

function Line({ words: [before, after], now, then, onEdit }: LineGiven) {
  const value =
    now === then ? (
      sayDuration(now)
    ) : (
      <>
        <del>{sayDuration(then)}</del> <ins>{sayDuration(now)}</ins>
      </>
    );
  return (
    <p>
      {before}
      {onEdit === undefined ? (
        <b className="strong">{value}</b>
      ) : (
        <button type="button" className="val" onClick={onEdit}>
          {value}
        </button>
      )}
      {after}
    </p>
  );
}

function WaitingForm({
  document,
  read,
  onSave,
  onClose,
}: Readonly<{
  document: PolicyDocument;
  read: string;
  onSave: (change: DraftChange, read: string) => Promise<void>;
  onClose: () => void;
}>) {
  const times = timesOf(document);
  // Of the draft whose times are in the fields.
  const [readFirst] = useState(read);
  const [late, setLate] = useState(times.late);
  const [expires, setExpires] = useState(times.expires);
  const [error, setError] = useState<unknown>();
  const save = async () => {
    try {
      await onSave(
        (newest) => ({
          ...newest,
          sendLateWithin: late,
          approvalExpiresAfter: expires,
        }),
        readFirst,
      );
      onClose();
    } catch (refusal) {
      setError(refusal);
    }
  };
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <DurationFields label={texts.lateField} value={late} onChange={setLate} />
      <DurationFields label={texts.expiresField} value={expires} onChange={setExpires} />
      {error !== undefined && <Refused error={error} hasFields />}
      <div className="actions actions-end">
        <Button onClick={onClose}>{shell.cancel}</Button>
        <Button kind="main" type="submit">
          {policy.form.saveDraft}
        </Button>
      </div>
    </form>
  );
}
