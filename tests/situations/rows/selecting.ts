import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import {
  called,
  calls,
  contains,
  promptCase,
  sunny,
  weatherCase,
  weatherOfRome,
} from '../cases.ts';
import { failed, passed } from '../expectations.ts';
import { error, isError, says, weather } from '../servers/weather-server.ts';
import type { Answer, ExpectedTrial, RunSituation, SeenRun, Theme } from '../situation.ts';

const firstWas = (toolName: string) => ({ type: 'firstToolWas', toolName });
const only = (...toolNames: string[]) => ({ type: 'onlyToolsCalled', toolNames });
const never = (toolName: string) => ({ type: 'toolNeverCalled', toolName });
const clock = calls(['clock', {}]);

function row(
  what: string,
  assertion: object,
  lines: Parameters<typeof promptCase>[2],
  trial: ExpectedTrial,
  more: { answer?: FakeAnswer; test?: object; also?: RunSituation['also'] } = {},
): RunSituation {
  const { answer, test = {}, also } = more;
  return {
    name: what,
    servers: { A: weather(answer === undefined ? {} : { weather: answer }) },
    cases: [promptCase('What is the weather in Rome?', [assertion], lines, test)],
    expected: { verdict: trial.result === 'passed' ? 'passed' : 'failed', trials: [trial] },
    ...(also && { also }),
  };
}

const whole = { rows: { selection: 'observed', call: 'observed', response: 'observed' } } as const;
const unexpected = (more = {}) => failed('selection', 'unexpectedToolCall', 'selection', more);
const missing = (more = {}) => failed('selection', 'missingToolCall', 'selection', more);
const protocol = failed('call', 'protocolError', 'serverData');
const toolError = failed('response', 'toolError', 'serverData');
const broken = { answer: error(-32_603) };
const unwell = { answer: isError('Closed.') };
const namesSpan = ({ trials }: SeenRun) => {
  const found = trials[0].stageResults.find(({ state }: Answer) => state === 'failed');
  return found?.evidence?.spanIds?.length > 0 ? [] : ['The row names no span.'];
};

const negative = (
  what: string,
  lines: Parameters<typeof promptCase>[2],
  trial: ExpectedTrial,
): RunSituation => ({
  name: what,
  cases: [promptCase('Just say hello.', [], lines, { isNegativeTest: true })],
  expected: { verdict: trial.result === 'passed' ? 'passed' : 'failed', trials: [trial] },
});

const houses = {
  A: weather({ weather: says('Sunny, says A.') }),
  B: weather({ weather: says('Sunny, says B.') }),
};
const two = (
  what: string,
  assertions: object[],
  from: 'A' | 'B',
  trial: ExpectedTrial,
): RunSituation => ({
  name: what,
  servers: houses,
  cases: [
    promptCase('The weather?', assertions, [
      calls([`${from}:weather`, { city: 'Rome' }]),
      { echo: true },
    ]),
  ],
  expected: { verdict: trial.result === 'passed' ? 'passed' : 'failed', trials: [trial] },
});

