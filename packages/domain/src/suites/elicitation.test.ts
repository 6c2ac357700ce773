import { expect, test } from 'vitest';
import { Elicitations, indexOfElicitation } from './elicitation.ts';
import { EvalCaseDefinition } from './eval-case.ts';

const accept = { action: 'accept', content: { name: 'Ada', size: 2, new: true, tags: ['a'] } };

test.each<[string, unknown, boolean]>([
  ['an answer that accepts', [accept], true],
  ['one that declines and one that cancels', [{ action: 'decline' }, { action: 'cancel' }], true],
  ['one for a question', [{ ...accept, message: 'your name' }], true],
  ['an unknown action', [{ action: 'perhaps' }], false],
  ['content of an answer that declines', [{ action: 'decline', content: {} }], false],
  ['content that no form could give', [{ action: 'accept', content: { deep: { er: 1 } } }], false],
  ['an unknown key', [{ ...accept, answer: 'Ada' }], false],
  ['an empty message', [{ ...accept, message: '' }], false],
  ['too many', Array.from({ length: 51 }, () => accept), false],
])('%s', (_, given, isValid) => {
  expect(Elicitations.safeParse(given).success).toBe(isValid);
});

test('a case has answers, and so have its prompts and calls, but no assertion', () => {
  const elicitations = [accept];
  const prompt = { id: 'a', kind: 'prompt', prompt: 'Hello', elicitations };
  const call = {
    id: 'b',
    kind: 'toolCall',
    serverName: 's',
    toolName: 't',
    arguments: {},
    elicitations,
  };
  const definition = { title: 'Case', steps: [prompt, call], elicitations };
  expect(EvalCaseDefinition.parse(definition)).toEqual(definition);
  const assertion = { type: 'noToolErrors' };
  const steps = [prompt, { id: 'c', kind: 'assert', assertion, elicitations }];
  expect(EvalCaseDefinition.safeParse({ title: 'Case', steps }).success).toBe(false);
});

test('the first answer that is meant for the question is taken, in the order of the list', () => {
  const open = [
    { message: 'age', action: 'cancel' },
    { action: 'decline' },
    { message: 'name', action: 'accept' },
  ] as const;
  expect(indexOfElicitation(open, 'What is your age?')).toBe(0);
  expect(indexOfElicitation(open, 'What is your name?')).toBe(1);
  expect(indexOfElicitation(open.slice(2), 'What is your name?')).toBe(0);
  expect(indexOfElicitation(open.slice(2), 'Sure?')).toBe(-1);
});
