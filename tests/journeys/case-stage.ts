/**
 * The external parts of larger cases: a shop over HTTP that reports its progress and can be broken,
 * the same shop as a program that writes to stderr, two models with a price (a clerk and a judge),
 * an own scorer, and the suites that use all of them.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProjectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import {
  type FakeAnswer,
  rpcResult,
  sendEvents,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { stdioProgram } from '@proofmark/harness/mcp-servers/stdio-program.ts';
import {
  type ModelScript,
  startOpenAiServer,
} from '@proofmark/harness/model-servers/start-openai-server.ts';

export interface CaseStage {
  breakShop(): void;
  makeSuites(ask: ProjectApi): Promise<{ readonly deskId: string; readonly contractId: string }>;
  stop(): Promise<void>;
}

const tool = {
  name: 'count_stock',
  description: 'Counts what is in stock of one item.',
  inputSchema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
};
const reset = {
  name: 'reset_stock',
  description: 'Puts the stock back to what it was.',
  inputSchema: { type: 'object', properties: {} },
};

/** Also writes the configuration of a service that is started in this folder. */
export async function startCaseStage(folder: string): Promise<CaseStage> {
  let isBroken = false;
  const shop = await startFakeMcpServer({
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: { listChanged: true }, logging: {} },
      serverInfo: { name: 'shop', version: '1' },
    },
    'tools/list': { tools: [tool, reset] },
    'tools/call': answerCall(() => isBroken),
  });
  const program = await stdioProgram(folder, writesToStderr);
  const models = await startOpenAiServer({ clerk, judge });
  const scorer = createServer((_, response) => {
    response.end(JSON.stringify({ score: 0.9, reason: 'Polite and short.' }));
  });
  scorer.listen(0, '127.0.0.1');
  await once(scorer, 'listening');
  const scorerUrl = `http://127.0.0.1:${(scorer.address() as AddressInfo).port}/score`;
  const price = { inputPerMillion: 100, outputPerMillion: 200 };
  const provider = {
    name: 'local',
    kind: 'openai-compatible',
    baseUrl: models.baseUrl,
    models: ['clerk', 'judge'].map((name) => ({ name, ...price })),
  };
  writeFileSync(
    `${folder}/proofmark.config.json`,
    JSON.stringify({
      modelProviders: [provider],
      stdioServers: [{ name: 'Archive', ...program }],
    }),
  );
  return {
    breakShop() {
      isBroken = true;
    },
    makeSuites: (ask) => makeSuites(ask, shop.url, scorerUrl),
    async stop() {
      scorer.close();
      await Promise.all([shop.stop(), models.stop()]);
    },
  };
}

function answerCall(isBroken: () => boolean): FakeAnswer {
  return (response, request) => {
    const { name, _meta } = request.message['params'] as {
      name: string;
      _meta?: { progressToken?: unknown };
    };
    const progressToken = _meta?.progressToken;
    const notifications = [
      ['notifications/message', { level: 'info', logger: 'stock', data: 'Reading shelf 4.' }],
      ['notifications/progress', { progressToken, progress: 1, total: 2, message: 'Counting' }],
      ['notifications/tools/list_changed', {}],
    ].map(([method, params]) => ({ jsonrpc: '2.0', method, params }));
    const isError = isBroken() && name === tool.name;
    const text = isError ? 'The shelf is locked.' : '4';
    const result = { content: [{ type: 'text', text }], isError };
    sendEvents(response, [...notifications, rpcResult(request, result)]);
    response.end();
  };
}

const writesToStderr = `
answer('tools/list', () => ({ tools: [{ name: 'read_shelf', description: 'Reads a shelf.', inputSchema: { type: 'object' } }] }));
answer('tools/call', () => {
  process.stderr.write('shelf.js: cache miss for shelf 4\\n');
  return { content: [{ type: 'text', text: 'Shelf 4' }] };
});
`;

const usage = { prompt_tokens: 900, completion_tokens: 60, total_tokens: 960 };

const clerk: ModelScript = ({ messages, tools = [] }) => {
  if (messages.at(-1)?.role === 'tool') return { text: 'There are 4 of them in stock.', usage };
  const asked = JSON.stringify(messages.at(-1)?.content);
  const item = /How many (\w+)/.exec(asked)?.[1] ?? 'pens';
  const name = tools.find(({ function: { name } }) => name.endsWith(tool.name))?.function.name;
  return { toolCalls: [{ name: name ?? tool.name, arguments: { item } }], usage };
};

