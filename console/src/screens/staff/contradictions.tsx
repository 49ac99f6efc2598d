import type { Dossier } from '../../api/staff-types.ts';
import { formatOperator } from '../../format/format-operator.ts';
import { Note } from '../../parts/note.tsx';
import { doubt } from '../../texts/en/doubt.ts';
import { sayContradictions } from './say-contradictions.ts';

/** Stands above every decision about a payout that its operator reported otherwise. */
export function Contradictions({ dossier }: Readonly<{ dossier: Dossier }>) {
  const said = sayContradictions(dossier);
  if (said === undefined) return null;
  return (
    <Note tone="bad">
      <p>
        <b>{doubt.contradicted.lead(formatOperator(dossier.transfer.operator))}</b> {said}
      </p>
    </Note>
  );
}
