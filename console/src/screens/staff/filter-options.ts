import { OPERATORS } from '../../../../service/src/domain/operator.ts';
import { TRANSFER_STATES } from '../../../../service/src/domain/transfer-state.ts';
import { formatOperator } from '../../format/format-operator.ts';
import type { Option } from '../../parts/field.tsx';
import { shell } from '../../texts/en/shell.ts';
import { states } from '../../texts/en/states.ts';

export const modeOptions: readonly Option[] = [
  { value: 'live', label: shell.modes.live.word },
  { value: 'test', label: shell.modes.test.word },
];

export const operatorOptions: readonly Option[] = OPERATORS.map((operator) => ({
  value: operator,
  label: formatOperator(operator),
}));

export const stateOptions: readonly Option[] = TRANSFER_STATES.map((state) => ({
  value: state,
  label: states[state].word,
}));
