/** Plays one scenario of the conformance suite against a server. */
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readChecks, type ScenarioEnd } from '@proofmark/domain';
import type { FoundSuite } from './find-suites.ts';
import { type EndedSuite, runSuite } from './run-suite.ts';
import { openServerProxy, type RequestOfSuite, type SeenTraffic } from './server-proxy.ts';

export interface ScenarioOnServer {
  readonly scenario: string;
  readonly spec: string;
  readonly serverUrl: string;
  forward(request: RequestOfSuite): Promise<Response>;
  readonly signal: AbortSignal;
}

export interface PlayedBySuite {
  readonly end: ScenarioEnd;
  readonly seen: SeenTraffic;
}

export async function playScenario(
  suite: FoundSuite,
  { scenario, spec, serverUrl, forward, signal }: ScenarioOnServer,
): Promise<PlayedBySuite> {
  const folder = await mkdtemp(path.join(tmpdir(), 'proofmark-conformance-'));
  const proxy = await openServerProxy(serverUrl, forward);
  try {
    const words = ['server', '--url', proxy.url, '--scenario', scenario, '--output-dir', folder];
    const ofNewer = ['--spec-version', spec, '--force', '--timeout', String(scenarioMs)];
    const ended = await runSuite(
      suite,
      suite.requirementSets.length > 0 ? [...words, ...ofNewer] : words,
      { timeoutMs: processMs, port: proxy.port, folder, signal },
    );
    const seen = proxy.seen();
    if (seen.ownError !== undefined) throw seen.ownError.error;
    return { end: await endOf(ended, folder), seen };
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Newer versions end a scenario themselves; the limit of the process then leaves time for that. */
const scenarioMs = 30_000;
const processMs = 60_000;

async function endOf(ended: EndedSuite, folder: string): Promise<ScenarioEnd> {
  if (ended.isOvertime) return { kind: 'overtime' };
  const written = await readResult(folder);
  const checks = written === undefined ? undefined : readChecks(written);
  if (checks !== undefined) return { kind: 'checked', checks };
  const thrown = /^Server test error: (?:\w*Error: )?(.+)$/m.exec(ended.stderr)?.[1];
  if (ended.code === 1 && thrown !== undefined) return { kind: 'threw', message: thrown };
  const isSkipped = ended.code === 0 && /^SKIPPED: /m.test(ended.stdout);
  return isSkipped
    ? { kind: 'checked', checks: [] }
    : { kind: 'broken', message: whyBroken(ended) };
}

/** The suite writes its result into a folder with the time in its name. */
async function readResult(folder: string): Promise<unknown> {
  const names = await readdir(folder, { recursive: true });
  const name = names.find((one) => path.basename(one) === 'checks.json');
  if (name === undefined) return undefined;
  const file = path.join(folder, name);
  if ((await stat(file)).size > largestResult) return undefined;
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

const largestResult = 32 * 1024 * 1024;

function whyBroken({ code, stderr }: EndedSuite): string {
  const error = /^\w*Error: .+$/m.exec(stderr)?.[0] ?? stderr.trim().split('\n').at(-1) ?? '';
  const how = code === null ? 'it was ended by a signal' : `it ended with code ${code}`;
  return `${how}${error === '' ? '' : ` (${error.slice(0, 300)})`}.`;
}
