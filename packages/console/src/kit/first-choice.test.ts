import { sampleServerName } from '@proofmark/domain';
import { expect, test } from 'vitest';
import { firstServers, firstSuite } from './first-choice.ts';

const sample = { id: 'srv_sample', name: sampleServerName, createdAt: 9 };
const old = { id: 'srv_old', name: 'Old', createdAt: 1 };
const young = { id: 'srv_young', name: 'Young', createdAt: 2 };

test('the server at hand is chosen first, else the newest of one’s own, the sample only alone', () => {
  const all = [sample, old, young];
  expect(firstServers(all, [old.id])).toEqual([old.id]);
  expect(firstServers(all, ['srv_gone'])).toEqual([young.id]);
  expect(firstServers(all)).toEqual([young.id]);
  expect(firstServers([sample])).toEqual([sample.id]);
  expect(firstServers([])).toEqual([]);
});

test('a case goes into the suite that is meant, else into one of its server, else into a new one', () => {
  const suites = [
    { id: 'ste_sample', serverIds: [sample.id] },
    { id: 'ste_old', serverIds: [sample.id, old.id] },
  ];
  expect(firstSuite(suites, 'ste_old', [sample.id])).toBe('ste_old');
  expect(firstSuite(suites, undefined, [old.id])).toBe('ste_old');
  expect(firstSuite(suites, 'ste_gone', [young.id])).toBeUndefined();
  expect(firstSuite(suites, undefined)).toBeUndefined();
});
