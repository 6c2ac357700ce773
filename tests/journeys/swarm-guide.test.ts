import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { type ProjectApi, projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import {
  type ModelScript,
  type OpenAiServer,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadyWorkspace, type TestWorkspace } from './ready-workspace.ts';
import { waitForSample } from './sample-report.ts';

const guide = readFileSync(new URL('../../docs/guides/swarms.md', import.meta.url), 'utf8');
let workspace: TestWorkspace;
let service: ServiceHere;
let provider: OpenAiServer;
let ask: ProjectApi;
let environment: Record<string, string>;
const known = new Map<string, string>();

beforeAll(async () => {
  workspace = createReadyWorkspace();
  provider = await startOpenAiServer({ small: playsEverybody });
  service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off', PROOFMARK_SAMPLE: 'on' });
  const { apiKey, projectId } = await workspace.admin(
    ...['bootstrap', '--email', 'owner@localhost', '--organization', 'My organization'],
  );
  ask = projectApi(service.url, projectId, apiKey);
  await waitForSample(service);
  const [server] = (await ask('GET', 'servers')).items;
  environment = {
    PROOFMARK_URL: service.url,
    PROOFMARK_API_KEY: apiKey,
    LC_ALL: 'C.UTF-8',
    PROJECT_ID: projectId,
    SERVER_ID: server.id,
  };
  known.set('http://127.0.0.1:8000/v1', provider.baseUrl);
  known.set('cli_…', (await ask('GET', 'clients')).items[0].id);
  for (const [, name, content] of guide.matchAll(/`(\w+\.json)`[^`]*```json\n(.*?)```/gs)) {
    writeFileSync(`${workspace.folder}/${name}`, content as string);
  }
});
afterAll(async () => {
  await workspace?.remove();
  await provider?.stop();
});

/**
 * A model for all roles: the user asks once and is then content, the assistant reads the terms, and
 * the judge finds the goal met.
 */
const playsEverybody: ModelScript = ({ messages, tools }) => {
  const text = JSON.stringify(messages);
  if (text.includes('You play a person')) {
    const isAnswered = text.includes('30 days');
    const message = isAnswered ? '' : 'Can I return a gift?';
    return { text: JSON.stringify({ message, endSession: isAnswered }) };
  }
  if (tools === undefined) {
    return { text: JSON.stringify({ score: 1, reason: 'It was told.', rubricHits: [] }) };
  }
  if (messages.at(-1)?.role === 'tool') return { text: 'Yes, within 30 days.' };
  return { toolCalls: [{ name: 'read_terms', arguments: { section: 2 } }] };
};

function withKnown(text: string): string {
  return [...known].reduce((all, [name, value]) => all.replaceAll(name, value), text);
}

async function follow(section: string) {
  const [, text = ''] = guide.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  const results: {
    readonly command: string;
    readonly code: number | null;
    readonly stdout: string;
  }[] = [];
  for (const [, block = ''] of own.matchAll(/```sh\n(.*?)```/gs)) {
    if (block.includes('send ')) {
      await inShell(block);
      continue;
    }
    for (const line of block.trim().split('\n')) {
      const words = [...withKnown(line).matchAll(/"([^"]*)"|(\S+)/g)];
      const [proofmark, ...parameters] = words.map(([, quoted, bare]) => quoted ?? bare ?? '');
      expect(proofmark).toBe('proofmark');
      const folder = parameters[0] === 'admin' ? ['--data-dir', workspace.dataDir] : [];
      const done = await workspace.runHere([...parameters, ...folder], environment);
      expect(done.code, done.stderr).toBeLessThan(2);
      const run = /jrn_\w+/.exec(done.stderr)?.[0];
      if (run !== undefined) {
        known.set('jrn_…', run);
        const { waveId } = await ask('GET', `journey-runs/${run}`);
        await until(async () => (await ask('GET', `waves/${waveId}`)).mined, 'the wave is mined');
      }
      results.push({ command: line, code: done.code, stdout: done.stdout });
    }
  }
  return results;
}

/**
 * Runs a block in a shell. The guide's shell functions are defined first, since the guide defines
 * them only once.
 */
async function inShell(block: string): Promise<void> {
  const [functions = ''] = /^project=.*?"\$@"; }$/ms.exec(guide) ?? [];
  const commands = `set -e\n${functions}\n${withKnown(block).replace(functions, '')}`;
  const shell = { cwd: workspace.folder, env: { ...environment, PATH: '/usr/bin:/bin' } };
  await promisify(execFile)('/bin/sh', ['-c', commands], shell);
}

const outcome = (results: Awaited<ReturnType<typeof follow>>, of: string) =>
  results.find(({ command }) => command.includes(of));

describe('the guide', () => {
  test('the sample has two findings at response, and its other journey passes', async () => {
    const results = await follow('The sample');
    const findings = outcome(results, 'findings')?.stdout;
    expect(findings?.match(/^ {2}new: 4 of 4 (graded|played) sessions\b/gm)).toHaveLength(2);
    expect(findings?.match(/stage is\s+response/g)).toHaveLength(2);
    expect(outcome(results, 'journey run')).toMatchObject({ code: 0 });
  });

  test.skipIf(!existsSync('/usr/bin/curl'))(
    'from a server to the first finding, with no key',
    async () => {
      const results = await follow('From a server to the first finding');
      expect((await ask('GET', 'environments')).items.map(nameOf).sort()).toEqual([
        'Mine',
        'Sample',
      ]);
      expect(outcome(results, 'journey run')?.stdout).toMatch(
        /^FAILED: [\s\S]*Reads\s+the\s+terms\S\s+(?:did\s+not\s+hold\s+)?in\s+3\s+of\s+3\s+graded\s+sessions/,
      );
      expect(outcome(results, 'journey run')?.code).toBe(1);
      expect(outcome(results, 'findings')?.stdout).toMatch(/stage is\s+selection/);
    },
  );

  test.skipIf(!existsSync('/usr/bin/curl'))('with a model in all three parts', async () => {
    const results = await follow('With a model');
    const run = outcome(results, 'journey run');
    expect(run?.stdout).toMatch(/^PASSED: /);
    expect(run?.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'played by local/small; the goal is judged by local/small',
    );
    const sessions = async () =>
      (await ask('GET', `journey-runs/${known.get('jrn_…')}/sessions`)).items as Session[];
    const isJudged = async () =>
      (await sessions()).every(({ goalScore }) => goalScore.status !== 'pending');
    await until(isJudged, 'every session is judged');
    for (const { modelId, goalScore } of await sessions()) {
      expect([modelId, goalScore]).toEqual([
        'local/small',
        expect.objectContaining({ status: 'completed', score: 1, judgeModel: 'local/small' }),
      ]);
    }
  });
});

interface Session {
  readonly modelId: string;
  readonly goalScore: { readonly status: string };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
