/**
 * The commands of a CI job must start no program and read no file of an untrusted checkout. The
 * checkout contains every way to make them do so, and each way works once the checkout is trusted.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { trustedHashFile } from '@proofmark/domain';
import { closeServers, startServer, textOf } from '@proofmark/harness/hostile-servers.ts';
import { runHere } from '@proofmark/harness/journeys/run-here.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { startScriptedServer } from '@proofmark/harness/scripted-mcp-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settingRows } from '../../packages/server/src/main/settings.ts';
import { installedChromium } from '../../packages/server/src/outside/browser/installed-chromium.mjs';
import {
  checkOutUnder,
  contentOf,
  dangerousSettings,
  type Outside,
  plantCheckout,
} from './strange-checkout.ts';
import { appDocument, processesBelow } from './widget-stage.ts';

const workspace = createTestWorkspace();
const folder = `${workspace.folder}/checkout`;
const marks = `${workspace.folder}/marks`;
const home = `${workspace.folder}/home`;
const token = 'canary-of-the-job';
const secretFile = `${workspace.folder}/private/secret.csv`;
const secret = 'canary-of-this-machine';
const received: string[] = [];
let outside: Outside;
let serverUrl = '';

beforeAll(async () => {
  for (const place of [folder, marks, home, path.dirname(secretFile)]) mkdirSync(place);
  // The user of the embedded database must be able to leave a mark in this folder too.
  chmodSync(marks, 0o777);
  writeFileSync(secretFile, `key,prompt\none,${secret}\n`);
  const listener = await startServer(async (request, response) => {
    received.push(JSON.stringify(request.headers) + (await textOf(request)));
    response.writeHead(500).end('{}');
  });
  const opening = { name: 'opening_time', description: 'Tells when the shop opens today.' };
  const uri = 'ui://shop/opening.html';
  const tools = [
    { ...opening, inputSchema: { type: 'object' }, _meta: { ui: { resourceUri: uri } } },
  ];
  const widget = { uri, mimeType: 'text/html;profile=mcp-app', text: appDocument('<p>Shop</p>') };
  const scripted = await startScriptedServer({
    'tools/list': { result: { tools } },
    'tools/call': { result: { content: [{ type: 'text', text: 'At nine.' }] } },
    'resources/read': { result: { contents: [widget] } },
  });
  serverUrl = scripted.url;
  outside = { marks, listenerUrl: listener.url, secretFile };
  plantCheckout(folder, outside);
});
afterAll(async () => {
  await closeServers();
  await workspace.remove();
});
beforeEach(() => {
  received.length = 0;
  for (const mark of readdirSync(marks)) rmSync(path.join(marks, mark));
});

/**
 * The environment of a CI job: no terminal, a token, and folders of the checkout on the search
 * path.
 */
const environment: Record<string, string> = {
  CI: '1',
  CI_TOKEN: token,
  HOME: home,
  LC_ALL: 'C.UTF-8',
  XDG_CONFIG_HOME: `${home}/config`,
  XDG_STATE_HOME: `${home}/state`,
  PATH: `.:node_modules/.bin:${process.env['PATH']}`,
  // Removes the tests' own setting, so that a setting of the checkout would apply.
  ...({ PROOFMARK_CHROMIUM: undefined } as object),
};
const outputs: string[] = [];
async function run(...given: (string | Record<string, string>)[]) {
  const parameters = given.filter((one) => typeof one === 'string');
  const more = Object.assign({}, ...given.filter((one) => typeof one !== 'string'));
  const done = await runHere({ folder, parameters, environment: { ...environment, ...more } });
  outputs.push(done.stdout, done.stderr);
  return done;
}
function placeOf(word: string): string {
  if (word === 'LISTENER') return outside.listenerUrl;
  return word === 'URL' ? serverUrl : word;
}
function expectNothing() {
  expect(readdirSync(marks)).toEqual([]);
  expect(received).toEqual([]);
  expect(outputs.join('\n')).not.toContain(token);
  expect(outputs.join('\n')).not.toContain(secret);
}

