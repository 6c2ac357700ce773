/**
 * What our MCP client does in the client scenarios of the public conformance suite. The service
 * never opens a browser: people import tokens that they obtained elsewhere, and the service finds
 * the issuer, renews the tokens and sends them. So checks of client registration and of the
 * authorization request do not apply.
 */
export interface ClientScenario {
  /** The behaviour of the client; absent if the scenario does not apply. */
  readonly plan?: Plan;
  /** Checks of a step that this service never performs. */
  readonly notOurs?: readonly string[];
  /** Checks that this service fails on purpose or does not pass yet; the note states why. */
  readonly known?: readonly string[];
  readonly note: string;
}

export interface Plan {
  /** Expired tokens are imported first, so that they must be renewed. */
  readonly imports?: { readonly clientSecret?: 'any' | 'given' };
  readonly importIsRefused?: boolean;
  readonly actions?: readonly Action[];
  /** Calls that a trial makes, whose answers to the server's questions its case states. */
  readonly trial?: {
    /** `named`: those that the scenario names, with its arguments. */
    readonly calls: readonly Call[] | 'named';
    readonly elicitations: readonly object[];
  };
}

export interface Call {
  readonly toolName: string;
  readonly parameters?: object;
}

export type Action =
  | 'validate'
  | 'tools'
  | 'prompts'
  | 'resources'
  /** Calls every tool that the service lists. */
  | 'callListed'
  /** Sends the input schema of the listed tool to the other tool, which takes schemas. */
  | 'echoSchema'
  | { readonly call: Call }
  | { readonly prompt: string }
  | { readonly firstResource: true };

const browserSteps = [
  'client-registration',
  'authorization-request',
  'resource-parameter-in-authorization',
];
const callsTestTool: readonly Action[] = ['validate', 'tools', { call: { toolName: 'test-tool' } }];
const discovers = 'Discovery of the issuer at the import, and renewal there.';
const confirmed = { action: 'accept', content: { confirmed: true } };

const ofProtocol: Readonly<Record<string, ClientScenario>> = {
  initialize: { plan: { actions: ['validate'] }, note: 'Through `validate`.' },
  tools_call: {
    plan: {
      actions: [
        'validate',
        'tools',
        { call: { toolName: 'add_numbers', parameters: { a: 5, b: 3 } } },
      ],
    },
    note: 'Through `tools` and `tools/call`.',
  },
  'sse-retry': {
    plan: { actions: ['validate', 'tools', { call: { toolName: 'test_reconnection' } }] },
    note: 'Through `tools/call`.',
  },
  'elicitation-sep1034-client-defaults': {
    plan: {
      trial: {
        calls: [{ toolName: 'test_client_elicitation_defaults' }],
        elicitations: [
          {
            action: 'accept',
            content: {
              name: 'John Doe',
              age: 30,
              score: 95.5,
              status: 'active',
              verified: true,
            },
          },
        ],
      },
    },
    note: 'In a trial, whose case states the answer: nobody fills in a form, so the case has the defaults.',
  },
  'request-metadata': {
    plan: { actions: ['validate'] },
    note: 'Through `validate`.',
  },
  'sep-2322-client-request-state': {
    plan: {
      trial: {
        calls: [
          'test_mrtr_echo_state',
          'test_mrtr_no_state',
          'test_mrtr_unrelated',
          'test_mrtr_no_result_type',
        ].map((toolName) => ({ toolName })),
        elicitations: [confirmed, confirmed],
      },
    },
    note: 'In a trial, whose case answers the questions.',
  },
  'http-standard-headers': {
    plan: {
      actions: [
        'validate',
        'tools',
        { call: { toolName: 'test_headers' } },
        { call: { toolName: 'my-hyphenated-tool' } },
        'prompts',
        { prompt: 'test_prompt' },
        'resources',
        { firstResource: true },
      ],
    },
    note: 'Through the diagnostics of tools, prompts and resources.',
  },
  'http-custom-headers': {
    plan: { trial: { calls: 'named', elicitations: [] } },
    note: 'In a trial, which knows the tools before it calls one.',
  },
  'http-invalid-tool-headers': {
    plan: { actions: ['validate', 'tools', 'callListed'] },
    note: 'Every listed tool is called.',
  },
  'json-schema-ref-no-deref': {
    plan: { actions: ['validate', 'tools'] },
    note: 'Through `tools`.',
  },
  'json-schema-2020-12-preservation': {
    plan: { actions: ['validate', 'tools', 'echoSchema'] },
    note: 'The schema that `tools` answers is sent back.',
  },
};

