/**
 * Tests `proofmark report github` as a step of a workflow, against a small GitHub server that
 * follows GitHub's published API description. The tests cover the summary, annotations, one comment
 * that later runs update, and a token that stays secret.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { annotationsProblem } from '@proofmark/harness/github/rest-api.ts';
import { type PlayedGithub, startGithub } from '@proofmark/harness/github/start-github.ts';
import { confused, tracked } from '@proofmark/harness/journeys/reported-orders.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { type ProjectApi, projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

const token = 'ghs_canary';
const workspace = createSharedWorkspace();
const summaryFile = `${workspace.folder}/summary.md`;
let service: ServiceHere;
let ask: ProjectApi;
let apiKey: string;
let github: PlayedGithub;

beforeAll(async () => {
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const owner = ['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'];
  const made = await workspace.admin(...owner, '--project', 'Default');
  apiKey = made.apiKey;
  ask = projectApi(service.url, made.projectId, apiKey);
  github = await startGithub(token);
});
afterAll(async () => {
  await github?.stop();
  await workspace.remove();
});
beforeEach(() => rmSync(summaryFile, { force: true }));

async function reported(results: readonly object[]): Promise<string> {
  const body = { suiteName: 'Order desk', verdictPolicy: {}, results };
  return (await ask('POST', 'eval-ingest/report', body)).runId;
}

async function tell(
  parameters: readonly string[],
  environment: Record<string, string> = {},
  run = workspace.runHere,
) {
  const done = await run(['report', 'github', ...parameters], {
    PROOFMARK_URL: service.url,
    PROOFMARK_API_KEY: apiKey,
    LC_ALL: 'C.UTF-8',
    GITHUB_TOKEN: token,
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_REF: 'refs/pull/12/merge',
    GITHUB_API_URL: github.url,
    GITHUB_STEP_SUMMARY: summaryFile,
    ...environment,
  });
  const written = github.comments.map(({ body }) => body).join('');
  const everything = `${done.stdout}${done.stderr}${summary()}${written}`;
  for (const secret of [token, apiKey]) expect(everything).not.toContain(secret);
  expect(github.problems).toEqual([]);
  return done;
}

function summary(): string {
  return existsSync(summaryFile) ? readFileSync(summaryFile, 'utf8') : '';
}

/**
 * Returns the annotations that a workflow's runner creates from a step's output. A line that names
 * no file gets the path `.github`.
 */
function annotationsIn(stdout: string) {
  const lines = stdout.split('\n').filter((line) => line.startsWith('::'));
  return lines.map((line) => {
    const [, level = '', title = '', message = ''] =
      /^::(notice|warning|error) title=([^:,]*)::(.*)$/.exec(line) ?? [];
    return {
      path: '.github',
      start_line: 1,
      end_line: 1,
      annotation_level: level === 'error' ? 'failure' : level,
      title: decodeURIComponent(title),
      message: decodeURIComponent(message),
    };
  });
}

test('a failed run is in the summary, in annotations and in one comment; the next run writes it anew', async () => {
  const failed = await reported([tracked, confused]);
  const first = await tell([failed], {}, workspace.run);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(summary()).toMatch(/^### FAILED: 1 of 2 case variants/);
  const annotations = annotationsIn(first.stdout);
  expect(annotationsProblem(annotations)).toBeUndefined();
  expect(annotations).toMatchObject([
    { annotation_level: 'failure', title: 'Proofmark' },
    { annotation_level: 'failure', title: 'Find an order by e-mail' },
  ]);
  expect(github.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- proofmark \w+ -->\n### FAILED: 1 of 2/),
  ]);
  const passed = await reported([tracked]);
  const second = await tell([passed, '--json']);
  expect(JSON.parse(second.stdout)).toMatchObject({
    runId: passed,
    annotations: 1,
    summary: true,
    comment: { isNew: false, address: expect.stringContaining('#issuecomment-1') },
  });
  expect(github.comments.map(({ body }) => body)).toEqual([
    expect.stringMatching(/^<!-- proofmark \w+ -->\n### PASSED/),
  ]);
  expect(github.asked.map((one) => one.split(' ')[0])).toEqual(['GET', 'POST', 'GET', 'PATCH']);
});

test('texts of any length and kind are cut to what GitHub takes', async () => {
  const long = (at: number) => ({
    ...confused,
    caseId: `long-${at}`,
    caseTitle: `::error::%0A,: ${'ä'.repeat(900)}${at}`,
    error: `::stop-commands::x\r\n${'語'.repeat(3000)}`,
  });
  const run = await reported(Array.from({ length: 150 }, (_, at) => long(at)));
  const { stdout, code } = await tell([run]);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(10);
  const annotations = annotationsIn(stdout);
  expect(annotations).toHaveLength(10);
  expect(annotationsProblem(annotations)).toBeUndefined();
  for (const { title, message } of annotations) {
    expect([...title].length).toBeLessThanOrEqual(255);
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(64 * 1024);
  }
  expect(Buffer.byteLength(summary())).toBeLessThanOrEqual(1024 * 1024);
});

test('what GitHub refuses is a warning that names the permission, and the step goes on', async () => {
  const run = await reported([tracked]);
  const before = github.comments.length;
  github.refuse(403);
  try {
    const refused = await tell([run]);
    expect(refused.code).toBe(0);
    expect(refused.stdout).toMatch(/^::warning title=Proofmark::GitHub answered 403 .*write\.$/m);
  } finally {
    github.refuse(undefined);
  }
  expect(summary()).toMatch(/^### PASSED/);
  expect(github.comments).toHaveLength(before);
});

test('a GitHub that cannot be reached is said by its address; nowhere to report to is wrong usage', async () => {
  const run = await reported([tracked]);
  const gone = await tell([run], { GITHUB_API_URL: 'http://127.0.0.1:9' });
  expect(gone).toMatchObject({ code: 3 });
  expect(gone.stderr).toContain('GitHub could not be reached at http://127.0.0.1:9.');
  expect(summary()).toMatch(/^### PASSED/);
  const nowhere = await tell([run], { GITHUB_TOKEN: '', GITHUB_STEP_SUMMARY: '' });
  expect(nowhere).toMatchObject({ code: 2, stdout: '' });
});
