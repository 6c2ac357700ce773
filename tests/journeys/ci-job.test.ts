import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type PlayedGithub, startGithub } from '@proofmark/harness/github/start-github.ts';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { foreignEnvironment } from '@proofmark/harness/journeys/start-proofmark.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/repository-root.ts';

const directory = temporaryDirectory();
const folder = `${directory.path}/shop`;
const place = (name: string) => path.join(folder, name);
const token = 'ghs_canary';
const suite = `schemaVersion: "1"
suite:
  id: shop
  name: Shop
target:
  servers:
    - name: shop
      command: node
      args: [shop.mjs]
cases:
  - id: opens
    title: Tells when it opens
    steps:
      - kind: prompt
        prompt: When does the shop open today?
    assertions:
      - type: responseContains
        needle: nine
`;
let github: PlayedGithub;
let base = '';

function git(...parameters: readonly string[]): string {
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@acme.example'];
  const all = [...person, ...parameters];
  return execFileSync('git', all, { cwd: folder, encoding: 'utf8' }).trim();
}

beforeAll(async () => {
  mkdirSync(folder);
  git('init', '--quiet', '--initial-branch=main');
  writeOwnServer(place('shop.mjs'));
  writeFileSync(place('shop.suite.yaml'), suite);
  git('add', '.');
  git('commit', '--quiet', '--message=base');
  base = git('rev-parse', 'HEAD');
  github = await startGithub(token);
});
afterAll(async () => {
  await github?.stop();
  directory.remove();
});

