/**
 * Proofmark's own limits. The error must state that Proofmark stopped the trial, and must not count
 * against the server.
 */
import {
  ask,
  called,
  calls,
  contains,
  expectWeather,
  promptCase,
  sunny,
  weatherCase,
  weatherOfRome,
} from '../cases.ts';
import { failed, passed, setUpFailed, timedOut } from '../expectations.ts';
import { give, says, silence, weather } from '../servers/weather-server.ts';
import type { Answer, ServerStart, Theme } from '../situation.ts';

const stopped = {
  connection: 'lifecycleStopped',
  selection: 'lifecycleStopped',
  call: 'lifecycleStopped',
} as const;

/** A server that stops answering both calls if the second arrives during the first. */
const oneCallAtATime: ServerStart = (fixture) => {
  let open = 0;
  let isJammed = false;
  return weather({
    saved: { timeout: 5_000 },
    weather: (response, request) => {
      open += 1;
      isJammed = open > 1;
      response.once('close', () => {
        open -= 1;
      });
      setTimeout(() => {
        if (!isJammed) give(says('It is sunny.'), response, request);
      }, 1_000);
    },
  })(fixture);
};

/** Slightly above the limit of one message (4 MiB). */
const large = 'x'.repeat(4.3 * 1024 * 1024);
let deep: unknown = 'sunny';
for (let level = 0; level < 200; level += 1) deep = [deep];

