/**
 * The client capabilities that Proofmark declares must work: servers get answers to requests to the
 * model or the user, and tools that are tasks are called as tasks.
 */
import {
  answerAsResult,
  startAskingServer,
} from '@proofmark/harness/mcp-servers/start-asking-server.ts';
import { called, calls, contains, promptCase, sunny } from '../cases.ts';
import { passed, setUpFailed } from '../expectations.ts';
import type { Line } from '../lines.ts';
import { everything } from '../servers/real-servers.ts';
import { sdk } from '../servers/sdk-server.ts';
import { stdio } from '../servers/stdio-servers.ts';
import type { RunSituation, SeenRun, ServerStart, Theme } from '../situation.ts';

const able = { clientCapabilities: { sampling: {}, elicitation: { form: {} } } };
const expected = {
  verdict: 'passed' as const,
  trials: [passed({ rows: { response: 'observed' } })],
};
const sampled: Line = {
  text: 'Paris, of course.',
  usage: { prompt_tokens: 700, completion_tokens: 7, total_tokens: 707 },
};

function asks(
  what: string,
  A: ServerStart,
  tool: string,
  needle: string,
  more: {
    input?: object;
    test?: object;
    client?: object;
    slow?: true;
    also?: RunSituation['also'];
  } = {},
): RunSituation {
  const { input = {}, test = {}, client = able, slow, also } = more;
  return {
    name: what,
    servers: { A },
    client,
    expected,
    ...(slow && { slow }),
    ...(also && { also }),
    cases: [
      promptCase(
        'Please do it.',
        [called(tool), contains(needle)],
        [calls([tool, input]), { echo: true }],
        {
          sampled,
          ...test,
        },
      ),
    ],
  };
}

const inTrace =
  (words: RegExp) =>
  async ({ trials, trace }: SeenRun) =>
    words.test(JSON.stringify(await trace(trials[0]))) ? [] : [`The trace does not say ${words}.`];

const accept = (name: unknown) => [{ action: 'accept', content: { name } }];

/** Its tool succeeds only if the client accepts to open the address. */
const asksUrl: ServerStart = () =>
  startAskingServer({
    ask: async (ask) => {
      const answer = await ask('elicitation/create', {
        mode: 'url',
        message: 'Sign in.',
        url: 'https://one.example/sign-in?token=a-secret',
        elicitationId: 'one',
      });
      const { action } = (answer['result'] ?? {}) as { action?: string };
      const text = JSON.stringify(answer['result'] ?? answer['error']);
      return { content: [{ type: 'text', text }], ...(action !== 'accept' && { isError: true }) };
    },
  });

