import { expect, test } from 'vitest';
import { type AgentCall, type AgentOperation, agentOperations } from './agent-operations.ts';
import { utf8Bytes } from './agent-request.ts';
import { lexicalAgentStep } from './lexical-agent.ts';
import { notUnderstood } from './lexical-step.ts';

const summaries: Partial<Record<AgentOperation, string>> = {
  listProjectServers: 'List the saved MCP servers of a project',
  listTools: 'List the tools of a server',
  listPrompts: 'List the prompts of a server',
  listResources: 'List the resources of a server',
  listResourceTemplates: 'List the resource templates of a server',
  listEvalSuites: 'List the eval suites of a project',
  listEvalCases: 'List the cases of a suite',
  listEvalSuiteRuns: 'List the runs of a suite',
  listClients: 'List the clients of a project',
  listEnvironments: 'List the environments of a project',
  listModels: 'List the models that can be run here',
};
const ofServers = new Set<AgentOperation>([
  'listTools',
  'listPrompts',
  'listResources',
  'listResourceTemplates',
]);
const servers = [
  { id: 'srv_1', name: 'Shop' },
  { id: 'srv_2', name: 'Shop EU' },
];
const world: Partial<Record<AgentOperation, unknown>> = {
  listProjectServers: { items: servers },
  listTools: {
    items: [
      { name: 'ping', inputSchema: {} },
      { name: 'find', inputSchema: {} },
    ],
  },
  listPrompts: { items: [{ name: 'greet' }] },
  listResources: { items: [{ uri: 'shop://terms', name: 'Terms' }] },
  listResourceTemplates: { items: [{ uriTemplate: 'shop://books/{title}' }] },
  listEvalSuites: { items: [{ id: 'ste_1', name: 'Smoke' }] },
  listEvalCases: { items: [{ id: 'cas_1', title: 'One' }] },
  listModels: { items: [{ id: 'proofmark/lexical-1', name: 'lexical-1' }] },
  createEvalSuite: { suiteId: 'ste_2' },
};

type World = Partial<Record<AgentOperation, unknown>>;

function play(message: string, answers: World = world) {
  const calls: AgentCall[] = [];
  for (;;) {
    const step = lexicalAgentStep({
      message,
      calls,
      summaryOf: (operation) => summaries[operation] ?? operation,
      takesLimit: (operation) => !ofServers.has(operation),
      sha256Hex: () => 'abcdef0123',
      tellRun: (summary) => [JSON.stringify(summary)],
      tellComparison: (compared) => [JSON.stringify(compared)],
    });
    if ('reply' in step) return { reply: step.reply, calls };
    expect(agentOperations).toContain(step.call.operation);
    if (ofServers.has(step.call.operation)) expect(step.call.arguments).not.toHaveProperty('limit');
    const result = answers[step.call.operation];
    const outcome = result === undefined ? { error: 'It is away.' } : { result };
    calls.push({ ...step.call, outcome });
  }
}

const created = (message: string) =>
  play(message).calls.find(({ operation }) => operation === 'createEvalSuite')?.arguments;

test('a suite of the server that is named, with a case for each tool', () => {
  const { reply, calls } = play('create a suite called "smoke" for server "Shop EU"');
  expect(calls.map(({ operation }) => operation)).toEqual([
    'listProjectServers',
    'listTools',
    'listEvalSuites',
    'createEvalSuite',
  ]);
  expect(calls[3]?.arguments).toMatchObject({
    name: 'smoke',
    serverIds: ['srv_2'],
    model: 'proofmark/lexical-1',
    tests: [{ title: 'find' }, { title: 'ping' }],
  });
  expect(reply).toBe('Created the suite "smoke" with 2 cases for Shop EU. No run was started.');
});

test.each([
  ['create a suite called smoke for Shop', 'smoke'],
  ['create a suite called smoke tests, for server Shop', 'smoke tests'],
  ['Create a suite named v1.2 with one case per tool for Shop.', 'v1.2'],
  ["create a suite called 'It is fine' for Shop", 'It is fine'],
  ['create a suite for server named Shop', 'Suite abcdef'],
  ['create a suite for server named Shop called "smoke"', 'smoke'],
])('%s is called %s', (message, name) => {
  expect(created(message)).toMatchObject({ name, serverIds: ['srv_1'] });
});

const onlyShop = { ...world, listProjectServers: { items: [{ id: 'srv_1', name: 'Shop' }] } };
test.each([
  'create a suite called "smoke2" for server "Nope"',
  'create a suite for server Nope',
  'create a suite called Shop for Nope',
  'create a suite for "Nope" that asks "Is the Shop open?"',
  'create a suite for server “Nope”:\n- Is the Shop open?',
  'make a suite for shopping',
])('a server that is not there is not replaced by the only one: %s', (message) => {
  const { reply, calls } = play(message, onlyShop);
  expect(reply).toMatch(/^I know no server called "(Nope|shopping)"\. There is "Shop"\./);
  expect(calls.map(({ operation }) => operation)).toEqual(['listProjectServers']);
});

