import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { askQuestion } from './ask-question.ts';

/** Asks at a terminal at which a person types. */
async function ask(typed: string) {
  const input = new PassThrough();
  let interrupts = 0;
  const onInterrupt = (): void => {
    interrupts += 1;
  };
  const terminal = { input, output: new PassThrough(), isTerminal: true, onInterrupt };
  const answer = askQuestion(terminal, 'Pay? ', new AbortController().signal);
  input.write(typed);
  return { answer: await answer, interrupts };
}

it('gives the answer, and passes Ctrl-C on, which a terminal does not send as a signal', async () => {
  assert.deepEqual(await ask('yes\r'), { answer: 'yes', interrupts: 0 });
  assert.deepEqual(await ask('ye\u0003'), { answer: '', interrupts: 1 });
});
