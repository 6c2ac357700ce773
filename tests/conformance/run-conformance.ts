/**
 * Runs the public conformance suite in both roles at both revisions, and writes the results into a
 * table of the documents: its client scenarios against the API of a running service, and its server
 * scenarios against the service's own MCP server. Exits with 1 if a relevant check fails. Names as
 * arguments limit the scenarios; then no table is written.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { conformanceRevisions, type ReportedScenario } from '@proofmark/domain';
import {
  createTestWorkspace,
  type TestWorkspace,
} from '@proofmark/harness/journeys/test-workspace.ts';
import { parse } from 'yaml';
import { fetchNode } from '../../scripts/fetch-node.mjs';
import { type ClientOutcome, type ServerOutcome, tablesOf } from './conformance-table.ts';
import { clientScenario, ownServerScenarios } from './scenarios.ts';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly description: string;
  readonly errorMessage?: string;
}

interface RequirementSet {
  readonly client: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: string }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance');
const loopback = path.join(root, 'packages/harness/src/mcp-servers/bind-to-loopback.mjs');
const documentFile = path.join(root, 'docs/reference/conformance.md');
const wanted = process.argv.slice(2);
const node = nodeForSuite();

const workspace = createTestWorkspace();
try {
  const service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const { projectId, apiKey } = await bootstrap(workspace);
  const environment = {
    ...process.env,
    CONFORMANCE_API: `${service.url}/api/v1/projects/${projectId}`,
    CONFORMANCE_KEY: apiKey,
  };
  const clients: ClientOutcome[] = [];
  const servers: ServerOutcome[] = [];
  for (const revision of conformanceRevisions) {
    const names = clientNames(revision).filter(isWanted);
    const run = async (name: string) => {
      const outcome = await runClient(name, revision, environment);
      process.stdout.write(`client ${revision} ${name}: ${wordsOf(outcome)}\n`);
      return outcome;
    };
    // This scenario measures a time, so it runs alone.
    const alone = names.includes('sse-retry') ? await run('sse-retry') : undefined;
    const others = await severalAtOnce(names, (name) =>
      name === 'sse-retry' ? Promise.resolve(alone as ClientOutcome) : run(name),
    );
    clients.push(...others);
    for (const outcome of await runServer(`${service.url}/mcp`, apiKey, revision)) {
      servers.push(outcome);
      process.stdout.write(`server ${revision} ${outcome.name}: ${outcome.problems.join('; ')}\n`);
    }
  }
  if (wanted.length === 0) {
    const { version } = readJson<{ version: string }>(path.join(suite, 'package.json'));
    writeFileSync(documentFile, tablesOf(version, clients, servers));
  }
  const failed = [...clients, ...servers].filter(({ problems }) => problems?.length);
  process.stdout.write(`${failed.length} failed\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await workspace.remove();
}

/** The newest version of the suite needs a newer Node than the project does. */
function nodeForSuite(): string {
  if (Number.parseInt(process.versions.node, 10) >= 22) return process.execPath;
  const fetched = fetchNode('24');
  if (fetched === undefined) throw new Error('Node 24 could not be fetched from the registry.');
  return fetched;
}

function bootstrap({ admin }: TestWorkspace): Promise<{ projectId: string; apiKey: string }> {
  const owner = ['--email', 'owner@conformance.example', '--organization', 'conformance'];
  return admin('bootstrap', ...owner);
}

async function severalAtOnce<Result>(
  names: readonly string[],
  run: (name: string) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...names.entries()];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, name] = next;
      results[index] = await run(name);
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  return results;
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.includes(name);
}

function clientNames(revision: string): string[] {
  const file = path.join(suite, 'requirements', `${revision}.yaml`);
  const set = parse(readFileSync(file, 'utf8')) as RequirementSet;
  const others = set.not_scored.filter(({ leg }) => leg === 'client');
  return [...set.client, ...others.map(({ scenario }) => scenario)];
}

function wordsOf({ problems }: ClientOutcome): string {
  return problems === undefined ? 'does not apply' : problems.join('; ') || 'passed';
}

