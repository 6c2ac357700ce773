/**
 * The scenarios and checks of the public conformance suite that apply to this service. The service
 * never opens a browser: people import tokens that they obtained elsewhere, and the service finds
 * the issuer, renews the tokens and sends them. So checks of client registration and of the
 * authorization request do not apply.
 */
export interface Scenario {
  readonly name: string;
  /** The behaviour of the client; absent if the scenario does not apply. */
  readonly plan?: Plan;
  /** Checks of a step that this service never performs. */
  readonly notOurs?: readonly string[];
  /** Checks that this service fails on purpose; the note states why. */
  readonly failedOnPurpose?: readonly string[];
  readonly note: string;
}

export interface Plan {
  /** Expired tokens are imported first, so that they must be renewed. */
  readonly imports?: { readonly clientSecret?: 'any' | 'given' };
  readonly importIsRefused?: boolean;
  readonly tool?: { readonly toolName: string; readonly parameters?: object };
}

const browserSteps = ['client-registration', 'authorization-request'];
const testTool = { toolName: 'test-tool' };
const discovers = 'Discovery of the issuer at the import, and renewal there.';

export const scenarios: readonly Scenario[] = [
  { name: 'initialize', plan: {}, note: 'Through `validate`.' },
  {
    name: 'tools_call',
    plan: { tool: { toolName: 'add_numbers', parameters: { a: 5, b: 3 } } },
    note: 'Through `tools` and `tools/call`.',
  },
  {
    name: 'sse-retry',
    plan: { tool: { toolName: 'test_reconnection' } },
    note: 'Through `tools/call`.',
  },
  ...['default', 'var1'].map((variant) => ({
    name: `auth/metadata-${variant}`,
    plan: { imports: {}, tool: testTool },
    notOurs: browserSteps,
    note: discovers,
  })),
  ...['var2', 'var3'].map((variant) => ({
    name: `auth/metadata-${variant}`,
    plan: { imports: {}, importIsRefused: true },
    notOurs: browserSteps,
    failedOnPurpose: ['token-request'],
    note: 'Discovery of an issuer with a path. The document found there names another issuer than the one that was asked for, which RFC 8414 forbids, so the import is refused and nothing is renewed.',
  })),
  {
    name: 'auth/2025-03-26-oauth-metadata-backcompat',
    plan: { imports: {}, tool: testTool },
    notOurs: browserSteps,
    note: 'A server without metadata of its own is its own issuer.',
  },
  {
    name: 'auth/token-endpoint-auth-basic',
    plan: { imports: { clientSecret: 'any' }, tool: testTool },
    notOurs: ['resource-parameter-in-authorization'],
    note: 'How the client proves itself when it renews.',
  },
  {
    name: 'auth/token-endpoint-auth-post',
    plan: { imports: { clientSecret: 'any' }, tool: testTool },
    notOurs: ['resource-parameter-in-authorization'],
    note: 'The same, in the body.',
  },
  {
    name: 'auth/token-endpoint-auth-none',
    plan: { imports: {}, tool: testTool },
    notOurs: ['resource-parameter-in-authorization'],
    note: 'The same, for a public client.',
  },
  {
    name: 'auth/pre-registration',
    plan: { imports: { clientSecret: 'given' }, tool: testTool },
    note: 'A client that was registered beforehand.',
  },
  {
    name: 'auth/resource-mismatch',
    plan: { imports: {}, importIsRefused: true },
    note: 'The import is refused and nothing is sent to the issuer.',
  },
  {
    name: 'elicitation-sep1034-client-defaults',
    note: 'A request for input is refused with a JSON-RPC error: nobody is there to answer it.',
  },
  { name: 'auth/basic-cimd', note: 'About how a client registers itself; tokens are imported.' },
  ...['from-www-authenticate', 'from-scopes-supported', 'omitted-when-undefined'].map((what) => ({
    name: `auth/scope-${what}`,
    note: 'About the scope of an authorization request; tokens are imported with theirs.',
  })),
  {
    name: 'auth/scope-step-up',
    note: 'Needs a second authorization request; 403 is answered with FORBIDDEN instead.',
  },
  {
    name: 'auth/scope-retry-limit',
    note: 'Counts authorization requests, of which there are none; a 403 is not tried again.',
  },
  {
    name: 'auth/2025-03-26-oauth-endpoint-fallback',
    note: 'Token endpoints are not guessed: without metadata, only an access token can be imported.',
  },
  ...['jwt', 'basic'].map((how) => ({
    name: `auth/client-credentials-${how}`,
    note: 'The service obtains no first token by itself; tokens are imported.',
  })),
];
