import {
  sunny as answer,
  called,
  calls,
  contains,
  promptCase,
  weatherCase,
  weatherOfRome,
} from '../cases.ts';
import { failed, passed } from '../expectations.ts';
import { everything } from '../servers/real-servers.ts';
import { type SessionServer, sessions } from '../servers/session-server.ts';
import { stdio } from '../servers/stdio-servers.ts';
import { asked, says, weather } from '../servers/weather-server.ts';
import type { Ids, SeenRun, Theme } from '../situation.ts';
import { pinning } from './pinning.ts';

const countsOne = (more: object = {}) =>
  promptCase('Count up.', [contains('Count 1.')], [calls(['count', {}]), { echo: true }], more);
const session = (ids: Ids) => ids.started['A'] as SessionServer;

/**
 * The session is rejected in the middle of a trial. It must be reopened once, and the call repeated
 * in the new session.
 */
const forgotten = (refusal: { status: number; code: number }) => ({
  name: `the server restarts in mid-run and answers the old session with HTTP ${refusal.status} and ${refusal.code}`,
  servers: { A: sessions(refusal) },
  cases: [
    promptCase('Count up twice.', [contains('Count 1.')], [
      calls(['count', {}]),
      { ...calls(['count', {}]), happens: true },
      { echo: true },
    ] as never),
  ],
  happens: async (_: unknown, ids: Ids) => session(ids).forget(),
  expected: { verdict: 'passed' as const, trials: [passed()] },
  also: tellsReopened,
});

/** A reopened session must not be a failure. The trial and its trace must report it. */
async function tellsReopened({ trials, trace }: SeenRun): Promise<string[]> {
  const [trial] = trials;
  const codes = (trial.warnings ?? []).map(({ code }: { code: string }) => code);
  const { sessionsReopened = [] } = await trace(trial);
  return [
    ...(codes.join() === 'SESSION_REOPENED' ? [] : [`The trial warns of ${codes.join()}.`]),
    ...(sessionsReopened.length === 1 ? [] : ['The trace does not tell one session.']),
  ];
}

