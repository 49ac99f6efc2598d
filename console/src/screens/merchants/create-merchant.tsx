import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Named } from '../../api/staff-types.ts';
import { useInactive, useStaffAct } from '../../app/staff-api.ts';
import { readFee } from '../../format/read-amount.ts';
import { toast } from '../../parts/announce.tsx';
import { TextField } from '../../parts/field.tsx';
import { merchants } from '../../texts/en/merchants.ts';
import { ActDialog } from '../staff/act-dialog.tsx';

const texts = merchants.create;
const NAME_LENGTH_MAX = 100;

export function CreateMerchant({ onClose }: Readonly<{ onClose: () => void }>) {
  const act = useStaffAct();
  const inactive = useInactive();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [fixed, setFixed] = useState('0.00');
  const [percent, setPercent] = useState('0');
  const read = { fixed: readFee(fixed), percent: readFee(percent) };
  const fees = { fixed: read.fixed.amount, percent: read.percent.amount };
  return (
    <ActDialog
      title={texts.title}
      actLabel={texts.do(name.trim())}
      needsStepUp
      inactive={
        inactive('merchants:write') ??
        (name.trim() === '' ? texts.nameFirst : (read.fixed.problem ?? read.percent.problem))
      }
      onClose={onClose}
      onAct={async () => {
        const { id } = await act<Named>({ path: '/merchants', body: { name: name.trim(), fees } });
        toast(texts.done(name.trim()));
        void navigate({ to: `/staff/merchants/${id}` });
      }}
    >
      <TextField
        label={texts.name}
        help={texts.nameHelp}
        maxLength={NAME_LENGTH_MAX}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <div className="form-row">
        <TextField
          label={texts.fixed}
          inputMode="decimal"
          value={fixed}
          problem={read.fixed.problem}
          onChange={setFixed}
        />
        <TextField
          label={texts.percent}
          inputMode="decimal"
          value={percent}
          problem={read.percent.problem}
          onChange={setPercent}
        />
      </div>
      <p className="help">{texts.feeHelp}</p>
    </ActDialog>
  );
}
