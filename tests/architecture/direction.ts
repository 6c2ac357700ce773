// The direction table: which module may import which. A module is a package, or in the server a
// folder below `platform`, `outside` and `features`, or `kernel`, `conversation` and `main`.
// `domain` may use only zod; other modules choose their npm packages freely.

/** Packages, and the modules of the server that are not named below. */
const others: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  report: ['domain'],
  contract: ['domain'],
  client: ['contract'],
  console: ['client', 'contract', 'domain', 'report'],
  cli: [
    'client',
    'contract',
    'domain',
    'report',
    'outside/reports',
    'outside/suite-files',
    'outside/tokens',
  ],
  kernel: [],
};

/** Modules that run the service. None may import a feature. */
export const platform: Readonly<Record<string, readonly string[]>> = {
  'platform/accounts': ['contract', 'domain', 'platform/database'],
  'platform/backup': ['platform/database'],
  'platform/database': ['domain', 'kernel', 'platform/vault'],
  'platform/embedded': ['kernel', 'platform/database'],
  'platform/http': [
    'contract',
    'domain',
    'platform/accounts',
    'platform/database',
    'platform/operations',
  ],
  'platform/jobs': ['platform/database'],
  'platform/keys': ['platform/database', 'platform/vault'],
  'platform/migrations': ['domain', 'kernel', 'platform/database'],
  'platform/operations': ['contract', 'domain', 'kernel', 'platform/accounts', 'platform/database'],
  'platform/spending': [
    'domain',
    'outside/model',
    'platform/accounts',
    'platform/database',
    'platform/operations',
    'platform/work',
  ],
  'platform/vault': ['domain'],
  'platform/work': ['domain', 'platform/database'],
};

/** Modules for outgoing connections. None may import a database. */
export const outside: Readonly<Record<string, readonly string[]>> = {
  'outside/browser': ['domain', 'outside/egress', 'outside/threads'],
  'outside/conformance': ['domain', 'outside/mcp'],
  'outside/egress': ['domain'],
  'outside/mail': ['domain'],
  'outside/mcp': ['domain', 'outside/egress'],
  'outside/model': ['domain', 'outside/egress'],
  'outside/patterns': ['domain'],
  'outside/reports': ['domain', 'outside/threads'],
  'outside/scorers': ['domain', 'outside/egress'],
  'outside/suite-files': ['domain', 'outside/threads'],
  'outside/threads': [],
  'outside/tokens': ['domain'],
};

/**
 * One turn with a model and servers. Like the modules for outgoing connections, it imports no
 * database.
 */
const conversation = {
  conversation: [
    'domain',
    'kernel',
    'outside/browser',
    'outside/mcp',
    'outside/model',
    'outside/scorers',
    'outside/tokens',
  ],
};

/**
 * For each feature, the other features that it may use, only through their index. Every feature may
 * also use platform, outside and conversation.
 */
export const features: Readonly<Record<string, readonly string[]>> = {
  accounts: ['evals', 'health', 'models', 'servers'],
  agent: ['evals', 'models'],
  clients: ['environments', 'servers'],
  environments: ['clients', 'servers'],
  evals: ['clients', 'environments', 'insights', 'models', 'servers'],
  health: [],
  home: ['evals'],
  insights: ['models'],
  models: [],
  mutations: ['environments', 'evals', 'servers'],
  playground: [
    'clients',
    'environments',
    'evals',
    'models',
    'servers',
    'sessions',
    'swarms',
    'turns',
  ],
  retention: ['evals', 'insights', 'swarms', 'user-testing'],
  servers: ['clients', 'environments', 'evals'],
  sessions: ['evals', 'playground', 'swarms', 'user-testing'],
  swarms: [
    'clients',
    'environments',
    'evals',
    'insights',
    'models',
    'playground',
    'servers',
    'sessions',
  ],
  turns: ['environments', 'evals', 'models'],
  'user-testing': [
    'environments',
    'evals',
    'insights',
    'models',
    'playground',
    'servers',
    'sessions',
    'swarms',
    'turns',
  ],
};

const below = [
  ...Object.keys(platform),
  ...Object.keys(outside),
  ...['conversation', 'contract', 'domain', 'report', 'kernel'],
];

const featureModules = Object.keys(features).map((name) => `features/${name}`);

export const direction: Readonly<Record<string, readonly string[]>> = {
  ...others,
  ...platform,
  ...outside,
  ...conversation,
  ...Object.fromEntries(
    Object.entries(features).map(([name, used]) => [
      `features/${name}`,
      [...below, ...used.map((other) => `features/${other}`)],
    ]),
  ),
  main: [...below, ...featureModules],
};

/** Imports allowed only in the form `import('…')`, so that the code is loaded when it is needed. */
export const onlyWhenNeeded: Readonly<Record<string, readonly string[]>> = {
  cli: ['main', 'features/evals', 'outside/model', 'outside/tokens'],
  console: ['outside/suite-files', 'outside/patterns'],
};

export const entries: Readonly<Record<string, string>> = {
  'in-memory': 'features/evals',
  patterns: 'outside/patterns',
  ranking: 'outside/model',
  reports: 'outside/reports',
  'suite-files': 'outside/suite-files',
  tokens: 'outside/tokens',
};

export const npmPackages: Readonly<Record<string, readonly string[]>> = { domain: ['zod'] };

/**
 * The table inside the console: for each feature, the features that it may import through their
 * `index.ts`. All may use `kit`, which imports no feature. `main` may use each through its
 * `index.ts`, or load its pages.
 */
export const consoleFeatures: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  agent: [],
  environments: ['evals', 'servers'],
  evals: ['insights', 'models', 'widgets'],
  health: ['accounts'],
  home: ['evals'],
  insights: [],
  models: ['accounts'],
  mutations: ['evals', 'models'],
  playground: ['evals', 'models', 'visit'],
  projects: ['accounts'],
  reference: [],
  servers: ['evals', 'insights', 'widgets'],
  spending: ['accounts'],
  swarms: ['environments', 'evals', 'insights'],
  'user-testing': ['environments', 'evals', 'insights'],
  visit: [],
  widgets: [],
};
