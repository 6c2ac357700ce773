/** Results that break their tool's own output schema, errors that count and errors that do not. */
import { called, calls, contains, promptCase, sunny, weatherOfRome } from '../cases.ts';
import { failed, passed, passedDespite } from '../expectations.ts';
import { everything, fastmcp } from '../servers/real-servers.ts';
import { sdk } from '../servers/sdk-server.ts';
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
      passedDespite('response', 'toolError', 'serverData'),
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
      passedDespite('response', 'toolError', 'serverData'),
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
      passedDespite('response', 'toolError', 'serverData'),
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
