import { harmless } from '../domain/harmless-text.ts';
import { at, type ExactJson, readExactJson } from '../operators/wire/exact-json.ts';

const CODE_PATTERN = /^[\w.-]{1,40}$/;
const MEANING_LENGTH_MAX = 200;

/** Where operators put their code, the most telling place first. A path has its names in order. */
const CODE_PATHS: readonly (readonly string[])[] = [
  ['status', 'response_code'],
  ['status', 'result_code'],
  ['status_code'],
  ['output_ResponseCode'],
  ['failureReason', 'failureCode'],
  ['rejectionReason', 'rejectionCode'],
  ['data', 'failureReason', 'failureCode'],
  ['reason', 'code'],
  ['code'],
  ['reason'],
  ['StatusCode'],
  ['errorCode'],
  ['status'],
];

/** Where operators put the sentence beside it. */
const MEANING_PATHS: readonly (readonly string[])[] = [
  ['status', 'message'],
  ['data', 'transaction', 'message'],
  ['output_ResponseDesc'],
  ['failureReason', 'failureMessage'],
  ['rejectionReason', 'rejectionMessage'],
  ['data', 'failureReason', 'failureMessage'],
  ['reason', 'message'],
  ['message'],
  ['Message'],
  ['errorMessage'],
  ['status_message'],
];

export type OperatorWords = Readonly<{ code: string | null; meaning: string | null }>;

/**
 * The operator's own code and sentence in an answer as it was kept, which is without secrets. The rest of an answer is
 * between the operator and the company that runs the service.
 */
export function readOperatorWords(answer: string): OperatorWords {
  const json = readExactJson(answer);
  const code = firstText(json, CODE_PATHS);
  const meaning = firstText(json, MEANING_PATHS);
  return {
    code: code !== undefined && CODE_PATTERN.test(code) ? code : null,
    meaning:
      meaning === undefined
        ? null
        : Array.from(harmless(meaning)).slice(0, MEANING_LENGTH_MAX).join(''),
  };
}

function firstText(
  json: ExactJson | undefined,
  paths: readonly (readonly string[])[],
): string | undefined {
  for (const path of paths) {
    const value = at(json, ...path);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