test.each([
  'create a suite',
  'create a suite for the server',
  'create a suite for my server, please',
  'create a suite called "Nope" that asks "Hello"',
  'create a suite for this server that tests search; do not start a run of it',
])('where none is named the only server is meant: %s', (message) => {
  const calls = play(message, onlyShop).calls;
  expect(calls.at(-1)).toMatchObject({
    operation: 'createEvalSuite',
    arguments: { serverIds: ['srv_1'] },
  });
});

test.each([
  'please do not create a suite, delete the suite called "smoke"',
  "don't create a suite for Shop",
  'Don’t make any suite for Shop',
  'you should never write a suite for Shop',
  'create no suite for Shop',
  'Look at Shop without creating a suite and make no suite',
])('what says not to is not done: %s', (message) => {
  const { reply, calls } = play(message);
  expect(reply).toMatch(/^The message says that something must not be created/);
  expect(calls).toEqual([]);
});

test('names are no cases, and what is asked word for word is', () => {
  const message = 'create a suite named "a" for "Shop" with model "m" that asks "Hello"';
  expect(created(message)).toMatchObject({ tests: [{ title: 'Hello' }] });
});

test('a suite of a name that is taken is made, and the others of the name are told', () => {
  const { reply } = play('create a suite called Smoke for Shop');
  expect(reply).toContain('Created the suite "Smoke"');
  expect(reply).toContain('The project already had a suite with this name (ste_1)');
  const again = { ...world, createEvalSuite: { suiteId: 'ste_1' } };
  expect(play('create a suite called Smoke for Shop', again).reply).not.toContain('before');
});

test('lists are read as long as they come, and say where they go on', () => {
  const long = {
    ...world,
    listEvalSuites: { items: [{ id: 'ste_1', name: 'Smoke' }], hasMore: true },
  };
  const { reply, calls } = play('list the suites', long);
  expect(calls[0]?.arguments).toEqual({ limit: 200 });
  expect(reply).toBe(
    'The eval suites of this project:\n- Smoke (ste_1)\nThere are more than these.',
  );
  expect(play('show the cases of the suite', long).reply).toBe(
    'Which suite do you mean: "Smoke" and others? Write its exact name.',
  );
  expect(play('show the cases of the suite "Nope"').reply).toContain(
    'I know no suite called "Nope".',
  );
  expect(play('show the tools of Shop').reply).toMatch(/^The tools of "Shop":/);
});

test('cases are the lines of a list, else the quoted texts; without a name it is one of the message', () => {
  const lines = created('Please make a suite for Shop:\n- "Where is my order?"\n2) Say hello');
  expect(lines).toMatchObject({
    name: 'Suite abcdef',
    serverIds: ['srv_1'],
    tests: [{ title: '"Where is my order?"' }, { title: 'Say hello' }],
  });
  const texts = created('write a suite named “a” for "Shop" that asks "How late is it?"');
  expect(texts).toMatchObject({
    name: 'a',
    tests: [{ steps: [{ kind: 'prompt', prompt: 'How late is it?' }] }],
  });
});

test('a server that is missing or ambiguous is asked for, and nothing is created', () => {
  expect(play('create a suite').reply).toBe(
    'Which server do you mean: "Shop", "Shop EU"? Write its exact name.',
  );
  expect(created('create a suite for PetShop or ShopTwo')).toBeUndefined();
  expect(created('create a suite for Shop and also "Shop EU", Shop')).toBeUndefined();
  expect(created('create a suite called Shop for Shop EU')).toMatchObject({
    name: 'Shop',
    serverIds: ['srv_2'],
  });
  const bank = { ...world, listProjectServers: { items: [{ id: 'srv_3', name: 'Bank of Rome' }] } };
  expect(play('create a suite for Bank of Rome', bank).reply).toContain('for Bank of Rome.');
  expect(play('create a suite', { listProjectServers: { items: [] } }).reply).toBe(
    'There is no server in this project yet.',
  );
  expect(play('create a suite', {}).reply).toBe('I could not read the servers: It is away.');
});

