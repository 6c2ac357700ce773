import { expect, test } from 'vitest';
import { chooseClient } from './find-client.ts';

const candidates = [
  { id: 'cli_3', name: 'Desk' },
  { id: 'cli_1', name: 'Chair' },
  { id: 'cli_2', name: ' desk ' },
  { id: 'cli_4', name: 'CLI_1' },
  { id: 'cli_5', name: '  ' },
];

test.each<[string, string, string]>([
  ['an id', 'cli_3', 'cli_3'],
  ['an id before a name that looks like it', 'cli_1', 'cli_1'],
  ['a name, where no id is spelled like that', 'CLI_1', 'cli_4'],
  ['a name in any case and with spaces around it', '  cHAIR ', 'cli_1'],
])('%s finds its client', (_title, reference, id) => {
  expect(chooseClient(reference, candidates)).toMatchObject({ client: { id } });
});

test('a name that fits several is refused with their ids', () => {
  expect(chooseClient('DESK', candidates)).toMatchObject({
    refusal: { code: 'CONFLICT', details: { candidateIds: ['cli_2', 'cli_3'] } },
  });
});

test.each(['table', '', ' ', 'CLI_3'])('%j finds nothing', (reference) => {
  expect(chooseClient(reference, candidates)).toMatchObject({ refusal: { code: 'NOT_FOUND' } });
});
