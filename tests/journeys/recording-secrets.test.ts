/**
 * Tests that the secrets of a run reach only their recipients. The recipients repeat the secrets in
 * every answer, but stored data, answers, files and logs must not contain them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { operations } from '@proofmark/contract';
import { embeddedUrl, inDatabase } from '@proofmark/harness/journeys/in-database.ts';
import type { StartedProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import { type ProjectApi, projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { copyQuickDataDirectory } from '@proofmark/harness/ready-data-directory.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';
import {
  canaries,
  canariesIn,
  startTellingServers,
  type TellingServers,
  textsIn,
  userInfo,
  writeTellingServer,
} from './telling-servers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

const workspace = createReadyWorkspace();
const seen = `${workspace.folder}/seen.json`;
let service: StartedProofmark;
let key: string;
let projectId: string;
let ask: ProjectApi;
let telling: TellingServers;

beforeAll(async () => {
  telling = await startTellingServers();
  writeTellingServer(`${workspace.folder}/files.mjs`);
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
  );
  ({ apiKey: key, projectId } = made);
  const env = { SHOP_KEY: canaries.environment, SHOP_PLACE: canaries.plainVariable, SEEN: seen };
  const command = { command: process.execPath, args: [`${workspace.folder}/files.mjs`], env };
  const models = [{ name: 'one' }, { name: 'refused' }];
  const local = { kind: 'openai-compatible', baseUrl: telling.baseUrl, models };
  const config = {
    stdioServers: [{ name: 'Files', ...command, projectId }],
    modelProviders: [
      { name: 'local', ...local, apiKeyEnvironment: 'KEY_OF_LOCAL' },
      { name: 'callers', kind: local.kind, baseUrl: local.baseUrl },
    ],
  };
  writeFileSync(`${workspace.folder}/proofmark.config.json`, JSON.stringify(config));
  service = await workspace.serve([], {
    PROOFMARK_RATE_LIMIT: 'off',
    PROOFMARK_LOG_LEVEL: 'debug',
    KEY_OF_LOCAL: canaries.operatorKey,
  });
  ask = projectApi(service.url, projectId, key);
});
afterAll(async () => {
  await workspace.remove();
  await telling.stop();
});

const tool = (id: string, toolName: string, serverName: string) => ({
  id,
  kind: 'toolCall',
  serverName,
  toolName,
  arguments: { title: 'Emma' },
});
const check = (id: string, assertion: object) => ({ id, kind: 'assert', assertion });
const path = (pointer: string, equals: unknown) => ({
  type: 'toolResultPath',
  toolName: 'stock',
  pointer,
  equals,
});

function tests() {
  const asks = { id: 'ask', kind: 'prompt', prompt: 'How many copies?' };
  return [
    { title: 'Counts', steps: [asks, check('copies', path('/copies', 5))] },
    {
      title: 'Quotes',
      steps: [
        asks,
        check('got', path('/got', [])),
        check('code', path('/credentials/code', 'another')),
        check('says', { type: 'responseContains', needle: 'nothing of it' }),
        check('matches', {
          type: 'toolResultMatchesSchema',
          toolName: 'stock',
          schema: { type: 'array' },
        }),
      ],
    },
    { title: 'Quotes a code', steps: [asks, check('code', path('/credentials/code', 'another'))] },
    { title: 'Calls', steps: [tool('call', 'stock', 'Shop'), tool('read', 'read_file', 'Files')] },
    { title: 'Fails', steps: [tool('call', 'fail', 'Shop')] },
  ];
}

const runs: string[] = [];
let suiteId: string;
let mutationId: string;

async function run(body: object): Promise<Answer> {
  const { runId } = await ask('POST', 'eval-runs', { suiteId, ...body });
  runs.push(runId);
  let read: Answer;
  await until(async () => {
    read = await ask('GET', `eval-runs/${runId}`);
    return ['completed', 'failed', 'cancelled'].includes(read.status);
  }, 'the run has ended');
  return read;
}

test('every secret reaches whom it is for', async () => {
  const fields = { name: 'Shop', enabled: true, transportType: 'http' };
  const headers = {
    Authorization: `Bearer ${canaries.bearer}`,
    'X-Api-Key': canaries.apiKey,
    Cookie: `sid=${canaries.cookie}; theme=dark`,
    'X-Route': canaries.plainHeader,
  };
  const { origin, host } = new URL(telling.serverUrl);
  const refused = await call(`${service.url}/api/v1/projects/${projectId}/servers`, {
    method: 'POST',
    key,
    body: { ...fields, url: `http://me:${userInfo}@${host}/mcp` },
  });
  expect(refused.status).toBe(400);
  expect(refused.text).not.toContain(userInfo);
  const shop = await ask('POST', 'servers', { ...fields, url: telling.serverUrl, headers });
  expect(origin).toContain('127.0.0.1');
  const { items } = await ask('GET', 'servers');
  const files = items.find(({ name }: Answer) => name === 'Files');
  const made = await ask('POST', 'eval-suites', {
    name: 'Shop',
    model: 'local/one',
    serverIds: [shop.id, files.id],
    tests: tests(),
  });
  suiteId = made.suiteId;
  await run({});
  await run({ modelApiKeys: { callers: canaries.callerKey }, model: 'callers/one' });
  await run({ model: 'local/refused' });
  const [first = ''] = runs;
  telling.changeAnswers();
  const replay = { runId: first, model: 'recorded', servers: 'live', onDivergence: 'live' };
  const replayed = await run({ replay });
  expect(replayed.replay.diverged).toBeGreaterThan(0);
  const begun = await ask('POST', `eval-suites/${suiteId}/mutations`, {
    model: 'local/one',
    maxMutants: 8,
  });
  mutationId = begun.mutationId;
  await until(
    async () => {
      const read = await ask('GET', `eval-suites/${suiteId}/mutations/${mutationId}`);
      return read.status === 'completed';
    },
    'the mutation has ended',
    120_000,
  );
  const sent = telling.requests.map(({ headers: got, message, target }) =>
    JSON.stringify([got, message, target]),
  );
  for (const name of ['bearer', 'apiKey', 'cookie', 'plainHeader', 'query', 'argument'] as const) {
    expect(
      sent.some((one) => one.includes(canaries[name])),
      name,
    ).toBe(true);
  }
  expect(JSON.parse(readFileSync(seen, 'utf8'))).toEqual([
    ...[canaries.environment, canaries.plainVariable],
  ]);
  expect([...telling.keys].sort()).toEqual(
    [canaries.callerKey, canaries.operatorKey].map((one) => `Bearer ${one}`),
  );
}, 300_000);

test('the database holds none', async () => {
  const leaks: string[] = [];
  let unpackedRecordings = 0;
  await inDatabase(embeddedUrl(workspace.dataDir), async (client) => {
    const { rows: tables } = await client.query(
      `select table_name as name from information_schema.tables
       where table_schema = 'proofmark' and table_type = 'BASE TABLE'`,
    );
    for (const { name } of tables as Answer[]) {
      const { rows } = await client.query(`select * from proofmark."${name}"`);
      for (const row of rows as Answer[]) {
        for (const [column, value] of Object.entries(row)) {
          if (value === null || value === undefined) continue;
          for (const text of textsIn(value)) {
            if (name === 'recordings' && text.includes('$redacted')) unpackedRecordings += 1;
            const at = canariesIn(text).map((canary) => `${name}.${column}: ${canary}`);
            leaks.push(...at);
          }
        }
      }
    }
  });
  expect(unpackedRecordings).toBeGreaterThan(0);
  expect([...new Set(leaks)].sort()).toEqual([]);
});

test('no answer holds one', async () => {
  const leaks: string[] = [];
  const read: string[] = [];
  const readAnswer = async (name: string, place: string) => {
    const url = `${service.url}/api/v1/projects/${projectId}/${place}`;
    const { text, status } = await call(url, { key });
    if (status < 300) read.push(name);
    leaks.push(...canariesIn(text).map((canary) => `${name}: ${canary}`));
  };
  const rows = Object.values(operations).filter(
    ({ method, operationId }) => method === 'GET' && operationId !== 'followEvalRun',
  );
  const { items: cases } = await ask('GET', `eval-suites/${suiteId}/cases`);
  for (const runId of runs) {
    const { items } = await ask('GET', `eval-runs/${runId}/iterations`);
    for (const { id: iterationId } of items) {
      const values: Record<string, string> = { projectId, suiteId, runId, iterationId, mutationId };
      values['caseId'] = cases[0].id;
      for (const { operationId, path: template } of rows) {
        const [, place] = /^\/projects\/\{projectId\}\/(.*)$/.exec(template) ?? [];
        if (place === undefined) continue;
        const filled = place.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
        if (filled.includes('{')) continue;
        // A path without a trial is called only once.
        if (!template.includes('{iterationId}') && iterationId !== items[0].id) continue;
        const query =
          operationId === 'getEvalRunSurface' || operationId === 'compareEvalRun'
            ? `?baseRunId=${runs[0]}`
            : '';
        await readAnswer(operationId, `${filled}${query}`);
      }
    }
  }
  // A trial is exported only some time after its end, so the export is repeated.
  const exported = `${service.url}/api/v1/trace-exports/otlp?projectId=${projectId}&includeContent=true&limit=200`;
  let text = '';
  await until(async () => {
    ({ text } = await call(exported, { key }));
    return runs.every((runId) => text.includes(runId));
  }, 'all traces can be exported');
  expect(text).toContain('redacted');
  leaks.push(...canariesIn(text).map((canary) => `exportTraces: ${canary}`));
  for (const name of [
    'getEvalIterationRecording',
    'getEvalIterationTrace',
    'getEvalRunDecisionSummary',
    'getEvalSuiteMutation',
    'exportEvalSuite',
    'getEvalIterationTools',
  ]) {
    expect(read).toContain(name);
  }
  expect([...new Set(leaks)].sort()).toEqual([]);
});

test('the log holds none, at its most talkative', () => {
  const logged = service.stdout() + service.stderr();
  expect(logged.includes('"level":"info"')).toBe(true);
  expect(canariesIn(logged)).toEqual([]);
});

test('files of recordings hold none, and neither does what the command says', async () => {
  const dataDir = `${workspace.folder}/other`;
  copyQuickDataDirectory(dataDir);
  const { baseUrl } = telling;
  const modelProviders = [{ name: 'callers', kind: 'openai-compatible', baseUrl }];
  writeFileSync(`${workspace.folder}/proofmark.config.json`, JSON.stringify({ modelProviders }));
  const headers = { Authorization: `Bearer ${canaries.bearer}`, 'X-Api-Key': canaries.apiKey };
  writeFileSync(
    `${workspace.folder}/mcp.json`,
    JSON.stringify({ mcpServers: { Shop: { url: telling.serverUrl, headers } } }),
  );
  const assertions = [{ type: 'toolResultPath', toolName: 'stock', pointer: '/copies', equals: 6 }];
  const steps = [{ kind: 'prompt', prompt: 'How many copies?' }];
  const suite = {
    schemaVersion: '1',
    suite: { id: 'shop', name: 'Shop' },
    cases: [{ id: 'counts', title: 'Counts', steps, assertions }],
  };
  writeFileSync(`${workspace.folder}/shop.suite.yaml`, JSON.stringify(suite));
  const environment = {
    PROOFMARK_DATA_DIR: dataDir,
    PROOFMARK_TRUST: '1',
    KEY_OF_CALLER: canaries.callerKey,
  };
  const run = (...parameters: string[]) =>
    workspace.runHere(['test', '--model-key', 'callers=KEY_OF_CALLER', ...parameters], environment);
  telling.keys.clear();
  const done = await run('--record', '--config', 'mcp.json', '--model', 'callers/one');
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect([...telling.keys]).toEqual([`Bearer ${canaries.callerKey}`]);
  const folder = `${workspace.folder}/shop.suite.yaml.recordings`;
  const files = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
  expect(files).toHaveLength(1);
  expect(files.join()).toContain('$redacted');
  const { host } = new URL(telling.serverUrl);
  const refused = await run('--server', `http://me:${userInfo}@${host}/mcp`);
  expect(refused.code).not.toBe(0);
  const outputs = [done, refused].flatMap(({ stdout, stderr }) => [stdout, stderr]);
  expect(canariesIn([...files, ...outputs].join('\n'))).toEqual([]);
});
