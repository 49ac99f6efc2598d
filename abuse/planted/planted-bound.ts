import type { Edit, TestedBug } from '../../faults/planted/planted-bug.ts';
import type { Form } from '../attacker/attacker.ts';
import type { Promised } from '../observation.ts';

/** A bound of the service that is taken out, so that an attack or a test must go red. */
export type PlantedBound = AttackedBound | TestedBug;

export type AttackedBound = Readonly<{
  name: string;
  edits: readonly Edit[];
  /** The attacks that the bound is there for, by id. */
  attacks: readonly string[];
  /** One of these promises must be found broken. */
  breaks: readonly Promised[];
  form: Form;
}>;
