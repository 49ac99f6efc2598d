import { useState } from 'react';
import type { Incident } from '../../api/staff-types.ts';
import type { TransferState } from '../../api/types.ts';
import { useStaffAct } from '../../app/staff-api.ts';
import { toast } from '../../parts/announce.tsx';
import { TextAreaField } from '../../parts/field.tsx';
import { incidents as texts } from '../../texts/en/incidents.ts';
import { ActDialog } from '../staff/act-dialog.tsx';
import { nameIncident } from './name-incident.ts';

const NOTE_LENGTH_MAX = 500;

const UNSENT: readonly TransferState[] = ['queued', 'scheduled', 'awaiting_approval'];

/** Only the route that says so sends its transfer before it is closed. */
function isHeldBack({ kind, transfer }: Incident): boolean {
  return kind === 'paid_before_sent' && transfer !== null && UNSENT.includes(transfer.state);
}

export function CloseIncident({
  incident,
  onClose,
}: Readonly<{ incident: Incident; onClose: () => void }>) {
  const act = useStaffAct();
  const [note, setNote] = useState('');
  return (
    <ActDialog
      needsStepUp
      title={texts.closeTitle}
      actLabel={texts.closeAct}
      inactive={note.trim() === '' ? texts.noteFirst : undefined}
      onClose={onClose}
      onAct={async () => {
        await act({ path: `/incidents/${incident.id}/close`, body: { note: note.trim() } });
        toast(texts.closedNow);
      }}
    >
      <p>
        <b>{nameIncident(incident)}.</b> {incident.detail}
      </p>
      <TextAreaField
        label={texts.noteLabel}
        help={texts.noteHelp}
        maxLength={NOTE_LENGTH_MAX}
        value={note}
        onChange={setNote}
      />
      <p className="soft">{isHeldBack(incident) ? texts.closeSends : texts.closeDetail}</p>
    </ActDialog>
  );
}
