import { expect, test } from 'vitest';
import { namesServer, showCall } from './show-call.ts';

const call = { toolName: 'sum', serverName: 'Depot B', arguments: { a: 1 } };

test('a call says whose it is only where that matters', () => {
  expect(showCall(call, 'observed')).toBe('sum(a: 1)');
  expect(showCall(call, 'observed', true)).toBe('Depot B / sum(a: 1)');
  expect(namesServer([{ toolName: 'sum' }])).toBe(false);
  expect(namesServer([{ toolName: 'sum' }, call])).toBe(true);
});
