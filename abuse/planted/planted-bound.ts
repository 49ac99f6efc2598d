import type { Edit, TestedBug } from '../../faults/planted/planted-bug.ts';
import type { Form } from '../attacker/attacker.ts';
import type { Guarantee } from '../observation.ts';

/** A bound of the service that is removed, so that an attack or a test must fail. */
export type PlantedBound = AttackedBound | TestedBug;

export type AttackedBound = Readonly<{
  name: string;
  edits: readonly Edit[];
  /** The attacks that the bound protects against, by id. */
  attacks: readonly string[];
  /** One of these promises must be found broken. */
  breaks: readonly Guarantee[];
  form: Form;
}>;
