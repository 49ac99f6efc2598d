import assert from 'node:assert/strict';
import type { TestPerson } from '../test-person.ts';

export type StaffAnswer = Readonly<{
  status: number;
  code: string | undefined;
  message: string;
  /** Of many shapes, which tests read by path. */
  data: ReturnType<JSON['parse']>;
}>;

/** Calls of people over HTTP, each with the session of its person. */
export function staffCalls(baseUrl: string) {
  async function send(method: string, path: string, person: TestPerson | null, body?: unknown) {
    const response = await fetch(`${baseUrl}/api/v1/operations${path}`, {
      method,
      headers: {
        ...(person === null ? {} : person.headers),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as StaffAnswer;
    const { data, message } = answer;
    return { status: response.status, code: data?.error?.code, message, data };
  }
  return {
    send,
    get: async (person: TestPerson, path: string) => {
      const answer = await send('GET', path, person);
      assert.equal(answer.status, 200, `${path} ${answer.message} ${JSON.stringify(answer.data)}`);
      return answer.data;
    },
    post: (person: TestPerson, path: string, body: unknown = {}) =>
      send('POST', path, person, body),
    done: async (person: TestPerson, path: string, body: unknown = {}) => {
      const answer = await send('POST', path, person, body);
      const shown = `${path} ${answer.message} ${JSON.stringify(answer.data)}`;
      assert.ok([200, 201].includes(answer.status), shown);
      return answer.data;
    },
  };
}

export function refusalOf({ status, code }: StaffAnswer) {
  return [status, code];
}
