import { called, calls, contains, promptCase, sunny, weatherOfRome } from '../cases.ts';
import { failed, passed, passedWithFailedStage } from '../expectations.ts';
import { everything, fastmcp } from '../servers/real-servers.ts';
import { sdk } from '../servers/sdk-server.ts';
import { stdio } from '../servers/stdio-servers.ts';
import { isError, says, weather } from '../servers/weather-server.ts';
import type { ExpectedTrial, RunSituation, Theme } from '../situation.ts';
import { images } from './images.ts';

const outputSchema = {
  type: 'object',
  properties: { degrees: { type: 'number' }, sky: { type: 'string' } },
  required: ['degrees'],
};
const tool = { name: 'weather', inputSchema: { type: 'object' } };

function promised(
  what: string,
  result: Record<string, unknown>,
  trial: ExpectedTrial,
  { schema = outputSchema as object, more = {} as object, assertions = [] as object[] } = {},
): RunSituation {
  return {
    name: what,
    servers: { A: weather({ weather: result, tools: [{ ...tool, outputSchema: schema }] }) },
    cases: [
      promptCase(
        'What is the weather in Rome?',
        [called('weather'), contains('sunny'), ...assertions],
        [weatherOfRome, sunny],
        more,
      ),
    ],
    expected: { verdict: trial.result === 'passed' ? 'passed' : 'failed', trials: [trial] },
  };
}

const structured = (structuredContent: object) => ({ ...says('It is sunny.'), structuredContent });
const toolError = (...words: RegExp[]) =>
  failed('response', 'toolError', 'serverData', { rows: { call: 'observed' }, says: words });

const errored = (
  what: string,
  trial: ExpectedTrial,
  assertions: object[],
  more: object = {},
): RunSituation => ({
  name: what,
  servers: { A: weather({ weather: isError('The station is closed.') }) },
  cases: [promptCase('What is the weather in Rome?', assertions, [weatherOfRome, sunny], more)],
  expected: { verdict: trial.result === 'passed' ? 'passed' : 'failed', trials: [trial] },
});

export const results: Theme = {
  theme: 'results of tools',
  situations: [
    ...[
      [
        'an error that is said as text',
        { ...says('It is sunny.'), isError: 'true' },
        /isError is neither true nor false/,
      ] as const,
      [
        'content of a type that nobody knows',
        { content: [{ type: 'video', data: 'aGk=' }] },
        /content\/0 is of a type that is not known/,
      ] as const,
    ].map(([what, result, words]) => ({
      name: `${what}, which the official clients refuse`,
      servers: { A: weather({ weather: result }) },
      cases: [
        promptCase('What is the weather in Rome?', [called('weather')], [weatherOfRome, sunny]),
      ],
      expected: {
        verdict: 'failed' as const,
        trials: [failed('call', 'protocolError', 'serverData', { says: [words] })],
      },
    })),
    {
      name: 'structured content without content is read, as by the official clients',
      servers: { A: weather({ weather: { structuredContent: { sky: 'sunny' } } }) },
      cases: [
        promptCase(
          'What is the weather in Rome?',
          [contains('sunny')],
          [weatherOfRome, { echo: true }],
        ),
      ],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    {
      name: 'a stdio server that writes notes between its messages passes, and the trial warns of it',
      servers: { A: stdio('writes-notes') },
      cases: [promptCase('Ping.', [contains('Pong 1.')], [calls(['ping', {}]), { echo: true }])],
      expected: { verdict: 'passed', trials: [passed()] },
      also: ({ trials }) => {
        const codes = (trials[0].warnings ?? []).map(({ code }: { code: string }) => code);
        return codes.join() === 'STDOUT_NOISE' ? [] : [`The trial warns of ${codes.join()}.`];
      },
    },
    promised('a result that keeps its schema', structured({ degrees: 21 }), passed()),
    promised('a result of the wrong type', structured({ degrees: 'hot' }), toolError(/degrees/)),
    promised('a result that lacks a field', structured({ sky: 'blue' }), toolError(/degrees/)),
    promised(
      'no structured content where a schema is declared',
      says('It is sunny.'),
      toolError(/structured/i),
    ),
    promised(
      'an error without structured content is that error',
      isError('The station is closed.'),
      toolError(/station is closed/),
    ),
    promised(
      'a result that breaks its schema passes where tool errors do not count',
      structured({ degrees: 'hot' }),
      passedWithFailedStage('response', 'toolError', 'serverData'),
      { more: { failOnToolError: false } },
    ),
    promised(
      'a result that breaks its schema is an error for noToolErrors',
      structured({ degrees: 'hot' }),
      failed('response', 'toolError', 'serverData'),
      { more: { failOnToolError: false }, assertions: [{ type: 'noToolErrors' }] },
    ),
    promised(
      'a schema of results that cannot be checked proves nothing',
      structured({ degrees: 'hot' }),
      passed(),
      {
        schema: { type: 'object', properties: { degrees: { type: 'nmuber' } } },
      },
    ),
    {
      name: 'structured content of server-everything keeps its schema',
      servers: { A: everything() },
      cases: [
        promptCase(
          'The weather in Chicago?',
          [called('get-structured-content')],
          [calls(['get-structured-content', { location: 'Chicago' }]), sunny],
        ),
      ],
      expected: {
        verdict: 'passed',
        trials: [passed({ rows: { call: 'observed', response: 'observed' } })],
      },
    },
    {
      name: 'structured content of a server of the 1.x SDK keeps its schema',
      servers: { A: sdk() },
      cases: [
        promptCase(
          'How warm is it?',
          [called('forecast'), contains('21')],
          [calls(['forecast', { city: 'Rome' }]), { echo: true }],
        ),
      ],
      expected: { verdict: 'passed', trials: [passed()] },
    },
    {
      name: 'an error of a FastMCP server is told in its words',
      servers: { A: fastmcp() },
      cases: [
        promptCase(
          'How is the tide?',
          [called('tide')],
          [calls(['tide', { harbour: 'Rome' }]), sunny],
        ),
      ],
      expected: { verdict: 'failed', trials: [toolError(/no such harbour/i)] },
    },
    errored('isError fails a trial', toolError(/station is closed/), [called('weather')]),
    errored(
      'isError does not count where the case says so',
      passedWithFailedStage('response', 'toolError', 'serverData'),
      [called('weather'), contains('sunny')],
      { failOnToolError: false },
    ),
    errored(
      'isError fails noToolErrors although it does not count by itself',
      failed('response', 'toolError', 'serverData'),
      [called('weather'), { type: 'noToolErrors' }],
      { failOnToolError: false },
    ),
    errored(
      'an advisory noToolErrors fails nothing',
      passedWithFailedStage('response', 'toolError', 'serverData'),
      [called('weather'), { type: 'noToolErrors', role: 'advisory' }],
      { failOnToolError: false },
    ),
    errored(
      'isError in a case that expects no call is still the response of a server',
      failed('response', 'toolError', 'serverData', { rows: { call: 'notAuthored' } }),
      [contains('sunny')],
    ),
    ...images,
  ],
};
