import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { reportResults } from './report-results.ts';
import { ProofmarkReporter, type VitestReporterOptions } from './vitest.ts';

const connection = { suite: 'Unit', url: 'http://service.invalid', apiKey: 'sk_1' };
const results = [
  { caseTitle: 'adds', passed: true },
  { caseTitle: 'adds', passed: false, error: 'It is 3.' },
];

type Sent = { readonly step: string; readonly body: Record<string, unknown> };

function service(limits = 0) {
  const sent: Sent[] = [];
  let left = limits;
  const fetch = (async (url: string, { body }: { body: string }) => {
    if (left > 0) {
      left -= 1;
      return new Response('{}', { status: 429, headers: { 'retry-after': '2' } });
    }
    const step = url.split('/').at(-1) ?? '';
    sent.push({ step, body: JSON.parse(body) });
    const status = step === 'finalize' ? 'completed' : 'running';
    return Response.json({ runId: 'run_1', status, inserted: 2, skipped: 0 });
  }) as unknown as typeof globalThis.fetch;
  return { sent, client: { fetch, sleep: async () => {}, random: () => 0 } };
}

test('results are reported as one run, each with an id of its own', async () => {
  const { sent, client } = service();
  const answer = await reportResults({ ...connection, results, client, runId: 'build-1' });
  expect(answer).toMatchObject({ runId: 'run_1', inserted: 2 });
  expect(sent.map(({ step }) => step)).toEqual(['start', 'iterations', 'finalize']);
  expect(sent[0]?.body).toEqual({
    suiteName: 'Unit',
    externalRunId: 'build-1',
    expectedIterations: 2,
  });
  expect(sent[1]?.body['results']).toEqual([
    { ...results[0], externalIterationId: '0' },
    { ...results[1], externalIterationId: '1' },
  ]);
});

test('a limit is waited out, and that is said', async () => {
  const { client } = service(12);
  const sentences: string[] = [];
  const tell = (sentence: string) => void sentences.push(sentence);
  expect(await reportResults({ ...connection, results, client, tell })).toBeDefined();
  expect(sentences).toEqual(Array(12).fill('the service limits requests; waiting 2 s.'));
});

test('what goes wrong is told, and thrown only to who asks for that', async () => {
  const fetch = async () => Promise.reject(new Error('refused'));
  const sentences: string[] = [];
  const failing = {
    ...connection,
    results,
    tell: (sentence: string) => void sentences.push(sentence),
    client: { fetch, sleep: async () => {} },
  };
  expect(await reportResults(failing)).toBeUndefined();
  expect(sentences).toEqual([
    'the results were not reported. Could not reach http://service.invalid. Is the service running there?',
  ]);
  await reportResults({ ...failing, apiKey: undefined });
  expect(sentences[1]).toContain('API key is not set');
  await expect(reportResults({ ...failing, failOnError: true })).rejects.toThrow('Could not reach');
});

test('a test run of Vitest goes on without its service or key, and ends by it where that is wanted', async () => {
  const fetch = async () => Promise.reject(new Error('refused'));
  const sentences: string[] = [];
  const tell = (sentence: string) => void sentences.push(sentence);
  const ended = (more: Partial<VitestReporterOptions>) =>
    new ProofmarkReporter({
      ...connection,
      tell,
      client: { fetch, sleep: async () => {} },
      ...more,
    }).onTestRunEnd([], [{ message: 'It is 3.' }]);
  await ended({});
  await ended({ apiKey: undefined });
  await expect(ended({ failOnError: true })).rejects.toThrow('Could not reach');
  expect(sentences).toEqual([
    expect.stringContaining('the results were not reported. Could not reach'),
    expect.stringContaining('API key is not set'),
  ]);
  expect(sentences.join()).not.toContain('sk_1');
});

test('a service that never answers holds nobody for long', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const sentences: string[] = [];
  try {
    const answer = await reportResults({
      ...connection,
      url,
      results,
      requestTimeoutMs: 50,
      client: { maxRetries: 1 },
      tell: (sentence) => void sentences.push(sentence),
    });
    expect(answer).toBeUndefined();
    expect(sentences).toEqual([
      `the results were not reported. Could not reach ${url}. Is the service running there?`,
    ]);
  } finally {
    silent.closeAllConnections();
    silent.close();
  }
}, 10_000);

test('the reporter of Vitest tells every test, and what could not be loaded', async () => {
  const { sent, client } = service();
  const testOf = (name: string, state: string, message?: string) => ({
    fullName: name,
    module: { relativeModuleId: 'src/add.test.ts' },
    result: () => ({ state, errors: message === undefined ? undefined : [{ message }] }),
    diagnostic: () => (state === 'skipped' ? undefined : { duration: 1.6 }),
  });
  const tests = [
    testOf('add > works', 'passed'),
    testOf('add > far', 'failed', 'It is 3.'),
    testOf('add > later', 'skipped'),
  ];
  const module = (id: string, all: readonly unknown[], errors: readonly object[]) =>
    ({ relativeModuleId: id, children: { allTests: () => all }, errors: () => errors }) as never;
  await new ProofmarkReporter({ ...connection, client }).onTestRunEnd(
    [
      module('src/add.test.ts', tests, []),
      module('src/gone.test.ts', [], [{ message: 'No such file.' }]),
    ],
    [],
  );
  expect(sent[1]?.body['results']).toMatchObject([
    { caseTitle: 'src/add.test.ts::add > works', passed: true, durationMs: 2 },
    { caseTitle: 'src/add.test.ts::add > far', passed: false, error: 'It is 3.' },
    { caseTitle: 'src/add.test.ts::add > later', status: 'skipped' },
    { caseTitle: 'src/gone.test.ts', status: 'setup_failed', error: 'No such file.' },
  ]);
});
