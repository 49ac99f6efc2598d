import { DOUBT_KINDS } from '../../../../service/src/domain/doubt-kind.ts';
import type { Option } from '../../parts/field.tsx';

/** The codes of the runbook, as words. */
export const KIND_OPTIONS: readonly Option[] = DOUBT_KINDS.map((kind) => ({
  value: kind,
  label: kind.toLowerCase().replaceAll('_', ' '),
}));