export const selecting: Theme = {
  theme: 'choice of tools',
  situations: [
    {
      name: 'everything holds',
      cases: [weatherCase()],
      expected: { verdict: 'passed', trials: [passed(whole)] },
    },
    row(
      'toolCalledAtLeastOnce holds and measures call and response',
      called('weather'),
      [weatherOfRome, sunny],
      passed(whole),
    ),
    row('toolCalledAtLeastOnce misses its call', called('weather'), [sunny], missing()),
    row(
      'toolCalledAtLeastOnce and an error of the protocol',
      called('weather'),
      [weatherOfRome, sunny],
      protocol,
      broken,
    ),
    row(
      'toolCalledAtLeastOnce and isError',
      called('weather'),
      [weatherOfRome, sunny],
      toolError,
      unwell,
    ),
    row(
      'firstToolWas holds and measures call and response',
      firstWas('weather'),
      [weatherOfRome, sunny],
      passed(whole),
    ),
    row(
      'firstToolWas names the tool it wanted',
      firstWas('weather'),
      [clock, weatherOfRome, sunny],
      unexpected({ says: [/weather/, /clock/] }),
      { also: namesSpan },
    ),
    row(
      'firstToolWas without any call',
      firstWas('weather'),
      [sunny],
      unexpected({ says: [/weather/] }),
    ),
    row(
      'firstToolWas and an error of the protocol',
      firstWas('weather'),
      [weatherOfRome, sunny],
      protocol,
      broken,
    ),
    row('firstToolWas and isError', firstWas('weather'), [weatherOfRome, sunny], toolError, unwell),
    row(
      'onlyToolsCalled holds',
      only('weather'),
      [weatherOfRome, sunny],
      passed({ rows: { selection: 'observed', call: 'notAuthored' } }),
    ),
    row(
      'onlyToolsCalled sees another tool',
      only('weather'),
      [weatherOfRome, clock, sunny],
      unexpected({ says: [/clock/] }),
      {
        also: namesSpan,
      },
    ),
    row('onlyToolsCalled of none sees a tool', only(), [clock, sunny], unexpected()),
    row(
      'toolNeverCalled holds',
      never('weather'),
      [clock, sunny],
      passed({ rows: { selection: 'observed', call: 'notAuthored' } }),
    ),
    row(
      'toolNeverCalled sees its tool',
      never('weather'),
      [weatherOfRome, sunny],
      unexpected({ says: [/weather/] }),
      { also: namesSpan },
    ),
    row(
      'toolNeverCalled and isError of another tool of the server',
      never('clock'),
      [weatherOfRome, sunny],
      toolError,
      unwell,
    ),
    {
      name: 'one call too many where none is allowed',
      cases: [
        weatherCase([calls(['weather', { city: 'Rome' }], ['clock', {}]), sunny], {
          matchOptions: { extraToolCalls: 0 },
        }),
      ],
      expected: { verdict: 'failed', trials: [unexpected()] },
      also: namesSpan,
    },
    {
      name: 'a call too many that is tolerated',
      cases: [weatherCase([calls(['weather', { city: 'Rome' }], ['clock', {}]), sunny])],
      expected: { verdict: 'passed', trials: [passed(whole)] },
    },
    {
      name: 'a tool that nobody offers is called',
      cases: [weatherCase([calls(['wether', { city: 'Rome' }]), sunny])],
      expected: { verdict: 'failed', trials: [missing()] },
    },
    {
      name: 'the answer does not say what it should',
      cases: [weatherCase([weatherOfRome, { text: 'It rains.' }])],
      expected: {
        verdict: 'failed',
        trials: [failed('userValue', 'predicateFailed', 'userValue', whole)],
      },
    },
    negative(
      'a negative case in which nothing is called',
      [{ text: 'Hello.' }],
      passed({ rows: { selection: 'observed', call: 'observed' } }),
    ),
    {
      ...negative(
        'a negative case in which a tool is called',
        [clock, { text: 'Hello.' }],
        unexpected(),
      ),
      also: namesSpan,
    },
    negative(
      'a negative case in which a tool that nobody offers is called',
      [calls(['wether', {}]), { text: 'Hello.' }],
      unexpected(),
    ),
    two(
      'the tool of the named server is called',
      [{ ...called('weather'), serverName: '@A' }],
      'A',
      passed(),
    ),
    two(
      'the tool of another server does not pass for it',
      [{ ...called('weather'), serverName: '@A' }],
      'B',
      missing(),
    ),
    two(
      'toolCalledWith names the server',
      [
        {
          type: 'toolCalledWith',
          toolName: 'weather',
          serverName: '@B',
          args: { args: { city: 'Rome' } },
        },
      ],
      'B',
      passed(),
    ),
    two(
      'toolCalledWith of another server does not pass',
      [
        {
          type: 'toolCalledWith',
          toolName: 'weather',
          serverName: '@B',
          args: { args: { city: 'Rome' } },
        },
      ],
      'A',
      missing(),
    ),
    two(
      'toolNeverCalled of the other server holds',
      [{ ...never('weather'), serverName: '@A' }, contains('says B')],
      'B',
      passed(),
    ),
    two(
      'toolNeverCalled of this server does not hold',
      [{ ...never('weather'), serverName: '@B' }],
      'B',
      unexpected(),
    ),
    two(
      'firstToolWas of another server does not hold',
      [{ ...firstWas('weather'), serverName: '@A' }],
      'B',
      unexpected(),
    ),
    two('an assertion that names no server takes either', [called('weather')], 'B', passed()),
  ],
};
