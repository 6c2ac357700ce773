/**
 * Arguments that break the tool's own schema are a failure of the model. A server that rejects them
 * is not at fault.
 */
import type { FakeAnswer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { called, calledWith, calls, contains, promptCase, sunny, weatherOfRome } from '../cases.ts';
import { failed, passed } from '../expectations.ts';
import { everything, fastmcp } from '../servers/real-servers.ts';
import { sdk } from '../servers/sdk-server.ts';
import { error, first, isError, weather, sunny as well } from '../servers/weather-server.ts';
import type {
  Answer,
  ExpectedTrial,
  RunSituation,
  SeenRun,
  ServerStart,
  Theme,
} from '../situation.ts';

const strict = {
  name: 'weather',
  description: 'The weather in a city.',
  inputSchema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer', minimum: 1 } },
    required: ['city'],
    additionalProperties: false,
  },
};
const server = (answer: FakeAnswer, inputSchema: object = strict.inputSchema) =>
  weather({ weather: answer, tools: [{ ...strict, inputSchema }] });
const wrongCity = calls(['weather', { town: 'Rome' }]);
const blamesModel = (more: Partial<ExpectedTrial> = {}) =>
  failed('call', 'argumentMismatch', 'arguments', {
    rows: { selection: 'observed', response: 'earlierStageFailed' },
    ...more,
  });

const callRow = ({ trials }: SeenRun) =>
  trials[0].stageResults.find(({ stage }: Answer) => stage === 'call');
const namesSpan = (seen: SeenRun) =>
  callRow(seen).evidence?.spanIds?.length > 0 ? [] : ['The row names no span.'];

function row(
  what: string,
  A: ServerStart,
  says: Parameters<typeof promptCase>[2],
  trial: ExpectedTrial,
  more: Partial<RunSituation> = {},
): RunSituation {
  const cases = [
    promptCase('What is the weather in Rome?', [called('weather'), contains('sunny')], says),
  ];
  const verdict = trial.result === 'passed' ? 'passed' : 'failed';
  return { name: what, servers: { A }, cases, expected: { verdict, trials: [trial] }, ...more };
}

const onServer = (
  what: string,
  A: ServerStart,
  call: [string, unknown],
  says: RegExp,
): RunSituation => ({
  name: what,
  servers: { A },
  cases: [promptCase('Do it.', [called(call[0])], [calls(call), sunny])],
  expected: { verdict: 'failed', trials: [blamesModel({ says: [says] })] },
  also: namesSpan,
});

const unreadable = {
  'of an unknown type': { type: 'object', properties: { city: { type: 'strnig' } } },
  'with a reference to nowhere': {
    type: 'object',
    properties: { city: { $ref: '#/$defs/nowhere' } },
    required: ['city'],
  },
  'with a reference to another house': {
    type: 'object',
    properties: { city: { $ref: 'https://schemas.example/city.json' } },
  },
};

export const argumentRows: Theme = {
  theme: 'arguments of the model',
  situations: [
    row(
      'a missing argument is answered with isError',
      server(isError('city is missing.')),
      [wrongCity, sunny],
      blamesModel({ says: [/city/] }),
      {
        also: namesSpan,
      },
    ),
    row(
      'a missing argument is answered with -32602',
      server(error(-32_602, 'Invalid arguments.')),
      [wrongCity, sunny],
      blamesModel({ says: [/city/] }),
      {
        also: namesSpan,
      },
    ),
    row(
      'a missing argument is answered with -32603',
      server(error(-32_603)),
      [wrongCity, sunny],
      blamesModel(),
    ),
    row('a missing argument is answered well', server(well), [wrongCity, sunny], passed()),
    row(
      'an argument of the wrong type is answered with isError',
      server(isError('No.')),
      [calls(['weather', { city: 7 }]), sunny],
      blamesModel({ says: [/city/, /string/] }),
    ),
    row(
      'an argument too many is answered with isError',
      server(isError('No.')),
      [calls(['weather', { city: 'Rome', when: 'now' }]), sunny],
      blamesModel({ says: [/when|additional/i] }),
    ),
    row(
      'the model corrects its arguments after isError',
      server(first(1, isError('city is missing.'))),
      [wrongCity, weatherOfRome, sunny],
      blamesModel(),
    ),
    row(
      'right arguments are answered with isError',
      server(isError('The station is closed.')),
      [weatherOfRome, sunny],
      failed('response', 'toolError', 'serverData', { says: [/station is closed/] }),
    ),
    row(
      'right arguments are answered with -32602',
      server(error(-32_602, 'Invalid arguments.')),
      [weatherOfRome, sunny],
      failed('call', 'protocolError', 'serverData'),
    ),
    row(
      'wrong arguments are answered well and right ones with isError',
      server(first(1, well, isError('The station is closed.'))),
      [wrongCity, weatherOfRome, sunny],
      failed('response', 'toolError', 'serverData'),
    ),
    ...Object.entries(unreadable).map(([what, schema]) =>
      row(
        `a schema ${what} proves nothing`,
        server(isError('No.'), schema),
        [calls(['weather', { city: 7 }]), sunny],
        failed('response', 'toolError', 'serverData'),
      ),
    ),
    {
      name: 'arguments that fit the schema and not the case',
      servers: { A: server(well) },
      cases: [
        promptCase(
          'What is the weather in Rome?',
          [calledWith('weather', { city: 'Rome' })],
          [calls(['weather', { city: 'Oslo' }]), sunny],
        ),
      ],
      expected: { verdict: 'failed', trials: [failed('call', 'argumentMismatch', 'arguments')] },
      also: namesSpan,
    },
    {
      name: 'wrong arguments that do not count are still told',
      servers: { A: server(isError('city is missing.')) },
      cases: [
        promptCase(
          'What is the weather in Rome?',
          [called('weather'), contains('sunny')],
          [wrongCity, sunny],
          {
            failOnToolError: false,
          },
        ),
      ],
      expected: {
        verdict: 'passed',
        trials: [{ ...passed(), stage: 'call', reason: 'argumentMismatch', category: 'arguments' }],
      },
    },
    onServer(
      'server-everything refuses a text for a number',
      everything(),
      ['get-sum', { a: 'two', b: 3 }],
      /\ba\b/,
    ),
    onServer(
      'server-everything refuses a city it does not list',
      everything(),
      ['get-structured-content', { location: 'Rome' }],
      /location/,
    ),
    onServer('a server of the 1.x SDK refuses a missing argument', sdk(), ['weather', {}], /city/),
    onServer(
      'a server of the 1.x SDK over SSE refuses a missing argument',
      sdk('sse'),
      ['weather', {}],
      /city/,
    ),
    onServer('a FastMCP server refuses a missing argument', fastmcp(), ['weather', {}], /city/),
  ],
};
