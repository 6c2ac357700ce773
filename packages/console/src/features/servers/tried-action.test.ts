import { widgetActionWords } from '@proofmark/report';
import { expect, test } from 'vitest';
import { firstTry, readTried } from './tried-action.ts';

test.each([
  [{ ...firstTry, target: 'Order' }, { kind: 'click', target: { text: 'Order' } }, 'Click “Order”'],
  [
    { ...firstTry, locator: 'role', target: 'button Place order' },
    { kind: 'click', target: { role: { role: 'button', name: 'Place order' } } },
    'Click button Place order',
  ],
  [
    { ...firstTry, kind: 'type', locator: 'testId', target: 'copies', text: '2' },
    { kind: 'type', target: { testId: 'copies' }, text: '2' },
    'Type “2” into test id copies',
  ],
  [{ ...firstTry, kind: 'key', text: 'Enter' }, { kind: 'key', key: 'Enter' }, 'Press Enter'],
  [{ ...firstTry, kind: 'scroll' }, { kind: 'scroll', direction: 'down' }, 'Scroll down'],
  [{ ...firstTry, kind: 'wait', text: '200' }, { kind: 'wait', ms: 200 }, 'Wait 200 ms'],
] as const)('%j is an action', (tried, action, words) => {
  expect(readTried(tried)).toEqual(action);
  expect(widgetActionWords(action)).toBe(words);
});

test.each([
  firstTry,
  { ...firstTry, kind: 'key' },
  { ...firstTry, kind: 'wait', text: 'long' },
  { ...firstTry, locator: 'role' },
] as const)('%j is none yet', (tried) => {
  expect(readTried(tried)).toBeUndefined();
});