const withoutTrust = [
  [
    ['test', 'control.yaml'],
    /config\.json starts the program .*evil\.mjs \(stdioServers\)\.\n.* sends what models are asked, and the key in CI_TOKEN, to http.*\.\n.* sets chromium to .*: \.proofmark is a data directory, and it was not created by a Proofmark command of this user\.\n.*is not trusted here.*--trust/s,
  ],
  [
    ['init', '--config', '.vscode/mcp.json'],
    /mcp\.json starts the program \.\/evil-chromium\.sh with TOKEN \(evil\)\.\n.*--trust/,
  ],
  [
    ['test', 'typed.yaml', '--config', '.vscode/mcp.json'],
    /mcp\.json starts the program \.\/evil-chromium\.sh with TOKEN \(evil\)\.\n.*--trust/,
  ],
  [
    ['test', 'typed.yaml', '--config', '.mcp.json'],
    /mcp\.json sends CI_TOKEN of your environment to http\S+ \(evil\)\.\n.*--trust/,
  ],
  [
    ['test', 'scored.yaml', '--server', 'URL', '--ephemeral'],
    /scored\.yaml sends the conversations of its trials to http\S+ \(an own scorer\)\.\n.*is not trusted here, so nothing was started or sent\..*--trust/,
  ],
  [
    ['test', 'scored-step.yaml', '--server', 'URL', '--url', 'LISTENER'],
    /scored-step\.yaml sends the conversations/,
  ],
  [
    ['test', 'typed.yaml', '--server', 'URL'],
    /\.proofmark is a data directory, and it was not created by a Proofmark command of this user.*--trust/,
  ],
  [['test', 'typed.yaml', '--server-command', 'own-server'], /own-server cannot be started/],
  [['test', 'traversal.yaml'], /not in the folder of the suite file/],
  [['test', 'absolute.yaml'], /not in the folder of the suite file/],
  [['test', 'linked-data.yaml'], /not in the folder of the suite file/],
  [['test', 'linked.yaml'], /linked\.yaml is a link that leads out of this folder/],
  [['test', 'linked-folder/secret.csv'], /is a link that leads out of this folder/],
  [['suite', 'mutate', 'linked.yaml'], /linked\.yaml is a link that leads out of this folder/],
  [['suite', 'mutate', 'scored.yaml', '--server', 'URL'], /scored\.yaml sends the conversations/],
  [['test', '--replay', 'linked.yaml'], /linked\.yaml is a link that leads out of this folder/],
  [
    ['test', '--replay', 'linked-recordings.yaml'],
    /is a link that leads out of the folder of the suite/,
  ],
  [
    ['test', '--replay', 'linked-recording.yaml'],
    /is a link that leads out of the folder of the suite/,
  ],
  [
    ['test', '--record', 'linked-recordings.yaml'],
    /is a link that leads out of the folder of the suite/,
  ],
  [['whoami'], /No service runs in this folder/],
  [
    ['suite', 'lint', 'typed'],
    /proofmark\.config\.json starts[\s\S]*is not trusted here[\s\S]*--trust/,
  ],
  [
    ['suite', 'mutate', 'typed'],
    /proofmark\.config\.json starts[\s\S]*is not trusted here[\s\S]*--trust/,
  ],
  [['eval', 'gate', 'run'], /No service runs in this folder/],
  [['suite', 'import', 'typed.yaml'], /No service runs in this folder/],
] as const;

describe.each([0o022, 0o077])('checked out under umask %o', (umask) => {
  beforeAll(() => checkOutUnder(umask, folder));

  test.each(withoutTrust)(
    '%j is refused, and nothing is started, read or sent',
    async (typed, why) => {
      const done = await run(...typed.map((word) => placeOf(word)));
      expect(done.code, done.stdout + done.stderr).toBe(2);
      expect(done.stderr).toMatch(why);
      expectNothing();
    },
  );
});

/** The limits in `proofmark.config.json`: the only settings that apply without consent. */
const limits = [
  ...[
    'callsPerServer',
    'concurrentRuns',
    'diskReserveMb',
    'ingestionRateLimit',
    'journeyRunTimeoutMs',
  ],
  ...['logLevel', 'miningDebounceMs', 'modelSteps', 'rateLimit', 'reportTimeoutMs', 'runTimeoutMs'],
  ...['sample', 'sessionTimeoutMs', 'sessionsPerRun', 'settleMs', 'trialTimeoutMs', 'trialsAtOnce'],
  ...['trialsPerRun', 'worker'],
];

test('every setting but limits is asked about, and shown with --trust', async () => {
  const file = `${folder}/proofmark.config.json`;
  const planted = contentOf(file);
  const dangerous = dangerousSettings(folder, outside.listenerUrl);
  const names = Object.values(settingRows).flatMap(({ config }) => config ?? []);
  expect(names.length).toBeGreaterThan(limits.length + 20);
  try {
    for (const name of names.filter((one) => !limits.includes(one))) {
      writeFileSync(file, JSON.stringify({ [name]: dangerous[name] ?? 'evil' }));
      const done = await run('test', 'control.yaml');
      expect(done.code, name).toBe(2);
      expect(done.stderr).toContain('proofmark.config.json is not trusted here');
      expect(done.stderr).toContain(name);
      expect(done.stderr).toContain('--trust');
    }
    // Through a link, another file could be read and quoted.
    rmSync(file);
    symlinkSync(secretFile, file);
    const linked = await run('test', 'control.yaml');
    expect(linked.stderr).toContain('proofmark.config.json is a link out of this folder');
    expect(linked.code).toBe(2);
  } finally {
    rmSync(file);
    writeFileSync(file, planted);
  }
  expectNothing();
});

/**
 * Runs a command and returns the browsers, and the host processes of browsers, that ran during it.
 */
