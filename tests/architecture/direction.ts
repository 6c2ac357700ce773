// Who may import whom, as data. A module is a folder of packages/server/src or one of the other
// packages. `domain` stands on zod alone; npm packages are otherwise each module's own affair.
export const direction: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  contract: ['domain'],
  hashing: [],
  vault: ['domain'],
  storage: ['domain', 'hashing', 'vault'],
  accounts: ['domain', 'storage'],
  queue: ['storage'],
  work: ['storage'],
  egress: ['domain'],
  patterns: ['domain'],
  mail: ['domain'],
  threads: [],
  reports: ['domain', 'threads'],
  'suite-files': ['domain', 'threads'],
  mcp: ['domain', 'egress'],
  model: ['domain', 'egress'],
  engine: ['domain', 'hashing', 'mcp', 'model'],
  actions: [
    'domain',
    'contract',
    'hashing',
    'storage',
    'accounts',
    'patterns',
    'mail',
    'reports',
    'suite-files',
    'mcp',
    'model',
  ],
  http: ['domain', 'contract', 'storage', 'accounts', 'actions'],
  play: ['domain', 'storage', 'work', 'mcp', 'model', 'engine', 'actions'],
  visit: ['domain', 'hashing', 'storage', 'mcp', 'model', 'engine', 'actions', 'play'],
  worker: ['domain', 'storage', 'queue', 'work', 'mcp', 'model', 'engine', 'actions', 'play'],
  main: [
    'domain',
    'contract',
    'vault',
    'storage',
    'accounts',
    'queue',
    'egress',
    'patterns',
    'mail',
    'mcp',
    'model',
    'actions',
    'http',
    'visit',
    'worker',
  ],
  client: ['contract'],
  console: ['client', 'contract', 'domain'],
  cli: ['client', 'contract', 'domain'],
};

/** Imports allowed only in the form `import('…')`, so that the code is loaded when it is needed. */
export const onlyWhenNeeded: Readonly<Record<string, readonly string[]>> = { cli: ['main'] };

/** The npm packages of modules that may not choose freely. */
export const npmPackages: Readonly<Record<string, readonly string[]>> = { domain: ['zod'] };