async function runClient(
  name: string,
  revision: string,
  environment: NodeJS.ProcessEnv,
): Promise<ClientOutcome> {
  const scenario = clientScenario(name);
  const about = { name, revision, note: scenario.note, leftOut: scenario.notOurs ?? [] };
  if (scenario.plan === undefined) return about;
  const folder = path.join(workspace.folder, `${revision}-${name.replaceAll('/', '-')}`);
  const child = spawn(
    node,
    [
      ...['--import', loopback, path.join(suite, 'dist/index.js'), 'client'],
      ...['--scenario', name, '--spec-version', revision, '--force', '--timeout', '60000'],
      ...['--command', `${process.execPath} --import tsx tests/conformance/api-client.ts`],
      ...['--output-dir', folder],
    ],
    { cwd: root, env: environment, stdio: 'ignore' },
  );
  await once(child, 'close');
  const results = path.dirname(found(folder, 'checks.json'));
  const checks = readJson<Check[]>(path.join(results, 'checks.json'));
  const complaint = /^\w*Error: (.*)$/m.exec(
    readFileSync(path.join(results, 'stderr.txt'), 'utf8'),
  );
  const { notOurs = [], known = [] } = scenario;
  const ours = checks.filter(({ id }) => !notOurs.includes(id));
  const bad = ours.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  const problems = bad
    .filter(({ id }) => !known.includes(id))
    .map(({ id, description, errorMessage }) => `${id}: ${errorMessage ?? description}`);
  const stale = known
    .filter((id) => !bad.some((check) => check.id === id))
    .map((id) => `${id} is said to fail and did not`);
  const passed = new Set(ours.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id));
  return {
    ...about,
    known,
    passed: passed.size,
    problems: [...problems, ...stale, ...(complaint ? [complaint[1] as string] : [])],
  };
}

/** Our own server needs a key, so a proxy adds it. The command plays the scenarios. */
async function runServer(
  url: string,
  apiKey: string,
  revision: string,
): Promise<readonly ServerOutcome[]> {
  const names = Object.keys(ownServerScenarios).filter(isWanted);
  const known = await scenariosAt(revision);
  const played = names.filter((name) => known.includes(name));
  if (played.length === 0) return [];
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${apiKey}` };
    const { host = '' } = incoming.headers;
    const { host: own, origin } = new URL(url);
    if (host.startsWith('127.0.0.1:')) headers.host = own;
    if (headers.origin?.startsWith('http://127.0.0.1:')) headers.origin = origin;
    const forwarded = request(url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.on('close', () => forwarded.destroy());
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    const { port } = proxy.address() as AddressInfo;
    const command = [path.join(root, 'packages/cli/bin/proofmark.js'), 'conformance'];
    const chosen = played.flatMap((name) => ['--scenario', name]);
    const child = spawn(
      node,
      [...command, `http://127.0.0.1:${port}/mcp`, '--spec', revision, '--json', ...chosen],
      { cwd: workspace.folder, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const { scenarios } = JSON.parse(printed) as { scenarios: readonly ReportedScenario[] };
    return scenarios.map((one) => serverOutcome(one, revision));
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}

async function scenariosAt(revision: string): Promise<readonly string[]> {
  const file = path.join(suite, 'requirements', `${revision}.yaml`);
  const { server, not_scored } = parse(readFileSync(file, 'utf8'));
  return [...server, ...not_scored.map(({ scenario }: { scenario: string }) => scenario)];
}

function serverOutcome(
  { scenario, outcome, checks, nextAction }: ReportedScenario,
  revision: string,
): ServerOutcome {
  const { note = '', notOurs = [] } = ownServerScenarios[scenario] ?? {};
  const ours = checks.filter(({ id }) => !notOurs.includes(id));
  const red = ours.filter(({ status }) => status === 'FAILURE');
  const problems = red.map(({ id, message }) => `${id}: ${message ?? ''}`);
  const isUnanswered = outcome === 'skipped' && nextAction !== undefined;
  return {
    name: scenario,
    revision,
    note,
    leftOut: notOurs,
    isScored: outcome !== 'notScored',
    passed: ours.filter(({ status }) => status === 'SUCCESS').length,
    problems: isUnanswered ? [nextAction] : problems,
  };
}

/**
 * The suite writes its results into a folder with the time in its name, so the file is searched for
 * by name in all folders.
 */
function found(folder: string, name: string): string {
  const file = readdirSync(folder, { recursive: true }).find((entry) =>
    String(entry).endsWith(name),
  );
  if (file === undefined) throw new Error(`The suite left no ${name} in ${folder}.`);
  return path.join(folder, String(file));
}

function readJson<Content>(file: string): Content {
  return JSON.parse(readFileSync(file, 'utf8')) as Content;
}
