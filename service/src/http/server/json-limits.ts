/**
 * How large a JSON text may be in every direction. A text of a few bytes can ask for much memory: `{},`
 * takes three bytes and becomes a Map of 100. So values are counted before memory is spent on them.
 */
export type JsonLimits = Readonly<{
  /** Objects and arrays within each other. */
  depthMax: number;
  /** Objects, arrays, strings, numbers and words, in all. */
  valuesMax: number;
  /** Items of one array. */
  itemsMax: number;
  /** Members of one object. */
  keysMax: number;
  /** Characters of one string or key. */
  stringLengthMax: number;
}>;

/** The message is for people: it says what and where, and never repeats what was sent. */
export class StrictJsonError extends Error {
  override readonly name: string = 'StrictJsonError';
}

/** An array has more items than it may. `depth` 2 is a member of the body itself. */
export class ListTooLong extends StrictJsonError {
  override readonly name = 'ListTooLong';
  readonly depth: number;

  constructor(itemsMax: number, depth: number) {
    super(`An array has more than ${itemsMax} items.`);
    this.depth = depth;
  }
}

export function tooManyValues({ valuesMax }: JsonLimits): StrictJsonError {
  return new StrictJsonError(`There are more than ${valuesMax} values.`);
}

export function tooManyKeys({ keysMax }: JsonLimits): StrictJsonError {
  return new StrictJsonError(`An object has more than ${keysMax} members.`);
}

export function stringTooLong({ stringLengthMax }: JsonLimits): StrictJsonError {
  return new StrictJsonError(`A string is longer than ${stringLengthMax} characters.`);
}

/**
 * A body of one thing, at most 16 KiB: the widest has about 60 values. So many more are let through that
 * a client that sends too much still hears the names of all fields that it should not have sent.
 */
export const SMALL_JSON_LIMITS: JsonLimits = {
  depthMax: 8,
  valuesMax: 2_048,
  itemsMax: 1_024,
  keysMax: 1_024,
  stringLengthMax: 16 * 1_024,
};