export const isolation: Theme = {
  theme: 'isolation',
  situations: [
    {
      name: 'simulated logging is off at the start of every trial',
      servers: { A: everything() },
      cases: [
        promptCase(
          'Turn the simulated logging on.',
          [contains('Started simulated')],
          [calls(['toggle-simulated-logging', {}]), { echo: true }],
          { runs: 6 },
        ),
      ],
      expected: { verdict: 'passed', trials: [passed({ times: 6 })] },
    },
    {
      name: 'a stdio server that ends at its third call serves eight trials of one call',
      servers: { A: stdio('third-call-exits') },
      cases: [
        promptCase('Ping.', [contains('Pong 1.')], [calls(['ping', {}]), { echo: true }], {
          runs: 8,
        }),
      ],
      expected: { verdict: 'passed', trials: [passed({ times: 8 })] },
    },
    {
      name: 'a stdio server that ends at its third call fails the trial that makes three',
      servers: { A: stdio('third-call-exits') },
      cases: [
        promptCase(
          'Ping three times.',
          [{ type: 'toolCalledAtLeastOnce', toolName: 'ping' }],
          [calls(['ping', {}]), calls(['ping', {}]), calls(['ping', {}]), answer],
        ),
      ],
      // Only the server's own process can have ended the connection, so the failure is the
      // server's.
      expected: { verdict: 'failed', trials: [failed('call', 'protocolError', 'serverData')] },
    },
    {
      name: 'a stdio server that ends between two calls fails the trial that makes both',
      servers: { A: stdio('ends-after-call') },
      cases: [
        promptCase('Ping twice.', [called('ping')], [
          calls(['ping', {}]),
          { ...calls(['ping', {}]), happens: true },
          answer,
        ] as never),
      ],
      happens: () => new Promise((resolve) => setTimeout(resolve, 1_000)),
      expected: {
        verdict: 'failed',
        trials: [
          failed('call', 'protocolError', 'serverData', {
            says: [/process of the server ended \(exit code 9\) after its last answer/],
            next: [/program of the server ended/],
          }),
        ],
      },
    },
    {
      name: 'a stdio server that ends after the only call of each trial serves all of them',
      servers: { A: stdio('ends-after-call') },
      cases: [
        promptCase('Ping.', [contains('Pong 1.')], [calls(['ping', {}]), { echo: true }], {
          runs: 3,
        }),
      ],
      expected: { verdict: 'passed', trials: [passed({ times: 3 })] },
    },
    {
      name: 'what one trial counted no other trial sees',
      servers: { A: sessions() },
      cases: [countsOne({ runs: 5 })],
      expected: { verdict: 'passed', trials: [passed({ times: 5 })] },
      also: ({ servers }) => {
        const { called } = servers['A'] as SessionServer;
        return called.size === 5 ? [] : [`Five trials called over ${called.size} sessions.`];
      },
    },
    {
      name: 'sessions are shared in a run where the suite says so',
      servers: { A: sessions() },
      settings: { sessions: 'run' },
      cases: [countsOne({ runs: 3 })],
      expected: {
        verdict: 'failed',
        trials: [passed(), failed('userValue', 'predicateFailed', 'userValue', { times: 2 })],
      },
      also: ({ servers }) => {
        const { called } = servers['A'] as SessionServer;
        return called.size === 1 ? [] : [`The run called over ${called.size} sessions.`];
      },
    },
    {
      name: 'the server restarts before the run and answers old sessions with HTTP 400 and -32000',
      servers: { A: sessions() },
      cases: [countsOne()],
      before: async (fixture, ids) => {
        await fixture.get(200, 'POST', `servers/${ids.servers['A']}/tools`, {});
        session(ids).forget();
      },
      expected: { verdict: 'passed', trials: [passed()] },
    },
    forgotten({ status: 400, code: -32_000 }),
    forgotten({ status: 404, code: -32_001 }),
    {
      ...forgotten({ status: 404, code: -32_001 }),
      name: 'a failure after the session was lost and opened anew says so',
      cases: [
        promptCase('Count up twice.', [contains('Count 2.')], [
          calls(['count', {}]),
          { ...calls(['count', {}]), happens: true },
          { echo: true },
        ] as never),
      ],
      expected: {
        verdict: 'failed',
        trials: [
          failed('userValue', 'predicateFailed', 'userValue', {
            says: [/The session with "Server-A.*" was lost during the trial and opened anew/],
          }),
        ],
      },
    },
    {
      // The server may have executed the call, so the call is not repeated. The error code is the
      // server's.
      ...forgotten({ status: 200, code: -32_000 }),
      also: () => [],
      expected: { verdict: 'failed', trials: [failed('call', 'protocolError', 'serverData')] },
    },
    {
      name: 'diagnostics after a restart open a session anew',
      servers: { A: sessions() },
      expected: { first: 200, second: 200 },
      ask: async (fixture, ids) => {
        const path = `servers/${ids.servers['A']}/tools`;
        const before = await fixture.ask('POST', path, {});
        session(ids).forget();
        return { first: before.status, second: (await fixture.ask('POST', path, {})).status };
      },
    },
    {
      name: 'a trial is offered what its own session lists',
      servers: {
        A: weather({
          answers: {
            'tools/list': (() => {
              let lists = 0;
              return (response, request) => {
                lists += 1;
                const name = lists === 1 ? 'forecast' : 'weather';
                response.writeHead(200, { 'content-type': 'application/json' });
                const result = { tools: [{ name, inputSchema: { type: 'object' } }] };
                response.end(JSON.stringify({ jsonrpc: '2.0', id: request.message['id'], result }));
              };
            })(),
          },
          weather: says('It is sunny.'),
        }),
      },
      before: (fixture, ids) => fixture.get(200, 'POST', `servers/${ids.servers['A']}/tools`, {}),
      cases: [weatherCase([weatherOfRome, answer], { runs: 2 })],
      expected: { verdict: 'passed', trials: [passed({ times: 2 })] },
      also: ({ servers }) => {
        const lists = asked(servers['A']?.requests, 'tools/list');
        return lists >= 3 ? [] : [`The tools were listed ${lists} times.`];
      },
    },
    ...pinning,
  ],
};