/** One vote of six is negative, so no question with three votes fails. */
const judge: ModelScript = ({ messages }, count) => {
  const [score, reason] =
    count % 6 === 0 ? [0.2, 'It does not say of what.'] : [0.9, 'It says how many there are.'];
  const asked = String(messages.at(-1)?.content);
  const criteria = asked.includes('"criteria"')
    ? [
        { name: 'Number', score, reason },
        { name: 'Tone', score: 0.8, reason: 'It is friendly.' },
      ]
    : undefined;
  const unsupportedClaims = asked.includes('"results"') ? ['They are in stock.'] : undefined;
  const judgement = { score, reason, rubricHits: [], criteria, unsupportedClaims };
  return { text: JSON.stringify(judgement), usage };
};

async function makeSuites(ask: ProjectApi, url: string, scorerUrl: string) {
  const saved = { name: 'Shop', enabled: true, transportType: 'http', url };
  const { id: shopId } = await ask('POST', 'servers', saved);
  const { items } = await ask('GET', 'servers');
  const archiveId = items.find(({ name }: { name: string }) => name === 'Archive').id;
  const put = { kind: 'toolCall', serverName: 'Shop', toolName: reset.name, arguments: {} };
  const read = { kind: 'toolCall', serverName: 'Archive', toolName: 'read_shelf', arguments: {} };
  const counted = { type: 'toolCalledWith', toolName: tool.name, args: { args: {} } };
  const desk = await ask('POST', 'eval-suites', {
    name: 'Stock desk',
    serverIds: [shopId, archiveId],
    model: 'local/clerk',
    settings: {
      verdictPolicyDefaults: { repetitions: 2 },
      before: [{ id: 'open', ...put }],
      checks: [{ type: 'toolLatencyUnder', ms: 20_000 }],
      judge: { enabled: true, autoRun: true, model: 'local/judge' },
    },
    tests: [
      {
        title: 'Counts an item',
        steps: [
          { id: 'ask', kind: 'prompt', prompt: 'How many {{item}} are there?' },
          { id: 'counted', kind: 'assert', assertion: counted },
          {
            id: 'answered',
            kind: 'assert',
            assertion: { type: 'toolResultContains', needle: '{{amount}}' },
          },
        ],
        data: {
          key: 'item',
          rows: ['pens', 'inks', 'pads', 'caps'].map((item) => ({ item, amount: 4 })),
          sample: { rows: 2, seed: 7 },
        },
        after: [{ id: 'tidy', ...put }],
        expectedOutput: 'Says that there are {{amount}}.',
      },
      {
        title: 'Tells the customer',
        steps: [{ id: 'ask', kind: 'prompt', prompt: 'How many pens do you have?' }],
        assertions: [
          {
            type: 'goalCompleted',
            outcome: 'It says how many pens there are.',
            votes: 3,
            judgeModel: 'local/judge',
            criteria: [
              { name: 'Number', description: 'It names a number.', threshold: 0.5 },
              { name: 'Tone', description: 'It is friendly.' },
            ],
          },
          { type: 'scorer', url: scorerUrl, threshold: 0.5, name: 'Politeness' },
        ],
      },
      {
        title: 'Reads the archive',
        steps: [
          { id: 'read', ...read, timeoutMs: 5_000 },
          {
            id: 'said',
            kind: 'assert',
            assertion: { type: 'toolResultContains', needle: 'Shelf' },
          },
        ],
      },
    ],
  });
  const contract = await ask('POST', 'eval-suites', {
    name: 'Shop contract',
    mode: 'serverContract',
    serverIds: [shopId],
    settings: {
      checks: [
        { type: 'toolDescriptionsPresent', minLength: 10 },
        { type: 'toolNamesUnique' },
        { type: 'toolAnnotationsPresent' },
      ],
    },
    tests: [
      {
        title: 'Counts',
        steps: [
          { id: 'count', ...put, toolName: tool.name, arguments: { item: 'pens' } },
          {
            id: 'result',
            kind: 'assert',
            assertion: { type: 'toolResultMatches', pattern: '^\\d+$' },
          },
        ],
      },
    ],
  });
  return { deskId: desk.suiteId as string, contractId: contract.suiteId as string };
}