export const askingBack: Theme = {
  theme: 'servers that ask back',
  situations: [
    asks(
      'sampling of server-everything is answered by the model of the trial',
      everything(),
      'trigger-sampling-request',
      'Paris, of course.',
      {
        input: { prompt: 'Which city?' },
        also: inTrace(/sampling/),
      },
    ),
    asks(
      'sampling over SSE is answered',
      everything('sse'),
      'trigger-sampling-request',
      'Paris, of course.',
      {
        input: { prompt: 'Which city?' },
      },
    ),
    asks(
      'sampling over standard input and output is answered',
      stdio('everything'),
      'trigger-sampling-request',
      'Paris, of course.',
      {
        input: { prompt: 'Which city?' },
      },
    ),
    asks(
      'a template that declares sampling has it',
      everything(),
      'trigger-sampling-request',
      'Paris, of course.',
      {
        input: { prompt: 'Which city?' },
        client: { template: 'vscode' },
      },
    ),
    asks('four questions of one call are answered', sdk(), 'ask-model', '4 of 4 were answered', {
      input: { times: 4 },
    }),
    asks('a fifth question of one call is refused', sdk(), 'ask-model', '4 of 5 were answered', {
      input: { times: 5 },
    }),
    asks('tokens of sampling are counted apart', sdk(), 'ask-model', '1 of 1 were answered', {
      input: { times: 1 },
      also: ({ trials }) =>
        trials[0].tokensUsed < 700 ? [] : [`The trial used ${trials[0].tokensUsed} tokens.`],
    }),
    asks('elicitation is answered as the case says', sdk(), 'ask-name', 'You accept: Ada.', {
      test: { elicitations: accept('Ada') },
      also: inTrace(/elicitation/),
    }),
    asks('elicitation is declined as the case says', sdk(), 'ask-name', 'You decline', {
      test: { elicitations: [{ action: 'decline' }] },
    }),
    asks('elicitation is cancelled as the case says', sdk(), 'ask-name', 'You cancel', {
      test: { elicitations: [{ action: 'cancel' }] },
    }),
    asks('elicitation that nobody thought of is declined', sdk(), 'ask-name', 'You decline'),
    asks(
      'an answer that breaks the schema that was asked for is declined',
      sdk(),
      'ask-name',
      'You decline',
      {
        test: { elicitations: accept(7) },
      },
    ),
    asks('an answer to another question is not given', sdk(), 'ask-name', 'You decline', {
      test: { elicitations: [{ message: 'How old are you?', ...accept('Ada')[0] }] },
    }),
    asks('an answer is found by its question', sdk(), 'ask-name', 'You accept: Ada.', {
      test: {
        elicitations: [
          { message: 'How old are you?', action: 'decline' },
          { message: 'What is your name?', ...accept('Ada')[0] },
        ],
      },
    }),
    asks(
      'elicitation of server-everything is answered',
      everything(),
      'trigger-elicitation-request',
      'Name: Ada',
      {
        test: { elicitations: accept('Ada') },
      },
    ),
    {
      name: 'a pinned call is answered by the elicitations of its step',
      servers: { A: sdk() },
      client: able,
      cases: [
        {
          title: 'Pinned',
          steps: [
            {
              id: 'call',
              kind: 'toolCall',
              serverName: '@A',
              toolName: 'ask-name',
              arguments: {},
              elicitations: accept('Grace'),
            },
            { id: 'check', kind: 'assert', assertion: { type: 'noToolErrors' } },
          ],
        },
      ],
      expected: { verdict: 'passed', trials: [passed()] },
      also: inTrace(/You accept: Grace/),
    },
    ...(['accept', 'decline', 'cancel'] as const).map((action) =>
      asks(
        `elicitation by URL of the published SDK: the case says ${action}`,
        sdk(),
        'sign-in',
        `You ${action}.`,
        {
          test: { elicitations: [{ mode: 'url', url: 'one.example', action }] },
          also: inTrace(/"url":"https:\/\/one\.example\/"/),
        },
      ),
    ),
    asks(
      'elicitation by URL: the trace does not tell the query of the address',
      asksUrl,
      'ask',
      'accept',
      {
        test: { elicitations: [{ mode: 'url', action: 'accept' }] },
        also: async ({ trials, trace }) =>
          JSON.stringify((await trace(trials[0])).serverRequests).includes('a-secret')
            ? ['The trace tells the query.']
            : [],
      },
    ),
    {
      name: 'elicitation by URL to which the case has no answer, though it has one to another',
      servers: { A: asksUrl },
      client: able,
      cases: [
        promptCase('Please do it.', [called('ask')], [calls(['ask', {}]), sunny], {
          elicitations: [{ mode: 'url', url: 'two.example', action: 'accept' }],
        }),
      ],
      expected: {
        verdict: 'inconclusive',
        trials: [setUpFailed({ says: [/the case has no answer/], next: [/`mode: url`/] })],
      },
    },
    asks('a tool that runs as a task only is called as one', sdk(), 'brew', 'The tea is ready.'),
    asks(
      'a research task of server-everything is waited for',
      everything(),
      'simulate-research-query',
      'Research Report',
      {
        input: { topic: 'tea' },
      },
    ),
    ...[
      ['roots', 'show-roots', /needs roots of its client/, /declare what the tool needs/] as const,
      ['elicitation by URL', 'sign-in', /elicitation by URL/, /`mode: url`/] as const,
    ].map(([ability, tool, says, next]) => ({
      name: `a tool of the published SDK that needs ${ability} of a client that does not declare it`,
      servers: { A: sdk() },
      cases: [promptCase('Please do it.', [called(tool)], [calls([tool, {}]), sunny])],
      expected: {
        verdict: 'inconclusive' as const,
        trials: [setUpFailed({ says: [says], next: [next] })],
      },
    })),
    ...[
      ['roots', 'roots/list', {}] as const,
      [
        'elicitation by URL',
        'elicitation/create',
        { mode: 'url', message: 'Go.', url: 'a:b' },
      ] as const,
    ].map(([ability, method, params]) => ({
      name: `a tool that asks for ${ability} though it is not declared, and fails when it is refused`,
      servers: {
        A: (() =>
          startAskingServer({
            ask: async (ask) => answerAsResult(await ask(method, params)),
          })) as ServerStart,
      },
      cases: [promptCase('Please do it.', [called('ask')], [calls(['ask', {}]), sunny])],
      expected: { verdict: 'inconclusive' as const, trials: [setUpFailed()] },
    })),
    {
      name: 'tools that need what a client does not declare are not offered by server-everything',
      servers: { A: everything() },
      client: { clientCapabilities: {} },
      cases: [
        promptCase(
          'Ask a model.',
          [contains('sunny')],
          [calls(['trigger-sampling-request', { prompt: 'x' }]), sunny],
        ),
      ],
      // The model requested a tool that the server did not offer, so the server is not at fault.
      expected: { verdict: 'passed', trials: [passed()] },
    },
  ],
};
