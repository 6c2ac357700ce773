/**
 * If a provider failed or a model was cut off, the model made no choice, so the server is not at
 * fault.
 */
import { ask, calls, contains, promptCase, sunny, weatherCase, weatherOfRome } from '../cases.ts';
import { failed, passed, providerFailed } from '../expectations.ts';
import type { Line } from '../lines.ts';
import { asked, isError, weather } from '../servers/weather-server.ts';
import type { RunSituation, SeenRun, Theme } from '../situation.ts';

const unchosen = {
  connection: 'observed',
  discovery: 'observed',
  selection: 'providerError',
  call: 'providerError',
  response: 'providerError',
  userValue: 'providerError',
} as const;
const cutLater = {
  selection: 'observed',
  call: 'observed',
  response: 'observed',
  userValue: 'providerError',
} as const;
const inconclusive = (trial: ReturnType<typeof providerFailed>) => ({
  verdict: 'inconclusive' as const,
  trials: [trial],
});

/** The finish reasons of an incomplete answer, as providers spell them. */
const incompleteAnswer = ['length', 'content_filter', 'error', 'weird'];
const noCall = ({ servers }: SeenRun) =>
  asked(servers['A']?.requests) === 0 ? [] : ['The call was made.'];
const askedOnce = ({ chats }: SeenRun) =>
  chats.length === 1 ? [] : [`The model was asked ${chats.length} times.`];

function finishes(finish: string): RunSituation[] {
  return [
    {
      name: `the first answer ends with ${finish}`,
      cases: [weatherCase([{ text: 'The weather is', finish }])],
      expected: inconclusive(providerFailed({ rows: unchosen })),
    },
    {
      name: `the answer after a good call ends with ${finish}`,
      cases: [weatherCase([weatherOfRome, { text: 'It is sun', finish }])],
      expected: inconclusive(providerFailed({ rows: cutLater })),
    },
    {
      name: `a negative case whose answer ends with ${finish}`,
      cases: [
        promptCase('Just say hello.', [], [{ text: 'Hel', finish }], { isNegativeTest: true }),
      ],
      expected: inconclusive(
        providerFailed({ rows: { selection: 'providerError', call: 'providerError' } }),
      ),
    },
  ];
}

const cutArguments = (finish: string): RunSituation => ({
  name: `a call whose arguments were cut ends with ${finish}`,
  cases: [weatherCase([{ ...calls(['weather', '{"city": "Ro']), finish }])],
  expected: inconclusive(providerFailed({ rows: unchosen })),
  also: (seen) => [...noCall(seen), ...askedOnce(seen)],
});

const fails = (what: string, line: Line): RunSituation => ({
  name: `the provider ${what} before any answer`,
  cases: [weatherCase([line])],
  expected: inconclusive(
    providerFailed({ rows: unchosen, says: [/provider/i], next: [/provider/i] }),
  ),
});

export const providers: Theme = {
  theme: 'providers',
  situations: [
    ...incompleteAnswer.flatMap(finishes),
    ...finishes('network_error'),
    cutArguments('length'),
    cutArguments('content_filter'),
    {
      name: 'a whole call beside a cut answer is not made',
      cases: [weatherCase([{ ...weatherOfRome, finish: 'length' }])],
      expected: inconclusive(providerFailed({ rows: unchosen })),
      also: noCall,
    },
    {
      name: 'a call that ends with stop is a call',
      cases: [weatherCase([{ ...weatherOfRome, finish: 'stop' }, sunny])],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    {
      name: 'arguments that are no JSON, in an answer that was not cut, are the mistake of the model',
      cases: [weatherCase([calls(['weather', '{"city": Rome}']), weatherOfRome, sunny])],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    fails('answers HTTP 500', { status: 500 }),
    fails('answers HTTP 429', { status: 429 }),
    fails('refuses the key with HTTP 401', { status: 401 }),
    fails('refuses the model with HTTP 404', { status: 404 }),
    fails('cuts the connection', 'cut'),
    fails('answers with a page', 'garbage'),
    {
      name: 'the provider fails in the middle, after a good call',
      cases: [weatherCase([weatherOfRome, { status: 500 }])],
      expected: inconclusive(providerFailed({ rows: cutLater })),
    },
    {
      name: 'the provider fails after the model called something else',
      cases: [weatherCase([calls(['clock', {}]), { status: 500 }])],
      // After a provider failure the missing call proves nothing, so the selection stage is not
      // failed.
      expected: inconclusive(providerFailed({ rows: { selection: 'providerError' } })),
    },
    {
      name: 'the provider fails after the server answered with isError',
      servers: { A: weather({ weather: isError('No such city.') }) },
      cases: [weatherCase([weatherOfRome, { status: 500 }])],
      expected: {
        verdict: 'inconclusive',
        trials: [
          {
            status: 'failed',
            result: null,
            stage: 'response',
            reason: 'toolError',
            category: 'serverData',
          },
        ],
      },
    },
    {
      name: 'a negative case with a provider that fails is no pass',
      cases: [promptCase('Just say hello.', [], [{ status: 500 }], { isNegativeTest: true })],
      expected: inconclusive(
        providerFailed({ rows: { selection: 'providerError', call: 'providerError' } }),
      ),
    },
    {
      name: 'a provider that fails leaves user value to nobody, judge or not',
      judge: '{"score": 0, "reason": "No answer.", "rubricHits": []}',
      cases: [{ title: 'Goal', steps: [ask], says: [{ status: 500 }], expectedOutput: 'Sunny.' }],
      expected: inconclusive(providerFailed({ rows: { userValue: 'providerError' } })),
    },
    {
      name: 'one of five trials loses its provider and the run is decided by the others',
      cases: [
        promptCase(
          'Say sunny.',
          [contains('sunny')],
          [(_, count) => (count <= 2 ? { status: 500 } : sunny)],
          { runs: 5 },
        ),
      ],
      settings: { verdictPolicyDefaults: { validity: { minCompletionRate: 0.8 } } },
      limits: { trialsAtOncePerRun: 1 },
      expected: { verdict: 'passed', trials: [providerFailed(), passed({ times: 4 })] },
    },
    {
      name: 'a model that says nothing and calls nothing has answered',
      cases: [weatherCase([{ text: '' }])],
      expected: {
        verdict: 'failed',
        trials: [failed('selection', 'missingToolCall', 'selection')],
      },
    },
  ],
};
