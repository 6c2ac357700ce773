import {
  type FakeAnswer,
  rpcResult,
  sendEvents,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { complete, modernDiscovery } from '@proofmark/harness/mcp-servers/start-task-server.ts';
import { acceptSubscriptions } from '@proofmark/harness/mcp-servers/subscriptions.ts';
import { called, calls, promptCase, sunny, weatherCase } from '../cases.ts';
import { notOpened, passed, setUpFailed } from '../expectations.ts';
import {
  cut,
  error,
  give,
  html,
  raw,
  silence,
  status,
  weather,
} from '../servers/weather-server.ts';
import type { Answer, ExpectedTrial, RunSituation, ServerStart, Theme } from '../situation.ts';

const tool = { name: 'weather', inputSchema: { type: 'object' } };
const cursorOf = (message: Readonly<Record<string, unknown>>) =>
  (message['params'] as { cursor?: string } | undefined)?.cursor;

function secondPage(answer: FakeAnswer): FakeAnswer {
  return (response, request) => {
    const isFirst = cursorOf(request.message) === undefined;
    give(isFirst ? { tools: [tool], nextCursor: 'two' } : answer, response, request);
  };
}

const theirs: Readonly<Record<string, FakeAnswer>> = {
  'HTTP 404': status(404),
  'HTTP 500': status(500),
  'HTTP 502': status(502),
  'a page of HTML': html(),
  'JSON that is no message': raw('[1,2,3]'),
  'a result without tools': { hello: 'world' },
  'tools that are no tools': { tools: [{ name: 7 }] },
  'the error -32601': error(-32_601),
  'the error -32603': error(-32_603),
  'the error -32000': error(-32_000),
  'the error -32001': error(-32_001),
  'a cursor that leads back to itself': { tools: [tool], nextCursor: 'again' },
  'HTTP 500 on its second page': secondPage(status(500)),
  'the error -32603 on its second page': secondPage(error(-32_603)),
  'a page of HTML on its second page': secondPage(html()),
};

const refused: Readonly<Record<string, FakeAnswer>> = {
  'HTTP 401': status(401, { 'www-authenticate': 'Bearer' }),
  'HTTP 403': status(403),
};

const unlocking: ServerStart = (fixture) => {
  const tools = [{ name: 'unlock', inputSchema: { type: 'object' } }];
  return weather({
    answers: {
      'tools/list': (response, request) => give({ tools }, response, request),
      'tools/call': (response, request) => {
        const { name } = request.message['params'] as { name: string };
        const result = rpcResult(request, { content: [{ type: 'text', text: `Done ${name}.` }] });
        if (name === 'unlock') tools.push({ name: 'open', inputSchema: { type: 'object' } });
        const change = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
        sendEvents(response, name === 'unlock' ? [change, result] : [result]);
        response.end();
      },
    },
  })(fixture);
};

/** The same over a subscription of the newer era. */
const announcing: ServerStart = async () => {
  const { listen, announce } = acceptSubscriptions();
  const inputSchema = { type: 'object' };
  const tools = [
    { name: 'unlock', inputSchema },
    { name: 'look', inputSchema },
  ];
  return startFakeMcpServer({
    'server/discover': modernDiscovery({ tools: { listChanged: true } }),
    'subscriptions/listen': listen,
    'tools/list': (response, request) => give(complete({ tools }), response, request),
    'tools/call': (response, request) => {
      const { name } = request.message['params'] as { name: string };
      if (name === 'unlock') {
        tools.splice(0, 2, { name: 'open', inputSchema }, { name: 'look', inputSchema: lit });
        announce();
      }
      give(complete({ content: [{ type: 'text', text: `Done ${name}.` }] }), response, request);
    },
  });
};

const lit = { type: 'object', properties: { closely: { type: 'boolean' } } };

function row(what: string, answer: FakeAnswer, trial: ExpectedTrial, saved?: object): RunSituation {
  const servers = { A: weather({ answers: { 'tools/list': answer }, ...(saved && { saved }) }) };
  const expected = { verdict: 'inconclusive' as const, trials: [trial] };
  return { name: what, servers, cases: [weatherCase([])], expected };
}

export const listing: Theme = {
  theme: 'listing tools',
  situations: [
    {
      name: 'a server that says in mid-trial that its tools changed is asked for them again',
      servers: { A: unlocking },
      cases: [
        promptCase(
          'Unlock the door and open it.',
          [called('unlock'), called('open')],
          [calls(['unlock', {}]), calls(['open', {}]), sunny],
        ),
      ],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    {
      name: 'a server of the newer era announces a change to the subscription of the trial',
      servers: { A: announcing },
      cases: [
        promptCase(
          'Unlock the door and open it.',
          [called('unlock'), called('open')],
          [calls(['unlock', {}]), calls(['open', {}]), sunny],
        ),
      ],
      expected: { verdict: 'passed', trials: [passed()] },
      also: async ({ trials, trace }) => {
        const { listChanges } = await trace(trials[0]);
        const [{ serverName, atMs, ...change } = {} as Answer] = listChanges ?? [];
        const wanted = { added: ['open'], removed: ['unlock'], changed: ['look'] };
        const isTold = typeof serverName === 'string' && typeof atMs === 'number';
        return isTold && JSON.stringify(change) === JSON.stringify(wanted)
          ? []
          : [`The trace says ${JSON.stringify(listChanges)}.`];
      },
    },
    ...Object.entries(theirs).map(([what, answer]) =>
      row(
        `the list is answered with ${what}`,
        answer,
        notOpened('discovery', {
          rows: { connection: 'observed', selection: 'earlierStageFailed' },
        }),
      ),
    ),
    ...Object.entries(refused).map(([what, answer]) =>
      row(
        `the list is answered with ${what}`,
        answer,
        setUpFailed({ rows: { connection: 'observed', discovery: 'setupAborted' } }),
      ),
    ),
    row(
      'the list is never answered',
      silence,
      setUpFailed({
        rows: { connection: 'observed', discovery: ['egressUnverified', 'setupAborted'] },
      }),
      { timeout: 400 },
    ),
    row(
      'the connection is cut instead of a list',
      cut,
      notOpened('discovery', { rows: { connection: 'observed' } }),
    ),
    {
      name: 'a list of two pages is read to its end',
      servers: {
        A: weather({
          answers: { 'tools/list': secondPage({ tools: [{ ...tool, name: 'clock' }] }) },
        }),
      },
      cases: [weatherCase()],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    {
      name: 'one of two servers cannot be listed',
      servers: { A: weather(), B: weather({ answers: { 'tools/list': status(500) } }) },
      cases: [weatherCase([])],
      expected: { verdict: 'inconclusive', trials: [notOpened('discovery')] },
    },
  ],
};
