/**
 * The external parts of a journey (a browser test): an MCP server whose tool answers at once or is
 * held until released, a judge model that can also be held, and suites that use them, created over
 * the API.
 */

import { writeFileSync } from 'node:fs';
import { rpcResult, sendJson, startFakeMcpServer } from '../mcp-servers/fake-mcp-server.ts';
import { startOpenAiServer } from '../model-servers/start-openai-server.ts';
import { call } from '../test-service.ts';
import type { TestWorkspace } from './test-workspace.ts';

export interface StockServers {
  readonly url: string;
  hold(): void;
  /**
   * Answers `count` waiting or future requests. Without `count`, answers all waiting requests and
   * holds none from then on.
   */
  release(count?: number): void;
  writeConfig(folder: string): void;
  stop(): Promise<void>;
}

export async function startStockServers(): Promise<StockServers> {
  let free = Number.POSITIVE_INFINITY;
  const waiting: (() => void)[] = [];
  const turn = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      letGo();
    });
  const letGo = () => {
    while (free > 0 && waiting.length > 0) {
      free -= 1;
      waiting.shift()?.();
    }
  };
  const properties = { item: { type: 'string' } };
  const inputSchema = { type: 'object', properties, required: ['item'] };
  const server = await startFakeMcpServer({
    'tools/list': { tools: [{ name: 'count_stock', description: 'Counts.', inputSchema }] },
    'tools/call': async (response, request) => {
      await turn();
      sendJson(response, rpcResult(request, { content: [{ type: 'text', text: '4' }] }));
    },
  });
  const model = await startOpenAiServer({
    judge: async () => {
      await turn();
      const judgement = {
        score: 0.5,
        reason: 'It counted and did not say of what.',
        rubricHits: [],
      };
      return { text: JSON.stringify(judgement) };
    },
  });
  return {
    url: server.url,
    hold() {
      free = 0;
    },
    release(count = Number.POSITIVE_INFINITY) {
      free += count;
      letGo();
    },
    writeConfig(folder) {
      const provider = { name: 'local', kind: 'openai-compatible', baseUrl: model.baseUrl };
      const modelProviders = [{ ...provider, models: [{ name: 'judge' }] }];
      writeFileSync(`${folder}/proofmark.config.json`, JSON.stringify({ modelProviders }));
    },
    async stop() {
      await Promise.all([server.stop(), model.stop()]);
    },
  };
}

/** Calls the API of one project. An error answer fails the test with its text. */
/**
 * If a busy service answers that it could not finish in time, only reads are repeated. A repeated
 * change could be applied twice.
 */
export function projectApi(url: string, projectId: string, key: string) {
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own answer.
  return async (method: string, path: string, body?: unknown): Promise<any> => {
    const place = `${url}/api/v1/projects/${projectId}/${path}`;
    for (let time = 1; ; time += 1) {
      const answer = await call(place, { method, key, body });
      if (answer.status < 300) return answer.body;
      const isBusy = answer.status === 503 && answer.body?.details?.reason === 'NOT_IN_TIME';
      if (method !== 'GET' || !isBusy || time === mostAsked) throw new Error(answer.text);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  };
}

const mostAsked = 10;

export type ProjectApi = ReturnType<typeof projectApi>;

/** The suite's only case calls the tool itself, so no model takes part. */
export async function makeSuite(
  ask: ProjectApi,
  options: {
    name: string;
    serverUrl: string;
    expects?: string;
    repetitions?: number;
    /** `patch` edits the suite, and `ofCase` its case. */
    patch?: object;
    ofCase?: object;
    everyMinutes?: number;
  },
): Promise<string> {
  const { name, serverUrl, expects = 'count_stock', repetitions = 1 } = options;
  const server = { name, enabled: true, transportType: 'http', url: serverUrl };
  const { id } = await ask('POST', 'servers', server);
  const given = { serverName: name, toolName: 'count_stock', arguments: { item: 'pens' } };
  const assertion = { type: 'toolCalledWith', toolName: expects, args: { args: {} } };
  const { suiteId, caseUpsert } = await ask('POST', 'eval-suites', {
    name,
    serverIds: [id],
    model: 'proofmark/lexical-1',
    settings: { verdictPolicyDefaults: { repetitions } },
    tests: [
      {
        title: 'Count the pens',
        steps: [
          { id: 'count', kind: 'toolCall', ...given },
          { id: 'counted', kind: 'assert', assertion },
        ],
      },
    ],
  });
  const place = `eval-suites/${suiteId}`;
  if (options.patch !== undefined) await ask('PATCH', place, options.patch);
  if (options.ofCase !== undefined) {
    await ask('PATCH', `${place}/cases/${caseUpsert.committed[0].id}`, options.ofCase);
  }
  if (options.everyMinutes !== undefined) {
    const intervalMinutes = options.everyMinutes;
    await ask('PATCH', `${place}/schedule`, { enabled: true, intervalMinutes });
  }
  return suiteId;
}

export const manyRuns = {
  PROOFMARK_RATE_LIMIT: 'off',
  PROOFMARK_CONCURRENT_RUNS: '20',
  PROOFMARK_SAMPLE: 'on',
};

export function makeReporterKey(
  workspace: Pick<TestWorkspace, 'admin'>,
): Promise<{ readonly apiKey: string }> {
  return workspace.admin(
    ...['create-key', '--email', 'owner@localhost', '--organization', 'My organization'],
    ...['--name', 'reporter'],
  );
}
