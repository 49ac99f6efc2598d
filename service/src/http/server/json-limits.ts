/**
 * How large a JSON text may be in every dimension. A few bytes of text can need much memory: `{},` has three bytes and
 * becomes a Map of 100 bytes. So values are counted before memory is spent on them.
 */
export type JsonLimits = Readonly<{
  /** Nesting of objects and arrays. */
  depthMax: number;
  /** Objects, arrays, strings, numbers and words, in total. */
  valuesMax: number;
  /** Items of one array. */
  itemsMax: number;
  /** Members of one object. */
  keysMax: number;
  /** Characters of one string or key. */
  stringLengthMax: number;
}>;

/** The message is for people: it says what is wrong and where, and never repeats the input. */
export class StrictJsonError extends Error {
  override readonly name: string = 'StrictJsonError';
}

/** An array has more items than allowed. `depth` 2 is a member of the body itself. */
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
 * A body of a single call, at most 16 KiB: the largest valid one has about 60 values. The limit is higher so that a
 * client that sends unknown fields still gets the names of all of them.
 */
export const SMALL_JSON_LIMITS: JsonLimits = {
  depthMax: 8,
  valuesMax: 2_048,
  itemsMax: 1_024,
  keysMax: 1_024,
  stringLengthMax: 16 * 1_024,
};
