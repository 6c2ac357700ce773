import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { afterAll, expect, test } from 'vitest';

const workspace = createTestWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
const environment = { LC_ALL: 'C.UTF-8' };
const read = (name: string) => readFileSync(place(name), 'utf8');
const run = (...parameters: string[]) =>
  workspace.runHere(['test', ...parameters, '--server-command', 'node shop.mjs'], environment);
afterAll(() => workspace.remove());

const suite = (id: string, tool: string) => `# A suite.
schemaVersion: "1"
suite: { id: ${id}, name: ${id} }
target: { servers: [{ name: shop }] }
cases:
  - id: opens
    title: Tells when it opens
    ask: When does the shop open today?
    calls: ${tool}
`;

test('all formats at once, of two suites, in folders that are made', async () => {
  writeOwnServer(place('shop.mjs'));
  writeFileSync(place('green.suite.yaml'), suite('green', 'opening_time'));
  writeFileSync(place('red.suite.yaml'), suite('red', 'closing_time'));
  const flags = ['json', 'html', 'junit', 'markdown', 'sarif'].flatMap((format) => [
    `--${format}`,
    `out/${format}/report`,
  ]);
  const done = await run(...flags);
  expect(done.code, done.stderr).toBe(1);
  const sum = /^FAILED: 1 of 2 suites · 1 of 2 cases passed · proofmark\/lexical-1 · /m;
  expect(done.stdout).toMatch(/^PASSED: 1 of 1 case ·.*^FAILED: 1 of 1 case ·/ms);
  expect(done.stdout).toMatch(sum);
  const report = JSON.parse(read('out/json/report'));
  expect(report).toMatchObject({
    format: 'proofmark-test',
    verdict: 'failed',
    exitCode: 1,
    headline: expect.stringMatching(sum),
    suites: [
      { file: 'green.suite.yaml', verdict: 'passed', cases: [{ id: 'opens', line: 6 }] },
      { file: 'red.suite.yaml', verdict: 'failed', cases: [{ id: 'opens', stage: 'selection' }] },
    ],
  });
  const hashes = report.suites.map(({ surface }: { surface: { hash: string } }) => surface.hash);
  expect(hashes[0]).toBe(hashes[1]);
  expect(read('out/html/report')).toContain('<h1>FAILED: 1 of 2 suites');
  expect(read('out/junit/report').match(/<testsuite /g)).toHaveLength(2);
  expect(read('out/markdown/report')).toMatch(/^## FAILED: 1 of 2 suites/);
  const [log] = JSON.parse(read('out/sarif/report')).runs;
  expect(log.results).toHaveLength(1);
  expect(log.results[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'red.suite.yaml' },
    region: { startLine: 6 },
  });
  expect(existsSync(place('.proofmark'))).toBe(false);
  const drawn = await workspace.runHere(['badge', 'out/json/report', '-o', 'out/svg/badge.svg']);
  expect(drawn, drawn.stderr).toMatchObject({ code: 0, stdout: '' });
  expect(read('out/svg/badge.svg')).toContain('2 suites: failed, 1 of 2 cases passed</title>');
});

test('a report on standard output is alone there', async () => {
  const done = await run('green.suite.yaml', '--junit', '-');
  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toMatch(/^<\?xml/);
  expect(done.stdout).not.toContain('PASSED');
});
