import { expect, test } from 'vitest';
import { readServerLines } from './server-lines.ts';

test('a server of a suite is found at its line', async () => {
  const lineOf = await readServerLines(
    'suite: { id: a }\ntarget:\n  servers:\n    - command: node\n      name: Shop\n    - name: Desk\n',
  );
  expect(['Shop', 'Desk', 'None'].map(lineOf)).toEqual([4, 6, undefined]);
});

test('a server of the configuration of a client is found at its line', async () => {
  const file = JSON.stringify({ mcpServers: { shop: { command: 'node' }, desk: {} } }, null, 2);
  const lineOf = await readServerLines(file);
  expect(['shop', 'desk'].map(lineOf)).toEqual([3, 6]);
});

test('what cannot be read has no lines', async () => {
  expect((await readServerLines('{ [')).call(undefined, 'shop')).toBeUndefined();
});
