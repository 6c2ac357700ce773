import { expect, test } from 'vitest';
import { readCiResults } from './read-ci-results.ts';

const tool = { name: 'get_order', description: 'Gets.', inputSchema: { type: 'object' } };
const tested = {
  headline: 'PASSED: 1 of 1 cases',
  exitCode: 0,
  suites: [
    {
      file: 'shop.suite.yaml',
      cases: [{ id: 'finds', title: 'Finds', line: 4, verdict: 'passed', flaky: true }],
    },
  ],
};
const linted = {
  findings: [
    { rule: 'names-alike', severity: 'warn', serverName: 'shop', toolName: 'a', message: 'M.' },
  ],
  surface: { servers: [{ name: 'shop', tools: [tool] }] },
  tokens: { servers: [{ serverName: 'shop', total: { o200k_base: 12, approx: 10 } }] },
};

test('cases, findings, tools and tokens are read', () => {
  const base = { servers: [{ name: 'shop', tools: [] }], tokens: { servers: [] } };
  const files = { test: tested, lint: linted, base };
  expect(readCiResults(files, { exitCode: 0, page: 'https://a.example/run' })).toMatchObject({
    verdict: 'passed',
    headline: 'PASSED: 1 of 1 cases',
    cases: [{ file: 'shop.suite.yaml', name: 'Finds', line: 4, outcome: 'passed', isFlaky: true }],
    findings: [{ rule: 'names-alike', severity: 'warn' }],
    differences: [{ serverName: 'shop', tools: [{ change: 'added', name: 'get_order' }] }],
    tokens: [{ serverName: 'shop', tokens: 12 }],
    tokensBefore: undefined,
    page: 'https://a.example/run',
  });
});

test('a case is explained by the check that failed, or else by the sum of its trials', () => {
  const [suite] = tested.suites;
  const red = { id: 'ships', verdict: 'failed', why: 'Failed 1 of 1.' };
  const cases = [{ ...red, checks: ['"ship" was never called.'] }, red];
  const test = { ...tested, suites: [{ ...suite, cases }] };
  const results = readCiResults({ test }, { exitCode: 1 });
  expect(results.cases.map(({ why }) => why)).toEqual([
    '"ship" was never called.',
    'Failed 1 of 1.',
  ]);
});

test('fields that models do not get are no difference', () => {
  const withTitle = { ...tool, title: 'Order', _meta: { version: 2 } };
  const base = { surface: { servers: [{ name: 'shop', tools: [withTitle] }] } };
  const { differences } = readCiResults({ lint: linted, base }, { exitCode: 0 });
  expect(differences).toEqual([]);
});

test('a server that several suites pin counts once', () => {
  const pin = { servers: [{ name: 'shop', tools: [tool] }], tokens: linted.tokens };
  const { differences, tokensBefore } = readCiResults(
    { lint: linted, pins: [pin, pin] },
    { exitCode: 0 },
  );
  expect(differences).toEqual([]);
  expect(tokensBefore).toEqual([{ serverName: 'shop', tokens: 12 }]);
});

test('a pin wins over what the base lists, and tells nothing of other servers', () => {
  const other = { name: 'other', tools: [{ ...tool, name: 'new' }] };
  const two = {
    surface: { servers: [{ name: 'shop', tools: [tool] }, other] },
    tokens: {
      servers: [...linted.tokens.servers, { serverName: 'other', total: { o200k_base: 7 } }],
    },
  };
  const pin = { servers: [{ name: 'shop', tools: [] }] };
  const ofPin = readCiResults({ lint: two, pins: [pin] }, { exitCode: 0 });
  expect(ofPin.knowsPartOfBase).toBe(true);
  expect(ofPin.differences?.map(({ serverName }) => serverName)).toEqual(['shop']);
  const both = readCiResults({ lint: two, base: linted, pins: [pin] }, { exitCode: 0 });
  expect(both.knowsPartOfBase).toBe(false);
  expect(both.differences).toMatchObject([
    { serverName: 'shop', change: 'changed' },
    { serverName: 'other', change: 'added' },
  ]);
});

test('a lint of pins is told from one of servers', () => {
  const ofPins = readCiResults({ lint: { ...linted, pinned: true } }, { exitCode: 0 });
  const ofServers = readCiResults({ lint: linted }, { exitCode: 0 });
  expect([ofPins.isPinned, ofServers.isPinned]).toEqual([true, false]);
});

test('without tools of the base nothing is compared', () => {
  const { differences } = readCiResults({ lint: linted }, { exitCode: 0 });
  expect(differences).toBeUndefined();
});

test.each([
  ['a test that passed beside a lint that failed', tested, 1, 'failed', /^FAILED: lint found 1 w/],
  ['a test that failed', { ...tested, exitCode: 1, headline: 'FAILED: 0' }, 1, 'failed', /^FAILED/],
  ['a lint that could not be made', tested, 3, 'inconclusive', /^NO ANSWER: the tools could not/],
  ['no test', undefined, 2, 'notEstablished', /^NO ANSWER: the suites could not be tested/],
  ['a file of another shape', ['x'], 3, 'notEstablished', /^NO ANSWER/],
] as const)('%s is told by verdict and headline', (_, document, exitCode, verdict, headline) => {
  const results = readCiResults({ test: document, lint: linted }, { exitCode });
  expect(results.verdict).toBe(verdict);
  expect(results.headline).toMatch(headline);
});

test('why there is no answer is the last message of the command', () => {
  const log =
    'proofmark: Checked 1 file.\nproofmark: shop.suite.yaml is not trusted here,\nproofmark:   so nothing was started. Allow it\nproofmark:   with --trust.\n';
  expect(readCiResults({ log }, { exitCode: 2 }).headline).toBe(
    'NO ANSWER: the suites could not be tested: shop.suite.yaml is not trusted here, so nothing was started. Allow it with --trust.',
  );
  expect(readCiResults({ log: 'other\n' }, { exitCode: 2 }).headline).toMatch(/the log of the job/);
});
