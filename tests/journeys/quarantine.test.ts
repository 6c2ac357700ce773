import { readFileSync, writeFileSync } from 'node:fs';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { confused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
import { type ProjectApi, projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadyWorkspace, createSharedWorkspace } from './ready-workspace.ts';

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('a suite file', () => {
  const workspace = createReadyWorkspace();
  const place = (name: string) => `${workspace.folder}/${name}`;
  const started = ['--server-command', 'node shop.mjs', '--server-name', 'shop'];
  const inMemory = { LC_ALL: 'C.UTF-8' };
  const onDatabase = { LC_ALL: 'C.UTF-8', PROOFMARK_DATA_DIR: workspace.dataDir };
  afterAll(() => workspace.remove());

  const entry = (more: string[] = []) => [
    '  - case: opens',
    ...more,
    '    owner: Mika',
    '    reason: The clock drifts',
    `    expires: ${dayIn(5)}`,
  ];
  function writeSuite(quarantine: readonly string[], says = 'nothing like it'): string {
    writeOwnServer(place('shop.mjs'));
    const lines = [
      'schemaVersion: "1"',
      'suite: { id: shop, name: Shop }',
      'defaults: { model: proofmark/lexical-1 }',
      ...(quarantine.length === 0 ? [] : ['quarantine:', ...quarantine]),
      'cases:',
      '  - id: opens',
      '    title: Tells the opening time',
      '    ask: When does the shop open today?',
      '    calls: opening_time',
      `    says: ${says}`,
      '  - id: calls',
      '    title: Asks the shop',
      '    ask: When does the shop open today?',
      '    calls: opening_time',
    ];
    writeFileSync(place('shop.suite.yaml'), `${lines.join('\n')}\n`);
    return 'shop.suite.yaml';
  }
  const proofmark = (environment: Record<string, string>, ...parameters: readonly string[]) =>
    workspace.runHere(['test', ...parameters, ...started], environment);

  test.each([
    ['in memory', inMemory, [] as string[]],
    ['on a database', onDatabase, ['--ephemeral', '--project', 'Default']],
  ])(
    'lets a failed run through, %s, and says so in every report',
    async (_, environment, flags) => {
      const file = writeSuite(entry());
      const reports = ['--json', 'out.json', '--junit', 'out.xml', '--markdown', 'out.md'];
      const done = await proofmark(environment, file, ...flags, ...reports);
      expect(done.code, done.stdout + done.stderr).toBe(0);
      expect(done.stdout).toMatch(/^QUARANTINED: 1 of 2 cases failed, and it is in quarantine · /);
      expect(done.stdout.replaceAll(/\s+/g, ' ')).toMatch(
        /Quarantine "Tells the opening time" failed, but its quarantine lets it through \(owner: Mika, [56] days left\)\. Reason: "The clock drifts"\./,
      );
      expect(readFileSync(place('out.xml'), 'utf8')).toMatch(
        /failures="0" errors="0"[\s\S]*<skipped message="In quarantine for Mika, [56] days left/,
      );
      const document = JSON.parse(readFileSync(place('out.json'), 'utf8'));
      expect(document).toMatchObject({
        exitCode: 0,
        suites: [{ verdict: 'failed', cases: [{}, { id: 'opens', quarantined: true }] }],
      });
      expect(readFileSync(place('out.md'), 'utf8')).toContain('#### Quarantine');
    },
  );

  test('lets nothing through for another model, or of another case', async () => {
    const other = await proofmark(inMemory, writeSuite(entry(['    model: other'])));
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(/^FAILED: 1 of 2 cases/);
    const mine = await proofmark(inMemory, writeSuite(entry(['    model: proofmark/lexical-1'])));
    expect(mine.code, mine.stdout).toBe(0);
    expect(mine.stdout).toMatch(/^QUARANTINED/);
  });

  test('fails by an entry that ended or lost its case, also where all passed, and names its line', async () => {
    const ended = entry().with(-1, `    expires: ${dayIn(-1)}`);
    const gone = entry().with(0, '  - case: closes');
    const done = await proofmark(inMemory, writeSuite([...ended, ...gone], 'nine'));
    expect(done.code, done.stdout).toBe(1);
    expect(done.stdout).toMatch(
      /^FAILED: 2 entries are stale in the quarantine; 2 of 2 cases passed/,
    );
    const output = done.stdout.replaceAll(/\s+/g, ' ');
    expect(output).toContain(
      'Delete the entry "- case: opens" below quarantine at shop.suite.yaml:5.',
    );
    expect(output).toContain('The suite has no case "closes".');
    expect(output).toContain(
      'Correct or delete the entry "- case: closes" below quarantine at shop.suite.yaml:9.',
    );
    expect((await proofmark(inMemory, writeSuite(entry(), 'nine'))).stdout).toMatch(/^PASSED/);
  });

  test.each([
    ['a day too late', entry().with(-1, `    expires: ${dayIn(40)}`), 'quarantine[0].expires'],
    ['no owner', entry().toSpliced(1, 1), 'owner'],
    ['too many cases', [...entry(), ...entry().with(0, '  - case: calls')], 'quarantine'],
  ])('with %s is a wrong use, told with its place', async (_, quarantine, words) => {
    const done = await proofmark(inMemory, writeSuite(quarantine));
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toMatch(/[Ll]ine \d+/);
    expect(done.stderr).toContain(words);
  });
});

describe('eval gate', () => {
  const workspace = createSharedWorkspace();
  let environment: Record<string, string>;
  let ask: ProjectApi;
  let suiteId: string;
  beforeAll(async () => {
    const service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
    const owner = ['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'];
    const { apiKey, projectId } = await workspace.admin(...owner, '--project', 'Default');
    environment = { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: apiKey, LC_ALL: 'C.UTF-8' };
    ask = projectApi(service.url, projectId, apiKey);
  });
  afterAll(() => workspace.remove());

  const gate = async (runId: string, ...flags: string[]) => {
    const done = await workspace.runHere(['eval', 'gate', runId, ...flags], environment);
    return { ...done, output: done.stdout.replaceAll(/\s+/g, ' ') };
  };
  async function report(results: readonly object[]): Promise<string> {
    const body = { suiteName: 'Order desk', verdictPolicy: {}, results };
    const made = await ask('POST', 'eval-ingest/report', body);
    suiteId = made.suiteId;
    return made.runId;
  }
  const quarantine = (caseId: string) =>
    ask('POST', `eval-suites/${suiteId}/quarantine`, {
      caseId,
      owner: 'Mika',
      reason: 'Races with the cache',
      expiresAt: Date.now() + 2 * 86_400_000,
    });

  test('passes a failed run by an entry of the API, until it is lifted', async () => {
    const runId = await report([tracked, confused]);
    expect(await gate(runId)).toMatchObject({ code: 1 });
    const { entry } = await quarantine('find-order');
    const open = await gate(runId);
    expect(open).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^QUARANTINED: 1 of 2 cases/),
    });
    expect(open.output).toContain('(owner: Mika, 2 days left). Reason: "Races with the cache".');
    const watched = await workspace.runHere(['eval', 'watch', runId], environment);
    expect(watched).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^QUARANTINED: 1 of 2 cases/),
    });
    const json = JSON.parse((await gate(runId, '--json')).stdout);
    expect(json).toMatchObject({
      verdict: 'failed',
      word: 'QUARANTINED',
      exitCode: 0,
      quarantine: { letThrough: [{ caseId: 'find-order', owner: 'Mika', daysLeft: 2 }], stale: [] },
      unseenDrop: null,
    });
    await ask('POST', `eval-runs/${runId}/gate-waivers`, {
      expiresAt: Date.now() + 3_600_000,
      reason: 'Known.',
    });
    const both = await gate(runId);
    expect(both.output).toMatch(/^QUARANTINED: .* A waiver is also in force until/);
    const watchedBoth = await workspace.runHere(['eval', 'watch', runId], environment);
    const [head = ''] = both.stdout.split('\n');
    expect(watchedBoth).toMatchObject({ code: 0, stdout: expect.stringContaining(head) });
    expect(watchedBoth.stdout).toMatch(/^QUARANTINED: .*A waiver is also in force until/s);
    const bounded = await gate(runId, '--min-pass-rate', '90%');
    expect(bounded.output).toMatch(
      /^WAIVED until .*"Find an order by e-mail" failed and is in quarantine/,
    );
    await ask('DELETE', `eval-suites/${suiteId}/quarantine/${entry.id}`);
    expect((await gate(runId)).stdout).toMatch(/^WAIVED until/);
  });

  test('says that it could not have seen a drop, and ends with 3 if it is strict', async () => {
    const runId = await report([tracked]);
    const seen = await gate(runId, '--drop', '0.9');
    expect(seen.code).toBe(0);
    const result = await gate(runId, '--drop', '0.2');
    expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^PASSED/) });
    expect(result.output).toContain(
      'could not have seen a drop of 20 %: the smallest that it can see is 85 %',
    );
    const strict = await gate(runId, '--drop', '0.2', '--strict');
    expect(strict).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/^INCONCLUSIVE: this gate/),
    });
    const json = JSON.parse((await gate(runId, '--drop', '0.2', '--strict', '--json')).stdout);
    expect(json).toMatchObject({ exitCode: 3, unseenDrop: { drop: 0.2, smallestDrop: 0.85 } });
    for (const flags of [['--strict'], ['--healthy-rate', '0.9'], ['--drop', '0.99']]) {
      expect((await gate(runId, ...flags)).code, flags.join(' ')).toBe(2);
    }
  });
});
