import { expect, test } from 'vitest';
import {
  answersUrls,
  Elicitations,
  indexOfElicitation,
  type ServerQuestion,
  withoutQueryOfUrl,
} from './elicitation.ts';
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
  ['one for an address', [{ mode: 'url', url: 'sign-in', action: 'accept' }], true],
  ['one for any address', [{ mode: 'url', action: 'decline' }], true],
  ['one that says that it is for a form', [{ ...accept, mode: 'form' }], true],
  ['content for an address', [{ ...accept, mode: 'url' }], false],
  ['an address for a form', [{ ...accept, url: 'sign-in' }], false],
  ['an unknown mode', [{ mode: 'phone', action: 'accept' }], false],
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
  expect(indexOfElicitation(open, form('What is your age?'))).toBe(0);
  expect(indexOfElicitation(open, form('What is your name?'))).toBe(1);
  expect(indexOfElicitation(open.slice(2), form('What is your name?'))).toBe(0);
  expect(indexOfElicitation(open.slice(2), form('Sure?'))).toBe(-1);
});

function form(message: string): ServerQuestion {
  return { mode: 'form', message };
}

test.each<[string, object, number]>([
  ['any address', { mode: 'url' }, 0],
  ['a part of the address', { mode: 'url', url: 'one.example/sign' }, 0],
  [
    'the whole address, whose query is ignored',
    { mode: 'url', url: 'https://one.example/sign-in?state=other' },
    0,
  ],
  ['nothing but a query', { mode: 'url', url: '?state=secret' }, -1],
  ['another address', { mode: 'url', url: 'two.example' }, -1],
  ['a part of the query', { mode: 'url', url: 'secret' }, -1],
  ['another question', { mode: 'url', message: 'Pay' }, -1],
  ['a form', {}, -1],
])('an answer for %s is found by it alone', (_, given, expected) => {
  const open = [{ action: 'accept', ...given }] as const;
  const url = 'https://ada:pass@one.example/sign-in?state=secret#top';
  expect(indexOfElicitation(open, { mode: 'url', message: 'Sign in.', url })).toBe(expected);
});

test('a form is never answered by an answer for an address', () => {
  expect(indexOfElicitation([{ mode: 'url', action: 'accept' }], form('Name?'))).toBe(-1);
});

test('an address is stored without its query, its fragment and its credentials', () => {
  const url = 'https://ada:pass@one.example/sign-in?state=secret#top';
  expect(withoutQueryOfUrl({ mode: 'url', url, message: 'Go.' })).toEqual({
    mode: 'url',
    url: 'https://one.example/sign-in',
    message: 'Go.',
  });
  const question = { message: 'Name?', requestedSchema: {} };
  expect(withoutQueryOfUrl(question)).toBe(question);
  expect(withoutQueryOfUrl(undefined)).toBe(undefined);
});

test('a case answers addresses if it, a step, or a call around it does', () => {
  const elicitations = [{ mode: 'url', action: 'accept' }] as const;
  const forms = [{ action: 'accept' }] as const;
  expect(answersUrls({ steps: [] })).toBe(false);
  expect(answersUrls({ steps: [{ elicitations: forms }], elicitations: forms })).toBe(false);
  expect(answersUrls({ steps: [], elicitations })).toBe(true);
  expect(answersUrls({ steps: [{ elicitations }] })).toBe(true);
  expect(answersUrls({ steps: [], before: { calls: [{ elicitations }] } })).toBe(true);
  expect(answersUrls({ steps: [], after: { calls: [{ elicitations }] } })).toBe(true);
});