interface Job {
  readonly script?: 'deploy/ci.sh' | 'deploy/github-action/run.sh';
  readonly event?: string;
  readonly isFork?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

async function job({ script, event = 'pull_request', isFork = false, environment }: Job = {}) {
  const files = ['output', 'summary'].map((name) => `${directory.path}/${name}`) as [
    string,
    string,
  ];
  for (const file of files) rmSync(file, { force: true });
  const eventFile = `${directory.path}/event.json`;
  const pull = { number: 12, base: { sha: base }, head: { repo: { fork: isFork } } };
  writeFileSync(eventFile, JSON.stringify({ pull_request: pull }));
  const onGithub = {
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: event,
    GITHUB_EVENT_PATH: eventFile,
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_REF: event === 'pull_request' ? 'refs/pull/12/merge' : 'refs/heads/main',
    GITHUB_API_URL: github.url,
    GITHUB_TOKEN: token,
    GITHUB_WORKSPACE: folder,
    GITHUB_OUTPUT: files[0],
    GITHUB_STEP_SUMMARY: files[1],
  };
  const file = script ?? 'deploy/github-action/run.sh';
  const done = await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const env = {
      ...foreignEnvironment(),
      INPUT_COMMAND: `${process.execPath} ${repositoryRoot}/packages/harness/src/journeys/built-command.mjs`,
      LC_ALL: 'C.UTF-8',
      ...(file.includes('github') && onGithub),
      ...environment,
    };
    execFile('bash', [`${repositoryRoot}/${file}`], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
  const [output, summary] = files.map((one) => (existsSync(one) ? readFileSync(one, 'utf8') : ''));
  const comments = github.comments.map(({ body }) => body);
  expect(`${done.stdout}${done.stderr}${summary}${comments.join()}`).not.toContain(token);
  return { ...done, output, summary, comments };
}

const report = (name: string) => readFileSync(place(`proofmark-report/${name}`), 'utf8');

test('a pull request that breaks a case gets one comment with the case and the changed tools, mended by the next', async () => {
  writeOwnServer(place('shop.mjs'), { toolName: 'weather' });
  const red = await job();
  expect(red.stderr).not.toContain('::error');
  expect(red.code).toBe(1);
  expect(red.output).toBe('verdict=failed\nexit-code=1\nreport=proofmark-report\n');
  expect(red.stdout).toMatch(/^::error title=Proofmark::FAILED: 1 of 1 case/m);
  expect(red.stdout).toMatch(
    /^::error file=shop\.suite\.yaml,line=11,title=Tells when it opens::/m,
  );
  expect(red.summary).toBe(report('report.md'));
  expect(red.comments).toEqual([`<!-- proofmark -->\n\n${red.summary}`]);
  expect(red.summary).toMatch(/^### FAILED: 1 of 1 case/);
  expect(red.summary).toContain('#### 1 red case');
  expect(red.summary).toContain('(`shop.suite.yaml:11`)');
  expect(red.summary).toMatch(/#### Tools: 1 renamed|#### Tools: 1 added, 1 removed/);
  expect(red.summary).toMatch(/\| `shop` \| \d+ \| \d+ \|/);
  const sarif = JSON.parse(report('proofmark.sarif'));
  expect(sarif.runs).toHaveLength(1);
  const rules = sarif.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId);
  expect(rules).toContainEqual(expect.stringMatching(/^case-failed\//));
  for (const name of ['report.html', 'junit.xml']) expect(report(name)).not.toBe('');
  expect(JSON.parse(report('summary.json'))).toMatchObject({
    verdict: 'failed',
    exitCode: 1,
    cases: { total: 1, passed: 0, failed: 1 },
  });

  writeOwnServer(place('shop.mjs'));
  const green = await job();
  expect(green.code).toBe(0);
  expect(green.comments).toHaveLength(1);
  expect(green.comments[0]).toMatch(/^<!-- proofmark -->\n\n### PASSED: 1 of 1 case/);
  expect(green.comments[0]).toContain('The tools are those of the base.');
  expect(github.problems).toEqual([]);
});

test('a pull request cannot start a program that its base did not have; a push can', async () => {
  const mark = `${directory.path}/started`;
  const script = `require('node:fs').writeFileSync('${mark}', ''); import('./shop.mjs')`;
  const other = suite.replace('[shop.mjs]', `["-e", ${JSON.stringify(script)}]`);
  writeFileSync(place('shop.suite.yaml'), other);
  const refused = await job();
  expect(refused.code).toBe(2);
  expect(refused.output).toContain('verdict=notEstablished\nexit-code=2');
  expect(existsSync(mark)).toBe(false);
  const pushed = await job({ event: 'push' });
  expect(pushed.code).toBe(0);
  expect(existsSync(mark)).toBe(true);
  git('checkout', '--quiet', '--', '.');
});

test('a fork is replayed: nothing of it starts, and a refused comment is a warning', async () => {
  const own = `${repositoryRoot}/packages/harness/src/journeys/built-command.mjs`;
  const recording = [own, 'test', '--record', '--trust', 'shop.suite.yaml'];
  execFileSync(process.execPath, recording, { cwd: folder, env: foreignEnvironment() });
  const mark = `${directory.path}/of-fork`;
  writeOwnServer(place('shop.mjs'), {
    first: `(await import('node:fs')).writeFileSync(${JSON.stringify(mark)}, '');`,
  });
  github.refuse(403);
  const fork = await job({ isFork: true, environment: { GITHUB_TOKEN: token } });
  github.refuse(undefined);
  expect(fork.code).toBe(0);
  expect(existsSync(mark)).toBe(false);
  expect(fork.stdout).toMatch(/^::warning title=Proofmark::GitHub answered 403/m);
  expect(fork.summary).toMatch(/^### PASSED: 1 of 1 case/);
});

test('the plain script needs no GitHub', async () => {
  git('checkout', '--quiet', '--', '.');
  const done = await job({
    script: 'deploy/ci.sh',
    environment: { INPUT_TRUST_BASE: base, INPUT_SUITES: 'shop.suite.yaml' },
  });
  expect(done.code).toBe(0);
  expect(done.stdout).not.toContain('::');
  expect(report('report.md')).toMatch(/^### PASSED: 1 of 1 case/);
});

test('a saved suite is not run with a conformance suite that would be left out', async () => {
  const environment = { INPUT_SUITE: 'Shop', INPUT_CONFORMANCE: 'http://127.0.0.1:9/mcp' };
  const done = await job({ environment });
  expect(done.code).toBe(2);
  expect(done.stderr).toContain('the input conformance needs the suites of the checkout');
});

/** A suite that gives no result; its last words are the secrets that it was given. */
const broken = `const secrets = ['GITHUB_TOKEN', 'INPUT_API_KEY', 'PROOFMARK_API_KEY'];
console.error('secrets: ' + (secrets.filter((name) => name in process.env).join() || 'none'));
process.exit(7);
`;

test('the conformance suite of the packages fails the job, but for what its baseline expects', async () => {
  const suiteFolder = place('node_modules/@modelcontextprotocol/conformance');
  mkdirSync(`${suiteFolder}/dist`, { recursive: true });
  mkdirSync(`${suiteFolder}/requirements`);
  const name = '@modelcontextprotocol/conformance';
  writeFileSync(`${suiteFolder}/package.json`, JSON.stringify({ name, version: '0.1.1' }));
  writeFileSync(`${suiteFolder}/requirements/2025-11-25.yaml`, 'server:\n  - ping\n');
  writeFileSync(
    `${suiteFolder}/dist/index.js`,
    `const { mkdirSync, writeFileSync } = require('node:fs');
const words = process.argv.slice(2);
const after = (flag) => words[words.indexOf(flag) + 1];
if (words[0] !== 'server' || after('--scenario') !== 'ping') process.exit(2);
const folder = after('--output-dir') + '/server-ping-2026-11-19T20-33-57-518Z';
mkdirSync(folder);
const check = { id: 'ping', status: 'FAILURE', errorMessage: 'No answer.' };
writeFileSync(folder + '/checks.json', JSON.stringify([check]));
process.exit(1);
`,
  );
  const environment = {
    PROOFMARK_TRUST: '1',
    INPUT_CONFORMANCE: 'http://127.0.0.1:9/mcp',
    INPUT_CONFORMANCE_SPEC: '2025-11-25',
    INPUT_COMMENT: 'false',
  };
  const plain = { script: 'deploy/ci.sh', environment } as const;
  const red = await job(plain);
  expect(red.code, red.stderr).toBe(1);
  expect(report('report.md')).toContain('Conformance: 0 of 1 scenario passed');
  expect(report('report.md')).toContain('No answer.');
  writeFileSync(place('conformance-baseline.yml'), 'server:\n  - ping:ping\n');
  const known = await job(plain);
  expect(known.code, known.stderr).toBe(0);
  expect(report('report.md')).toContain('1 failed as the baseline expects');
  writeFileSync(place('conformance-baseline.yml'), 'server:\n  - ping:ping\n  - ping\n');
  const both = await job(plain);
  expect(both.code, both.stderr).toBe(2);
  expect(both.stderr).toContain('is redundant');
  writeFileSync(place('conformance-baseline.yml'), 'server:\n  - ping\n');
  const replay = await job({ ...plain, environment: { ...environment, INPUT_MODE: 'replay' } });
  expect(replay.code, replay.stderr).toBe(0);
  expect(report('report.md')).toContain('a replay runs no server');
  writeFileSync(`${suiteFolder}/dist/index.js`, broken);
  const withSecrets = {
    ...environment,
    INPUT_API_KEY: 'a',
    GITHUB_TOKEN: 'b',
    PROOFMARK_API_KEY: 'c',
  };
  const unanswered = await job({ ...plain, environment: withSecrets });
  expect(unanswered.code, unanswered.stderr).toBe(3);
  expect(report('conformance.json')).toContain('secrets: none');
  expect(report('report.md')).toContain('The conformance suite did not run');
  rmSync(place('node_modules'), { recursive: true });
  const missing = await job(plain);
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain('needs the package @modelcontextprotocol/conformance');
  rmSync(place('conformance-baseline.yml'));
});