async function runWatched(...given: Parameters<typeof run>) {
  const seen = new Set<string>();
  // Other tests of this process may still have a browser, so earlier processes are ignored.
  const earlier = new Set(processesBelow().map(({ pid }) => pid));
  const watch = setInterval(() => {
    for (const { pid, command } of processesBelow()) {
      if (earlier.has(pid)) continue;
      const [program = ''] = command.split(' ');
      if (command.includes('--remote-debugging-pipe')) seen.add(program);
      if (command.includes('browser-process-program')) seen.add('a room');
    }
  }, 100);
  try {
    return { ...(await run(...given)), browsers: [...seen].sort() };
  } finally {
    clearInterval(watch);
  }
}

/** Every variable and folder that can name a browser. Each leads into the checkout. */
const waysToABrowser = {
  PROOFMARK_CHROMIUM: `${folder}/evil-chromium.sh`,
  PLAYWRIGHT_BROWSERS_PATH: folder,
  PROOFMARK_CONFIG: 'proofmark.config.json',
  XDG_CACHE_HOME: `${folder}/cache`,
  PATH: `${folder}:${environment['PATH']}`,
};

const playing =
  'a typed server is tested, recorded and replayed with its widget, and all else of the checkout is left alone';

describe.each([{ umask: 0o022 }, { umask: 0o077 }])('under umask $umask', ({ umask }) => {
  test(playing, async () => {
    checkOutUnder(umask, folder);
    const recorded = await run(
      ...['test', 'typed.yaml', 'shows.yaml', '--ephemeral', '--record'],
      ...['--server', serverUrl, '--server-name', 'shop'],
    );
    expect(recorded.code, recorded.stdout + recorded.stderr).toBe(0);
    expect(recorded.stderr).toMatch(
      /ignored in proofmark.config.json, which is not trusted here: modelProviders, chromium;.*--trust/,
    );
    // Reading any of these values would stop the start or name a program.
    const done = await runWatched('test', 'typed.yaml', 'shows.yaml', '--replay', {
      ...waysToABrowser,
      PROOFMARK_PORT: 'none',
      DATABASE_URL: 'none',
    });
    expect(done.code, done.stdout + done.stderr).toBe(0);
    for (const file of ['typed', 'shows']) {
      expect(done.stderr).toContain(
        `replayed 1 trial of ${file}.yaml, without a server or a model`,
      );
    }
    // A rendered widget needs a browser. It must be the installed one.
    expect(done.browsers).toEqual([installedChromium({}), 'a room']);
    expectNothing();
  });
});

test('with --no-widgets no browser is started, not even an installed one', async () => {
  const without = await runWatched(
    'test',
    'shows.yaml',
    '--replay',
    '--no-widgets',
    waysToABrowser,
  );
  expect(without.code, without.stdout + without.stderr).not.toBe(0);
  expect(without.stdout).not.toMatch(/^PASSED/m);
  expect(without.browsers).toEqual([]);
  expectNothing();
});

test('a suite file that states what starts its server is refused', async () => {
  const done = await run('test', 'starts.yaml', '--ephemeral', '--server', serverUrl);
  expect(done.code, done.stdout + done.stderr).toBe(2);
  expectNothing();
});

// Shows that the tests above can fail. These tests leave the checkout trusted, so they come last.
test('where it is trusted, each program leaves its mark, with the variables that are named and no other', async () => {
  const done = await run('test', 'control.yaml', '--trust');
  expect(readdirSync(marks).sort(), done.stdout + done.stderr).toEqual([
    ...['evil-chromium.sh', 'evil-database.sh', 'evil.mjs'],
  ]);
  expect(received.join()).toContain(`Bearer ${token}`);
  for (const mark of readdirSync(marks)) {
    expect(contentOf(path.join(marks, mark)), mark).not.toContain(token);
  }
});

test('where it is trusted, a scorer is sent what was said', async () => {
  const dataDir = ['--data-dir', `${folder}/.proofmark`];
  const listed = await run('admin', 'list-organizations', '--json', ...dataDir);
  const [organization] = JSON.parse(listed.stdout);
  await run('admin', 'rotate-scorer-secret', organization.name, 'Default', '--json', ...dataDir);
  await run('test', 'scored.yaml', '--server', serverUrl);
  expect(received).toEqual([]);
  const done = await run('test', 'scored.yaml', '--server', serverUrl, '--trust');
  expect(received.join(), done.stdout + done.stderr).toContain('When does the shop open today?');
});

test('where it is trusted, a service of the folder is sent its key', async () => {
  // The previous test ran a service of this folder, which removed the forged service file.
  const dataDir = `${folder}/.proofmark`;
  const text = JSON.stringify({
    url: outside.listenerUrl,
    key: 'pmk_of_the_checkout',
    pid: process.pid,
  });
  writeFileSync(`${dataDir}/service.json`, text);
  chmodSync(`${dataDir}/service.json`, 0o600);
  await run('whoami');
  expect(received).toEqual([]);
  const sha256Hex = (given: string) => createHash('sha256').update(given).digest('hex');
  const seal = trustedHashFile(`${home}/state/proofmark`, dataDir, 'service.json', sha256Hex);
  writeFileSync(seal, sha256Hex(text), { mode: 0o600 });
  await run('whoami');
  expect(received.join()).toContain('pmk_of_the_checkout');
});
