import { expect, test } from 'vitest';
import {
  type KeptRun,
  otherRunRefusal,
  otherTermsRefusal,
  reportedServers,
} from './run-content.ts';
import { resolveTerms } from './run-terms.ts';

const stated = {
  serverNames: ['weather'],
  serverReplayConfigs: [{ serverId: 'srv_1' }],
  hostConfigHash: 'AB',
  notes: 'a\0b',
  tags: ['one'],
  ci: { branch: 'main' },
};

const kept: KeptRun = {
  id: 'run_1',
  status: 'running',
  evaluationConfigHash: null,
  expectedIterations: null,
  snapshot: {
    terms: resolveTerms({}),
    servers: [{ name: 'weather' }, { id: 'srv_1' }],
    hostConfigHash: 'ab',
  },
  notes: 'a\uFFFDb',
  framework: null,
  ci: { branch: 'main' },
  tags: ['one'],
};

test('the same, as it is kept, is not refused', () => {
  expect(reportedServers(stated)).toEqual(kept.snapshot.servers);
  expect(otherRunRefusal(kept, stated)).toBeUndefined();
  expect(otherTermsRefusal(kept, stated)).toBeUndefined();
});

test.each([
  ['notes', { notes: 'other' }],
  ['tags', { tags: [] }],
  ['servers', { serverNames: ['traffic'] }],
  ['what it ran on', { hostConfigHash: 'cd' }],
  ['the build', { ci: { branch: 'other' } }],
  ['expected trials', { expectedIterations: 3 }],
  ['the framework', { framework: 'vitest' }],
  ['the evaluation', { evaluationConfigHash: 'ef' }],
])('a report with other %s is refused, while joining an open run is not', (_name, other) => {
  expect(otherRunRefusal(kept, { ...stated, ...other })).toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'RUN_ALREADY_REPORTED', runId: 'run_1', status: 'running' },
  });
  expect(otherTermsRefusal(kept, { ...stated, ...other })).toBeUndefined();
});

test('other terms are refused in both; terms that the suite replaced are compared as they were stated', () => {
  const other = { ...stated, passCriteria: { minimumPassRate: 90 } };
  expect(otherTermsRefusal(kept, other)).toBeDefined();
  expect(otherRunRefusal(kept, other)).toBeDefined();
  const replaced = { ...kept.snapshot, reportedTerms: { minimumPassRate: 90 } };
  expect(otherTermsRefusal({ ...kept, snapshot: replaced }, other)).toBeUndefined();
});