const ofAuthorization: Readonly<Record<string, ClientScenario>> = {
  ...Object.fromEntries(
    ['default', 'var1'].map((variant) => [
      `auth/metadata-${variant}`,
      { plan: { imports: {}, actions: callsTestTool }, notOurs: browserSteps, note: discovers },
    ]),
  ),
  ...Object.fromEntries(
    ['var2', 'var3'].map((variant) => [
      `auth/metadata-${variant}`,
      { plan: { imports: {}, actions: callsTestTool }, notOurs: browserSteps, note: discovers },
    ]),
  ),
  'auth/2025-03-26-oauth-metadata-backcompat': {
    plan: { imports: {}, actions: callsTestTool },
    notOurs: browserSteps,
    note: 'A server without metadata of its own is its own issuer.',
  },
  'auth/token-endpoint-auth-basic': {
    plan: { imports: { clientSecret: 'any' }, actions: callsTestTool },
    notOurs: ['resource-parameter-in-authorization'],
    note: 'How the client proves itself when it renews.',
  },
  'auth/token-endpoint-auth-post': {
    plan: { imports: { clientSecret: 'any' }, actions: callsTestTool },
    notOurs: ['resource-parameter-in-authorization'],
    note: 'The same, in the body.',
  },
  'auth/token-endpoint-auth-none': {
    plan: { imports: {}, actions: callsTestTool },
    notOurs: ['resource-parameter-in-authorization'],
    note: 'The same, for a public client.',
  },
  'auth/pre-registration': {
    plan: { imports: { clientSecret: 'given' }, actions: callsTestTool },
    note: 'A client that was registered beforehand.',
  },
  'auth/resource-mismatch': {
    plan: { imports: {}, importIsRefused: true },
    note: 'The import is refused and nothing is sent to the issuer.',
  },
  'auth/metadata-issuer-mismatch': {
    plan: { imports: {}, importIsRefused: true },
    note: 'The import is refused and nothing is sent to the issuer.',
  },
};

const aboutRequests =
  'Missing: it is about the authorization request, which Proofmark never makes; tokens are imported.';

const missing: Readonly<Record<string, string>> = {
  'auth/basic-cimd': 'Missing: it is about how a client registers itself; tokens are imported.',
  'auth/scope-step-up':
    'Missing: it needs a second authorization request; 403 is answered with FORBIDDEN instead.',
  'auth/scope-retry-limit':
    'Missing: it counts authorization requests, of which there are none; a 403 is not tried again.',
  'auth/authorization-server-migration':
    'Missing: a new issuer needs a new authorization request; tokens of the old one are imported again.',
  'auth/client-credentials-jwt':
    'Missing: the service obtains no first token by itself; tokens are imported.',
  'auth/client-credentials-basic':
    'Missing: the service obtains no first token by itself; tokens are imported.',
  'auth/enterprise-managed-authorization':
    'Missing: the service exchanges no identity token; tokens are imported.',
  'auth/wif-jwt-bearer': 'Missing: the service exchanges no workload token; tokens are imported.',
  'auth/dpop': 'Missing: tokens are sent as bearer tokens, without a proof of possession.',
  'auth/dpop-nonce': 'Missing: tokens are sent as bearer tokens, without a proof of possession.',
};

export function clientScenario(name: string): ClientScenario {
  const known = ofProtocol[name] ?? ofAuthorization[name];
  if (known !== undefined) return known;
  if (!name.startsWith('auth/')) throw new Error(`There is no plan for the scenario ${name}.`);
  return { note: missing[name] ?? aboutRequests };
}

export interface ServerScenario {
  readonly note: string;
  /** Checks of what our server does not have; the note states why. */
  readonly notOurs?: readonly string[];
}

/**
 * The server scenarios that a server can pass without the tools, prompts and resources of the
 * suite's example. Our own server has tools only, and none of those.
 */
export const ownServerScenarios: Readonly<Record<string, ServerScenario>> = {
  'server-initialize': { note: 'The handshake.' },
  ping: { note: '' },
  'tools-list': { note: '' },
  'dns-rebinding-protection': { note: 'Forged Host headers are refused.' },
  'server-stateless': {
    note: 'Requests without a session. Checks that need tools of the example are left out, and those of subscriptions, which are refused on purpose: the list of tools never changes.',
    notOurs: [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
      'sep-2575-server-sends-subscription-ack',
      'sep-2575-server-tags-subscription-id',
    ],
  },
  'server-session-lifecycle': { note: '' },
  'server-sse-multiple-streams': { note: '' },
  caching: {
    note: 'The list of tools states how long it holds. There are no prompts and resources.',
    notOurs: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
  },
  'http-header-validation': { note: '' },
};