export const bounds: Theme = {
  theme: 'bounds',
  situations: [
    {
      name: 'a model that calls tools to the last round',
      limits: { maxModelSteps: 3 },
      cases: [weatherCase([weatherOfRome, weatherOfRome, weatherOfRome, sunny])],
      expected: {
        verdict: 'failed',
        trials: [failed('userValue', 'predicateFailed', 'userValue', { says: [/\b3\b|three/] })],
      },
    },
    {
      name: 'a model that ends in the last round is stopped by nobody',
      limits: { maxModelSteps: 3 },
      cases: [weatherCase([weatherOfRome, weatherOfRome, sunny])],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    {
      name: 'a call that hangs past the time of the trial has its span',
      servers: { A: weather({ weather: silence }) },
      limits: { trialTimeoutMs: 4000 },
      cases: [weatherCase()],
      expected: {
        verdict: 'inconclusive',
        trials: [timedOut({ rows: stopped, says: [/took longer/] })],
      },
      also: async ({ trials, trace }) => {
        const { spans } = await trace(trials[0]);
        const isThere = spans.some(({ toolName }: Answer) => toolName === 'weather');
        return isThere ? [] : ['The trace has no span of the call.'];
      },
    },
    {
      name: 'a server that answers only one call at a time passes beside other trials of ours',
      servers: { A: oneCallAtATime },
      cases: [weatherCase([weatherOfRome, sunny], { runs: 2 })],
      expected: { verdict: 'passed', trials: [passed({ times: 2 })] },
      also: ({ trials }) => {
        const warned = trials.filter(({ warnings = [] }: Answer) => warnings.length > 0);
        return warned.length > 0 ? [] : ['No trial tells that its call was made twice.'];
      },
    },
    {
      name: 'a model that never answers',
      limits: { trialTimeoutMs: 1500 },
      cases: [weatherCase(['hang'])],
      expected: { verdict: 'inconclusive', trials: [timedOut({ rows: stopped })] },
    },
    {
      name: 'a server that never answers the handshake within the time of the trial',
      servers: { A: weather({ answers: { initialize: silence, 'server/discover': silence } }) },
      limits: { trialTimeoutMs: 1500 },
      cases: [weatherCase([])],
      expected: { verdict: 'inconclusive', trials: [timedOut({ rows: stopped })] },
    },
    {
      name: 'a result of more bytes than are read of one message',
      servers: { A: weather({ weather: says(large) }) },
      cases: [weatherCase()],
      expected: {
        verdict: 'inconclusive',
        trials: [
          setUpFailed({
            says: [/more than 4\.0 MiB in one message, the limit of Proofmark/],
            next: [/Raise `maxMessageMiB`/, /nothing about the server/],
          }),
        ],
      },
    },
    {
      name: 'a result of more bytes than usual, of a server that may send them',
      servers: { A: weather({ weather: says(large), saved: { maxMessageMiB: 8 } }) },
      cases: [weatherCase()],
      expected: { verdict: 'passed', trials: [passed()] },
      // The answers of this server exceed the size limit of a recording, so the trial is not
      // recorded.
      replayed: /This run has no recorded trials/,
    },
    {
      name: 'a result that is nested deeper than is read',
      servers: { A: weather({ weather: { ...says('Sunny.'), structuredContent: { deep } } }) },
      cases: [weatherCase()],
      expected: {
        verdict: 'inconclusive',
        trials: [setUpFailed({ says: [/nested more than 128 levels deep/] })],
      },
    },
    {
      name: 'a widget without a renderer',
      cases: [
        {
          title: 'Widget',
          steps: [
            ask,
            {
              id: 'seen',
              kind: 'assert',
              assertion: { kind: 'textVisible', toolName: 'weather', text: 'Rome' },
            },
          ],
          says: [sunny],
        },
      ],
      expected: {
        verdict: 'inconclusive',
        trials: [setUpFailed({ says: [/needs a widget to be rendered/] })],
      },
    },
    {
      name: 'a step that names a server the run does not have',
      cases: [
        {
          title: 'Pinned',
          steps: [
            {
              id: 'call',
              kind: 'toolCall',
              serverName: 'Nobody',
              toolName: 'weather',
              arguments: {},
            },
            { id: 'check', kind: 'assert', assertion: { type: 'noToolErrors' } },
          ],
        },
      ],
      expected: { verdict: 'inconclusive', trials: [setUpFailed({ says: [/Nobody/] })] },
    },
    {
      name: 'the next action of a set-up names its cause',
      cases: [weatherCase([{ status: 500 }])],
      expected: {
        verdict: 'inconclusive',
        trials: [
          {
            status: 'failed',
            result: null,
            category: 'setup',
            next: [/provider/i, /key/i],
          },
        ],
      },
    },
    {
      name: 'trials are numbered inside their case',
      cases: [
        promptCase('Say sunny.', [contains('sunny')], [sunny], { title: 'One', runs: 2 }),
        promptCase('Say it is sunny.', [contains('sunny')], [sunny], { title: 'Two', runs: 2 }),
      ],
      expected: { verdict: 'passed', trials: [passed({ times: 4 })] },
      also: ({ trials }) => {
        const numbers = trials
          .map(({ title, iterationNumber }) => `${title} ${iterationNumber}`)
          .sort()
          .join(', ');
        return numbers === 'One 1, One 2, Two 1, Two 2' ? [] : [`The trials are ${numbers}.`];
      },
    },
    {
      name: 'chains carry the second version of the analyzer',
      cases: [{ title: 'Weather', steps: [ask, expectWeather], says: [weatherOfRome, sunny] }],
      expected: { verdict: 'passed', trials: [passed()] },
      also: ({ trials }) =>
        trials[0].stageAnalyzerVersion === 2 ? [] : [`It is ${trials[0].stageAnalyzerVersion}.`],
    },
    {
      name: 'two turns are measured together',
      cases: [
        {
          title: 'Turns',
          steps: [
            { id: 'one', kind: 'prompt', prompt: 'First, the time.' },
            { id: 'has-clock', kind: 'assert', assertion: called('clock') },
            { id: 'two', kind: 'prompt', prompt: 'Then, the weather.' },
            { id: 'has-weather', kind: 'assert', assertion: called('weather') },
          ],
          says: [
            calls(['clock', {}]),
            { text: 'Noon.' },
            calls(['weather', { city: 'Rome' }]),
            sunny,
          ],
        },
      ],
      expected: { verdict: 'passed', trials: [passed()] },
    },
  ],
};
