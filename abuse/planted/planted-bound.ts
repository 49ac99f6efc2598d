import type { Edit } from '../../faults/planted/planted-bug.ts';
import type { Form } from '../attacker/attacker.ts';
import type { Promised } from '../observation.ts';

/** A bound of the service that is taken out, so that an attack must go red. */
export type PlantedBound = Readonly<{
  name: string;
  edits: readonly Edit[];
  /** The attacks that the bound is there for, by id. */
  attacks: readonly string[];
  /** One of these promises must be found broken. */
  breaks: readonly Promised[];
  form: Form;
}>;
