/**
 * Tests the output of the reading commands at 80 columns, for every renderer except those of
 * decisions. The commands call a service that always gives the same answers.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations } from '@proofmark/contract';
import { surfaceTokens } from '@proofmark/domain';
import { runHere } from '@proofmark/harness/journeys/run-here.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Answers = { readonly [Row in keyof typeof operations]?: object };

const hostile = 'Finds \u001b[31man order \u202eby e-mail, whatever the customer calls it';
const long = 'word '.repeat(40).trim();
const run = {
  id: 'run_1',
  projectId: 'prj_1',
  suiteId: 'ste_1',
  runNumber: 4,
  status: 'completed',
  verdict: 'failed',
  result: 'failed',
  createdAt: 1_763_337_600_000,
  iterationCount: 6,
  completedAt: 1_763_337_785_000,
  expectedIterations: 6,
  gateWaiver: null,
  summary: { total: 6, passed: 4, failed: 2, passRate: 0.67 },
  spending: { credits: 3.2, priced: true, inputTokens: 12_300, outputTokens: 1_200 },
  insights: {
    status: 'completed',
    summary: `Two things were found. ${long}`,
    findings: [
      {
        title: hostile,
        severity: 'high',
        observed: long,
        recommendation: long,
        affected: { count: 2, total: 6, unit: 'trial' },
        rootCause: long,
      },
    ],
  },
};
const trial = {
  id: 'itr_01m7mer58a108eq1tb93texs1d',
  testCaseId: 'cas_1',
  title: hostile,
  iterationNumber: 1,
  status: 'completed',
  result: 'failed',
  model: 'local/one',
  firstFailedStage: 'selection',
  durationMs: 2_449,
};
const passedTrial = { ...trial, iterationNumber: 2, result: 'passed', firstFailedStage: undefined };
const side = (passedTrials: number) => ({ passedTrials, eligibleTrials: 5 });
const server = {
  id: 'srv_01m7mer58a108eq1tb93texs1d',
  name: 'Bookshop',
  enabled: true,
  url: `https://bookshop.example/${'path/'.repeat(12)}mcp`,
  transportType: 'http',
  headerNames: ['Authorization'],
  timeout: null,
  maxMessageMiB: null,
  useOAuth: false,
  oauthScopes: [],
  clientId: null,
  hasClientSecret: false,
  createdAt: 1_763_337_600_000,
};
const check = (status: string, more: object = {}) => ({ status, detail: 'It answers.', ...more });
const tool = {
  name: 'search_orders',
  description: long,
  inputSchema: { type: 'object', properties: { email: {}, limit: {} }, required: ['email'] },
};

const excludedTool = {
  toolName: 'find_book',
  reason: 'notToken',
  path: '/inputSchema/properties/shelf/x-mcp-header',
  message: 'x-mcp-header: "My Shelf" is not an HTTP token.',
};
const spoken = { era: 'legacy', state: 'spoken', detail: 'It answers with 2 tools.', problems: [] };

const place = { serverName: 'Bookshop', trials: [trial.id], failingTrials: 1 };
const surface = {
  baseRunId: 'run_0',
  baseHash: 'a1',
  hash: 'b2',
  added: [],
  removed: [],
  renamed: [{ from: 'find', to: hostile, likeness: 0.8, ...place, failingTrials: 0, trials: [] }],
  changed: [
    {
      toolName: 'search_orders',
      what: 'inputSchema',
      path: '/properties/email/type',
      before: 'string',
      after: 'object',
      effect: 'breaking',
      ...place,
    },
  ],
  totals: { added: 0, removed: 0, renamed: 1, changed: 1 },
};
const tokens = surfaceTokens(
  [{ name: 'Bookshop', tools: [{ name: hostile, description: long, inputSchema: {} }] }],
  ({ length }) => length,
);

const answers: Answers = {
  getEvalRunSurface: { ...surface, tokens },
  getEvalSuite: { environment: { servers: ['Bookshop'], serverIds: ['srv_1'] } },
  lintServer: {
    runId: 'run_1',
    total: 2,
    findings: [
      {
        rule: 'description-short',
        severity: 'warn',
        serverName: 'Bookshop',
        toolName: hostile,
        path: '/description',
        message: 'The description is short.',
        reason: long,
        trials: [trial.id, 'itr_2'],
        overlay: { servers: [] },
      },
      {
        rule: 'annotations-missing',
        severity: 'info',
        serverName: 'Bookshop',
        toolName: 'ping',
        path: '/annotations',
        message: 'The tool has no annotations.',
        reason: 'It matters.',
        trials: [],
      },
    ],
    tokens,
  },
  getEvalRun: run,
  listEvalRunIterations: { items: [trial, passedTrial] },
  getEvalIterationTrace: {
    traceVersion: 1,
    messages: [
      { role: 'user', content: hostile },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolName: 'search', input: { q: long } }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolName: 'search', output: { type: 'text', value: 'One.' } },
        ],
      },
      { role: 'assistant', content: `Found one.\n${long}` },
    ],
    spans: [{ category: 'tool', toolName: 'search', startMs: 10, endMs: 52 }],
  },
  getEvalRunSteps: {
    items: [
      { stepIndex: 0, stepId: 'ask', kind: 'prompt', status: 'passed', evidence: {} },
      {
        stepIndex: 1,
        stepId: hostile,
        kind: 'assert',
        status: 'failed',
        reason: long,
        evidence: {},
      },
    ],
  },
  compareEvalRun: {
    baseRun: { runNumber: 3, result: 'passed' },
    compareRun: { runNumber: 4, result: 'failed' },
    cases: [
      {
        caseKey: 'long',
        title: hostile,
        status: 'regressed',
        significance: 'outside_noise',
        p: 0.0079,
        holm: 0.0159,
        bh: 0.0159,
        base: side(5),
        compare: side(0),
      },
      {
        caseKey: 'same',
        title: 'Same',
        status: 'unchanged_passed',
        significance: 'within_noise',
        p: 1,
        holm: 1,
        bh: 1,
        base: side(5),
        compare: side(5),
      },
    ],
    paired: {
      pairs: 2,
      clusters: 2,
      difference: -0.5,
      standardError: 0.5,
      method: 'none',
      p: null,
      level: 0.05,
      left: [],
      right: ['long'],
      ungraded: [],
    },
    correction: { cases: 2, level: 0.05, gate: 'holm', list: 'benjaminiHochberg' },
    surface,
    tokens: { base: tokens, compare: tokens },
  },
  getEvalRunStatistics: {
    runId: 'run_1',
    unit: 'caseVariant',
    k: 3,
    toolSurface: { state: 'one', hash: 'a1' },
    omittedRuns: 12,
    cases: [
      {
        caseId: 'cas_1',
        testCaseId: 'cas_1',
        title: hostile,
        model: 'one',
        provider: 'local',
        trials: 5,
        eligibleTrials: 5,
        passedTrials: 3,
        passThreshold: 0.8,
        passRateInterval: { lower: 0.38, upper: 0.84, confidence: 0.95, method: 'anyTime' },
        largestK: 5,
        passHatK: 0.1,
        history: {
          runs: 4,
          trials: 20,
          passed: 13,
          interval: { confidence: 0.95, method: 'anyTime', lower: 0.38, upper: 0.84 },
          threshold: { rate: 0.8, e: 24.1, side: 'below', since: 17 },
          stability: 'flaky',
          steady: false,
        },
        flakiness: {
          runs: 4,
          eligibleTrials: 20,
          passedTrials: 13,
          mixedRuns: 2,
          flips: 1,
          stability: 'mixed',
        },
      },
    ],
  },
  getEvalSuiteFlaky: {
    omittedRuns: 12,
    cases: [
      {
        testCaseId: 'cas_1',
        caseId: 'weather',
        title: hostile,
        model: 'local/one',
        state: 'flaky',
        steady: false,
        runs: 4,
        trials: 20,
        passed: 13,
        quarantined: false,
      },
      {
        testCaseId: 'cas_2',
        caseId: 'cas_2',
        title: 'Opening hours',
        model: null,
        state: 'undetermined',
        steady: true,
        runs: 60,
        trials: 60,
        passed: 60,
        quarantined: true,
      },
    ],
    suggestion: 'quarantine:\n  - case: "weather"\n    expires: "2026-12-03"',
  },
  planEvalSuite: {
    suiteId: 'ste_1',
    drop: 0.1,
    cases: [
      {
        testCaseId: 'cas_1',
        title: hostile,
        model: 'local/one',
        healthyRate: 0.95,
        deterministic: false,
        fixed: { trials: 77, passes: 70, falseFail: 0.038, miss: 0.093 },
        sequential: {
          cap: 92,
          look: 4,
          passThreshold: 0.908,
          falseFail: 0.045,
          miss: 0.094,
          meanHealthy: 43.5,
          meanRegressed: 41.2,
          meanHalfway: 55.8,
        },
        today: { trials: 5, passThreshold: 0.8, smallestDrop: 0.534 },
        cost: null,
      },
    ],
    run: { cases: 1, falseFailOfRun: 0.045, fixed: 77, mean: 43.5, worst: 92, cost: null },
  },
  getEvalRunGroup: {
    runs: [
      { ...run, environment: { name: hostile } },
      { ...run, id: 'run_2', verdict: 'passed', result: 'passed', environment: null },
    ],
  },
  listProjectServers: {
    items: [server, { ...server, id: 'srv_2', name: hostile, enabled: false }],
  },
  getProjectServer: server,
  runDoctor: {
    status: 'partial',
    tools: [tool],
    excludedTools: [excludedTool],
    revisions: [
      {
        revision: '2026-07-28',
        era: 'modern',
        state: 'broken',
        detail: 'It answers, but breaks 1 rule.',
        problems: [{ rule: 'cache-scope', method: 'tools/list', message: `${hostile} ${long}` }],
      },
      { ...spoken, revision: '2025-11-25' },
      { ...spoken, revision: '2025-06-18', state: 'refused', detail: `${hostile} ${long}` },
    ],
    error: { message: 'The prompts cannot be listed.' },
    checks: {
      probe: check('ok', { durationMs: 12 }),
      connection: check('ok'),
      initialization: check('ok'),
      capabilities: check('ok'),
      tools: check('ok'),
      resources: check('skipped', { detail: 'It offers none.' }),
      resourceTemplates: check('skipped', { detail: 'It offers none.' }),
      prompts: check('error', { detail: `${hostile} ${long}`, advice: long }),
    },
  },
  listPrompts: { items: [{ name: 'greet', description: long, arguments: [{ name: 'who' }] }] },
  listResources: { items: [{ uri: 'file:///a', name: hostile, mimeType: 'text/plain' }] },
  listResourceTemplates: { items: [] },
  readResource: { contents: [{ uri: 'file:///a', mimeType: 'text/plain', text: hostile }] },
  listTools: {
    items: [tool, { ...tool, name: 'ping', description: '', inputSchema: {} }],
    excludedTools: [excludedTool],
  },
  callTool: {
    content: [
      { type: 'text', text: `${hostile}\nOne.` },
      { type: 'image', data: 'AAAA' },
    ],
  },
};

const directory = temporaryDirectory(0o755);
const service = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const found = Object.entries(answers).find(([name]) => {
    const { method, path } = operations[name as keyof typeof operations];
    const pattern = new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return method === request.method && pattern.test(pathname);
  });
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found?.[1] ?? { code: 'NOT_FOUND', message: pathname }));
});
beforeAll(() => new Promise<void>((ready) => service.listen(0, '127.0.0.1', ready)));
afterAll(async () => {
  await new Promise((closed) => service.close(closed));
  directory.remove();
});

test('every reading command prints what it always did, within 80 columns', async () => {
  const { port } = service.address() as AddressInfo;
  const environment = {
    PROOFMARK_URL: `http://127.0.0.1:${port}`,
    PROOFMARK_API_KEY: 'sk_1',
    PROOFMARK_PROJECT: 'prj_1',
    LC_ALL: 'C.UTF-8',
  };
  const typed = [
    ...['eval status run_1', 'eval iterations run_1', 'eval trace run_1 itr_1'],
    ...['eval steps run_1 itr_1', 'eval compare run_1', 'eval compare run_1 --all'],
    ...['eval groups show rgp_1', 'eval insights run_1', 'server list', 'server show Bookshop'],
    ...['doctor Bookshop', 'tools Bookshop', 'call Bookshop ping', 'eval statistics run_1 --k 3'],
    ...['prompts Bookshop', 'resources Bookshop', 'read Bookshop file:///a'],
    ...['eval gate run_1', 'eval gate run_1 --min-pass-rate 0.5'],
    ...['eval surface run_1 --base run_0', 'suite lint ste_1', 'suite lint ste_1 --strict'],
    ...['suite flaky ste_1', 'eval plan ste_1 --drop 0.1'],
  ];
  let screens = '';
  for (const line of typed) {
    const parameters = line.split(' ');
    const { code, stdout, stderr } = await runHere({
      folder: directory.path,
      parameters,
      environment,
    });
    const output = `${stdout}${stderr}`.replaceAll(String(port), '3300');
    screens += `$ proofmark ${line}\n${output}-> ${code}\n\n`;
  }
  await expect(screens).toMatchFileSnapshot('golden/command-screens.txt');
  expect(screens).not.toContain('\u001b');
  const tooWide = screens.split('\n').filter((line) => [...line].length > 80);
  // A URL is not wrapped, since a copied URL would contain the line break.
  expect(tooWide.filter((line) => !line.includes('https://'))).toEqual([]);
});
