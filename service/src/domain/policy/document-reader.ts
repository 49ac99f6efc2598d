import { type FieldCode, type FieldProblem, fieldProblem } from '../field-problem.ts';

/** A document of a thousand mistakes is answered with the first ones. */
const PROBLEMS_MAX = 50;
/** A name longer than this is not repeated in a problem. */
const NAME_LENGTH_MAX = 60;

/** The problems of a document, each with the path of its field, such as `rules.0.when.sum.above`. */
export class DocumentProblems {
  readonly #problems: FieldProblem[] = [];

  get found(): readonly FieldProblem[] {
    return this.#problems;
  }

  add(path: string, message: string, code: FieldCode = 'INVALID_POLICY'): undefined {
    if (this.#problems.length < PROBLEMS_MAX)
      this.#problems.push(fieldProblem(path, code, message));
    return undefined;
  }
}

/** One object of a document. A member that is absent reads as null, a broken one as undefined with a problem. */
export class DocumentObject {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly problems: DocumentProblems;

  private constructor(
    members: Readonly<Record<string, unknown>>,
    path: string,
    problems: DocumentProblems,
  ) {
    this.#members = members;
    this.#path = path;
    this.problems = problems;
  }

  /** Undefined with a problem when the value is no object. Members that are not known are problems. */
  static open(
    value: unknown,
    {
      path,
      known,
      problems,
    }: Readonly<{
      path: string;
      known: readonly string[];
      problems: DocumentProblems;
    }>,
  ): DocumentObject | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return problems.add(path, 'Must be an object, such as {}.');
    }
    const opened = new DocumentObject(value as Record<string, unknown>, path, problems);
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      const shown = name.slice(0, NAME_LENGTH_MAX);
      problems.add(
        opened.pathOf(shown),
        `There is no such member here. Known are: ${known.join(', ')}.`,
        'UNKNOWN_FIELD',
      );
    }
    return opened;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name);
  }

  pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }

  problem(name: string, message: string): undefined {
    return this.problems.add(this.pathOf(name), message);
  }

  value(name: string): unknown {
    return this.has(name) ? this.#members[name] : undefined;
  }

  /** The member as `parse` reads it; null where it is absent. */
  read<T>(
    name: string,
    parse: (value: unknown) => T | undefined,
    message: string,
  ): T | null | undefined {
    if (!this.has(name)) return null;
    return parse(this.#members[name]) ?? this.problem(name, message);
  }

  /** As `read`, and absent is a problem. */
  required<T>(
    name: string,
    parse: (value: unknown) => T | undefined,
    message: string,
  ): T | undefined {
    if (this.has(name)) return parse(this.#members[name]) ?? this.problem(name, message);
    return this.problems.add(this.pathOf(name), `This is missing. ${message}`, 'REQUIRED');
  }
}
