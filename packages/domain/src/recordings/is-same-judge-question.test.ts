import { expect, test } from 'vitest';
import { writeJudgeRequest } from '../judge/write-judge-request.ts';
import { isSameQuestion } from './is-same-judge-question.ts';

const call = (toolCallId: string, city: string) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'weather',
  input: { city, area: 'north' },
});
const result = (toolCallId: string, text: string) => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'weather',
  output: { type: 'json', value: { content: [{ type: 'text', text }] } },
});
const talk = (first: string, second: string, answer = 'Rain.') => [
  { role: 'user', content: 'What is the weather?' },
  { role: 'assistant', content: [call(first, 'Rome'), call(second, 'Bern')] },
  { role: 'tool', content: [result(first, answer), result(second, 'Sun.')] },
  { role: 'assistant', content: [{ type: 'text', text: 'Rain and sun.' }] },
];
const now = (messages: readonly unknown[], model = 'judge/one') => {
  const { system, prompt } = writeJudgeRequest({ title: 'T', query: 'Q', messages });
  return whole(system, prompt, model);
};
const whole = (system: string, content: string, model = 'judge/one') => ({
  model,
  parameters: { temperature: 0 },
  system,
  tools: [],
  messages: [{ role: 'user', content }],
});
/** The judge's request as older versions sent it, with message keys in the sender's order. */
const before = (messages: readonly unknown[]) => {
  const { system } = writeJudgeRequest({ title: 'T', query: 'Q', messages });
  const conversation = messages.map((message) => JSON.stringify(message));
  const material = JSON.stringify({ title: 'T', task: 'Q', conversation });
  return whole(system, `<material>\n${material}\n</material>`);
};
const asked = now(talk('call-1', 'call-2'));

test.each([
  ['ids of a provider', before(talk('toolu_9f', 'toolu_03'))],
  ['the same ids in another order of keys', before(talk('call-1', 'call-2'))],
  ['a secret that was hidden', now(talk('call-1', 'call-2', 'By [hidden].')), 'By [redacted].'],
])('%s are no difference', (_, recorded, answer?: string) => {
  const question = answer === undefined ? asked : now(talk('call-1', 'call-2', answer));
  expect(isSameQuestion(recorded, question, '[hidden]')).toBe(true);
});

test('a mark in the conversation is equal to what stands there now', () => {
  const marked = before(talk('toolu_9f', 'toolu_03', 'TOKEN'));
  const [message] = marked.messages;
  const content = message?.content.replace('TOKEN', 'by {"$redacted":3}') ?? '';
  const recorded = whole(marked.system, content);
  const question = now(talk('call-1', 'call-2', 'by [redacted]'));
  expect(isSameQuestion(recorded, question, '[hidden]')).toBe(true);
});

test.each([
  ['another result', before(talk('toolu_9f', 'toolu_03', 'Snow.'))],
  ['results that answer each other’s call', now(crossed())],
  ['one call where there were two', before(talk('toolu_9f', 'toolu_9f'))],
  ['another judge', now(talk('call-1', 'call-2'), 'judge/two')],
  ['another rubric', whole(`${asked.system} Be kind.`, asked.messages[0]?.content ?? '')],
])('%s is a difference', (_, recorded) => {
  expect(isSameQuestion(recorded, asked, '[hidden]')).toBe(false);
});

function crossed() {
  const messages = talk('a', 'b');
  return messages.with(2, { role: 'tool', content: [result('b', 'Rain.'), result('a', 'Sun.')] });
}
