import { expect, test } from 'vitest';
import { caseOfTrial } from './case-of-trial.ts';
import type { ConversationTurn } from './read-conversation.ts';

const userMessage = { kind: 'said', role: 'user', text: 'How many pens?' } as const;
const call = {
  kind: 'call',
  name: 'count',
  input: { item: 'pens' },
  serverName: 'Shop',
  result: { isError: false, value: 4 },
} as const;
const failed = { ...call, name: 'break', result: { isError: true, value: 'no' } } as const;
const turn = (...entries: ConversationTurn['entries']): ConversationTurn => ({ index: 0, entries });
const options = { title: 'Pens', expectCalls: true };

test('what was asked is asked again, and what was called with success is expected', () => {
  expect(caseOfTrial([turn(userMessage, call, failed)], options)).toEqual({
    title: 'Pens',
    steps: [{ id: 'turn-1', kind: 'prompt', prompt: 'How many pens?' }],
    checks: {
      mode: 'extend',
      list: [
        {
          type: 'toolCalledWith',
          toolName: 'count',
          args: { args: { item: 'pens' }, argumentMatching: 'partial' },
        },
      ],
    },
  });
  expect(
    caseOfTrial([turn(userMessage, call)], { ...options, expectCalls: false }),
  ).not.toHaveProperty('checks');
});

test('calls that no model chose are made again; without a server they cannot be', () => {
  expect(caseOfTrial([turn(call)], options)?.steps).toEqual([
    {
      id: 'call-1-1',
      kind: 'toolCall',
      serverName: 'Shop',
      toolName: 'count',
      arguments: { item: 'pens' },
    },
  ]);
  const { serverName: _, ...nowhere } = call;
  expect(caseOfTrial([turn(nowhere)], options)).toBeUndefined();
});
