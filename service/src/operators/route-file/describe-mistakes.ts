import type { TSchema } from 'typebox';
import { Errors } from 'typebox/value';

/** Errors that only repeat another one, or that people cannot understand. */
const NOISE = new Set(['boolean', 'anyOf', 'oneOf', 'not']);

/** Settings that had another name before. */
const RENAMED: ReadonlyMap<string, string> = new Map([['pace', 'timeScale']]);

/**
 * The schema errors of a value, one line for each place, as `routes.0.settings.apiKey: must be string`. Values are
 * never repeated: some of them are secrets.
 */
export function describeMistakes(schema: TSchema, value: unknown, place: string): string[] {
  const lines = new Map<string, string>();
  const note = (at: string, text: string) => {
    if (!lines.has(at)) lines.set(at, `${at === '' ? 'the file' : at}: ${text}.`);
  };
  for (const error of Errors(schema, value)) {
    const at = [place, ...error.instancePath.split('/').slice(1)].filter((part) => part !== '');
    if (error.keyword === 'additionalProperties') {
      for (const name of error.params.additionalProperties) {
        const named = RENAMED.get(name);
        const text =
          named === undefined
            ? 'is not a setting; see the README of the connector'
            : `is named ${named}`;
        note([...at, name].join('.'), text);
      }
    } else if (error.keyword === 'required') {
      for (const name of error.params.requiredProperties)
        note([...at, name].join('.'), 'is missing');
    } else if (error.keyword === 'const') {
      note(at.join('.'), 'is not one of the allowed values');
    } else if (!NOISE.has(error.keyword)) {
      note(at.join('.'), error.message);
    }
  }
  return [...lines.values()];
}
