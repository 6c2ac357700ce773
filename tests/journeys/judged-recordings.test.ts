import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { closeServers, startServer, textOf } from '@proofmark/harness/hostile-servers.ts';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import {
  type ProviderServer,
  startProviderServer,
} from '@proofmark/harness/model-servers/start-provider-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
const withoutKey = { PROOFMARK_DATA_DIR: workspace.dataDir, LC_ALL: 'C.UTF-8' };
const withKey = {
  ...withoutKey,
  CLAUDE_KEY: 'sk-ant-canary-of-recordings',
  PROOFMARK_TRUST: '1',
};
let provider: ProviderServer;
const scored: string[] = [];
let runId = '';

beforeAll(async () => {
  provider = await startProviderServer((request) => {
    if (request.includes('You grade whether')) {
      return { text: JSON.stringify({ score: 0.9, reason: 'It says when.', rubricHits: [] }) };
    }
    return request.includes('tool_result')
      ? { text: 'The shop opens at nine.' }
      : { calls: [{ name: 'opening_time', arguments: {} }] };
  });
  const { url } = await startServer(async (request, response) => {
    scored.push(await textOf(request));
    response.end('{"score":0.8,"reason":"Short."}');
  });
  writeOwnServer(place('shop.mjs'));
  const model = {
    name: 'claude',
    kind: 'anthropic',
    baseUrl: provider.baseUrl('anthropic'),
    apiKeyEnvironment: 'CLAUDE_KEY',
    models: [{ name: 'm' }],
  };
  writeFileSync(place('proofmark.config.json'), JSON.stringify({ modelProviders: [model] }));
  writeFileSync(
    place('shop.suite.yaml'),
    JSON.stringify({
      schemaVersion: '1',
      suite: { id: 'shop', name: 'Shop' },
      defaults: { model: 'claude/m', repetitions: 2 },
      cases: [
        {
          id: 'opens',
          title: 'Opens',
          steps: [{ kind: 'prompt', prompt: 'When does the shop open today?' }],
          assertions: [
            { type: 'goalCompleted', outcome: 'It says when.', judgeModel: 'claude/m', votes: 3 },
            { type: 'scorer', url, threshold: 0.5, name: 'Tone' },
          ],
        },
      ],
    }),
  );
});
afterAll(async () => {
  await workspace.remove();
  await provider.stop();
  await closeServers();
});

const asked = () => [provider.requests.length, scored.length];

test('recorded with a key, a judged suite is replayed without one, and nobody is asked', async () => {
  const record = ['test', '--record', '--server-command', 'node shop.mjs'];
  const secretless = await workspace.runHere(record, withKey);
  expect(secretless.stderr).toContain('no scorer secret');
  await workspace.admin('rotate-scorer-secret', 'My organization', 'Default');
  const recorded = await workspace.runHere(record, withKey);
  expect(recorded.code, recorded.stdout + recorded.stderr).toBe(0);
  runId = /runs\/([^/\s]+)/.exec(recorded.stdout)?.[1] ?? recorded.stdout;
  const files = readdirSync(place('shop.suite.yaml.recordings'));
  expect(files).toEqual(['opens.claude~m.1.jsonl', 'opens.claude~m.2.jsonl']);
  const [one, other] = files.map((name) =>
    readFileSync(place(`shop.suite.yaml.recordings/${name}`), 'utf8'),
  );
  // The first line of the file names the repetition, so it is not compared. Ids that the provider
  // invents must not be in the file.
  const exchanges = (text = '') => text.slice(text.indexOf('\n'));
  expect(exchanges(other)).toBe(exchanges(one));
  expect(one).not.toMatch(/toolu_|sk-ant/);
  const before = asked();
  // The settings of this folder name the provider, but its key is not set.
  const replayed = await workspace.runHere(['test', '--replay', '--json'], {
    LC_ALL: 'C.UTF-8',
    PROOFMARK_DATA_DIR: place('nowhere'),
  });
  expect(replayed.code, replayed.stdout + replayed.stderr).toBe(0);
  expect(JSON.parse(replayed.stdout).summary).toMatchObject({
    verdict: 'passed',
    replay: { trials: 2, diverged: 0, notRecorded: 0 },
  });
  expect(replayed.stderr).toContain('replayed 2 trials of shop.suite.yaml, without a server');
  expect(asked()).toEqual(before);
});

test('so is its run, by the command over the API of a service that has lost its key', async () => {
  writeFileSync(place('proofmark.config.json'), '{}');
  const service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const { apiKey } = await workspace.admin(
    ...['create-key', '--email', 'owner@localhost', '--organization', 'My organization'],
  );
  const environment = { PROOFMARK_URL: service.url, PROOFMARK_API_KEY: apiKey, LC_ALL: 'C.UTF-8' };
  const before = asked();
  const replayed = await workspace.runHere(['eval', 'replay', runId, '--json'], environment);
  expect(replayed.code, replayed.stdout + replayed.stderr).toBe(0);
  expect(JSON.parse(replayed.stdout)).toMatchObject({ verdict: 'passed', replay: { runId } });
  expect(asked()).toEqual(before);
});