test.each([
  ['list the suites', ['listEvalSuites'], '- Smoke (ste_1)'],
  ['list the servers', ['listProjectServers'], '- Shop EU (srv_2)'],
  ['show me all servers of this project', ['listProjectServers'], '- Shop (srv_1)'],
  ['list the prompts of Shop', ['listProjectServers', 'listPrompts'], '- greet'],
  ['list the resources of Shop', ['listProjectServers', 'listResources'], '- Terms'],
  [
    'list the resource templates of Shop',
    ['listProjectServers', 'listResourceTemplates'],
    '- shop://books/{title}',
  ],
  ['which servers are saved?', ['listProjectServers'], '- Shop (srv_1)'],
  ['show me the tools of Shop', ['listProjectServers', 'listTools'], '- ping'],
  ['which cases are in the suite Smoke', ['listEvalSuites', 'listEvalCases'], '- One (cas_1)'],
  ['list models', ['listModels'], '- lexical-1 (proofmark/lexical-1)'],
])('%s', (message, operations, line) => {
  const { reply, calls } = play(message);
  expect(calls.map(({ operation }) => operation)).toEqual(operations);
  expect(reply).toContain(line);
});

test.each(['delete all suites', 'hello', 'start a run of Smoke', 'list the weather'])(
  'it says what it understands: %s',
  (message) => {
    expect(play(message)).toEqual({ reply: notUnderstood, calls: [] });
  },
);

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 2],
  ['€', 3],
  ['𝄞', 4],
  ['\ud800', 3],
])('bytes of %j', (text, bytes) => {
  expect(utf8Bytes(text)).toBe(bytes);
});

const latest = (id: string, verdict: string, createdAt: number) => ({
  latestRun: { id, status: 'completed', verdict, createdAt },
});
const ranWorld: Partial<Record<AgentOperation, unknown>> = {
  ...world,
  listEvalSuites: {
    items: [
      { id: 'ste_1', name: 'Smoke', ...latest('run_1', 'passed', 9) },
      { id: 'ste_2', name: 'Orders', ...latest('run_5', 'failed', 8) },
      { id: 'ste_3', name: 'Never', latestRun: null },
    ],
  },
  listEvalSuiteRuns: {
    items: [
      { id: 'run_5', result: 'failed' },
      { id: 'run_4', result: 'failed' },
      { id: 'run_3', verdictSummary: { verdict: 'inconclusive' }, result: null },
      { id: 'run_2', result: 'passed' },
    ],
  },
  getEvalRunDecisionSummary: 'FAILED: 1 of 2 case variants',
  compareEvalRun: 'Worse than run_2: 1 of 2 cases got worse',
};

const why = ['run_5', 'FAILED: 1 of 2 case variants'];
const since = ['run_5 of "Orders" failed', 'passed is run_2', 'Worse than run_2'];
const ends = ['"Smoke" (run_1): passed.', '"Orders" (run_5): failed.', '"Never" never ran.'];

test.each([
  ['Which run failed last, and why?', [...why, 'the newest that failed is run_5 of "Orders"']],
  ['why did the last run fail?', why],
  ['What failed?', why],
  ['what is broken', why],
  ['Why is Orders red?', why],
  ['show me the failures', why],
  ['What changed since it passed?', since],
  ['what changed since the last green run of Orders', since],
  ['Which tools are different from the run before?', since],
  ['did the last run pass?', ends],
  ['How did the latest runs end?', ends],
  ['what is the verdict of the latest run of Orders', [ends[1] ?? '']],
  ['list the servers', ['- Shop EU (srv_2)']],
  ['what servers do I have?', ['- Shop (srv_1)']],
  ['how many suites are there?', ['- Orders (ste_2)']],
  ['what suites exist', ['- Smoke (ste_1)']],
  ['what tools does Shop have?', ['- ping']],
  ['which cases are in the suite Smoke', ['- One (cas_1)']],
  ['what models can be run here?', ['lexical-1']],
  ['what can you do?', ['Ask “which run failed last, and why?”', 'I make a suite on']],
])('of what people ask first: %s', (message, parts) => {
  const { reply } = play(message, ranWorld);
  for (const part of parts) expect(reply).toContain(part);
});

test('a failure that is over is told with the latest run, and none with all of them', () => {
  const green = {
    ...ranWorld,
    listEvalSuites: {
      items: [{ id: 'ste_2', name: 'Orders', ...latest('run_6', 'passed', 8) }],
    },
  };
  const { reply } = play('which run failed last?', green);
  expect(reply).toContain('The last run of "Orders" that failed is run_5.');
  expect(reply).toContain('The latest run of "Orders" (run_6): passed.');
  const never = { ...green, listEvalSuiteRuns: { items: [{ id: 'run_6', result: 'passed' }] } };
  expect(play('what failed?', never).reply).toBe(
    'No run failed.\n- The latest run of "Orders" (run_6): passed.',
  );
  const cut = { ...green, listEvalSuiteRuns: { items: [{ id: 'run_6' }], hasMore: true } };
  expect(play('what failed?', cut).reply).toMatch(/^None of the runs that I read failed/);
  const always = { ...ranWorld, listEvalSuiteRuns: { items: [{ id: 'run_5', result: 'failed' }] } };
  expect(play('what changed since it passed?', always).reply).toBe(
    'run_5 of "Orders" failed, and no earlier run of the suite passed.',
  );
});
