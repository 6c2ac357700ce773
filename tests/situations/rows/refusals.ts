/**
 * After rejected credentials or a request to wait, the server has executed no call. Neither may
 * count against the server.
 */
import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  sunny as answer,
  calls,
  contains,
  promptCase,
  weatherCase,
  weatherOfRome,
} from '../cases.ts';
import { passed, setUpFailed } from '../expectations.ts';
import {
  asked,
  atConnect,
  first,
  give,
  status,
  sunny,
  weather,
} from '../servers/weather-server.ts';
import type { RunSituation, Theme } from '../situation.ts';

const clockCase = promptCase(
  'What time is it?',
  [contains('noon')],
  [calls(['clock', {}]), { echo: true }],
  {
    title: 'Clock',
  },
);
const unmeasured = { connection: 'observed', discovery: 'observed', call: 'setupAborted' } as const;

function revoked(number: number): RunSituation {
  return {
    name: `a call is refused with HTTP ${number} in mid-run`,
    servers: { A: weather({ weather: status(number, { 'www-authenticate': 'Bearer' }) }) },
    cases: [clockCase, weatherCase()],
    expected: {
      verdict: 'inconclusive',
      reasons: ['completionRateBelowMinimum', 'caseHasNoEligibleTrials'],
      trials: [
        passed({ of: 'Clock' }),
        setUpFailed({ of: 'Weather', rows: unmeasured, next: [/credential/i] }),
      ],
    },
  };
}

function waits(what: string, refusal: FakeAnswer, more: Partial<RunSituation> = {}): RunSituation {
  return {
    name: `a call is answered with ${what} once, then well`,
    servers: { A: weather({ weather: first(1, refusal) }) },
    cases: [weatherCase()],
    expected: { verdict: 'passed', trials: [passed()] },
    also: ({ servers }) => {
      const sent = asked(servers['A']?.requests);
      return sent === 2 ? [] : [`The call was sent ${sent} times.`];
    },
    ...more,
  };
}

function twoAtATime(): FakeAnswer {
  let now = 0;
  return (response, request) => {
    if (now >= 2) return give(status(429, { 'retry-after': '1' }), response, request);
    now += 1;
    setTimeout(() => {
      now -= 1;
      give(sunny, response, request);
    }, 60);
  };
}

const always = (what: string, refusal: FakeAnswer): RunSituation => ({
  name: `every call is answered with ${what}, even alone`,
  servers: { A: weather({ weather: refusal }) },
  cases: [weatherCase()],
  limits: { trialTimeoutMs: 6000 },
  expected: {
    verdict: 'inconclusive',
    trials: [setUpFailed({ rows: unmeasured, says: [/429|503|wait|too many/i] })],
  },
});

export const refusals: Theme = {
  theme: 'refused and asked to wait',
  situations: [
    revoked(401),
    revoked(403),
    {
      name: 'the grant is revoked between two calls of one trial',
      servers: {
        A: weather({ weather: first(1, sunny, status(401, { 'www-authenticate': 'Bearer' })) }),
      },
      cases: [weatherCase([weatherOfRome, weatherOfRome, answer])],
      expected: { verdict: 'inconclusive', trials: [setUpFailed({ rows: unmeasured })] },
    },
    {
      name: 'a grant that is revoked makes a negative case no pass',
      servers: { A: weather({ weather: status(403) }) },
      cases: [promptCase('Just say hello.', [], [weatherOfRome, answer], { isNegativeTest: true })],
      expected: { verdict: 'inconclusive', trials: [setUpFailed()] },
    },
    waits('HTTP 429 and one second', status(429, { 'retry-after': '1' })),
    waits('HTTP 429 without a time', status(429)),
    waits('HTTP 503 and one second', status(503, { 'retry-after': '1' })),
    {
      name: 'the handshake is answered with HTTP 429 once, then well',
      servers: {
        A: weather({
          answers: {
            initialize: first(1, status(429, { 'retry-after': '1' }), {
              protocolVersion: '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: 'busy', version: '1' },
            }),
          },
        }),
      },
      cases: [weatherCase()],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    {
      name: 'the handshake is answered with HTTP 429 for ever',
      servers: { A: weather({ answers: atConnect(status(429, { 'retry-after': '1' })) }) },
      cases: [weatherCase([])],
      limits: { trialTimeoutMs: 6000 },
      expected: {
        verdict: 'inconclusive',
        trials: [setUpFailed({ rows: { connection: 'setupAborted' } })],
      },
    },
    always('HTTP 429 and one second', status(429, { 'retry-after': '1' })),
    always('HTTP 503 and one second', status(503, { 'retry-after': '1' })),
    {
      name: 'a server that takes two calls at a time fails none of sixteen trials',
      servers: { A: weather({ weather: twoAtATime() }) },
      cases: [
        weatherCase(undefined, { runs: 8 }),
        weatherCase(undefined, { runs: 8, title: 'Again' }),
      ],
      expected: { verdict: 'passed', trials: [passed({ times: 16 })] },
    },
  ],
};
