// Collects the tool lists of published MCP servers into tests/real-tools/tool-lists.json:
//
// node scripts/collect-tool-lists.mjs [PACKAGE…]
//
// Each package in tests/real-tools/packages.json is installed from the npm registry into a
// temporary folder, without its install scripts. The script starts the server over stdio with
// made-up credentials, and lists its tools. A server that does not start this way, or needs a
// network to start, is reported and left out. Versions in packages.json are exact; a package
// without one gets its newest version.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installServer, startArguments } from './published-servers.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const packagesFile = path.join(root, 'tests/real-tools/packages.json');
const listsFile = path.join(root, 'tests/real-tools/tool-lists.json');
const startedMs = 30_000;
const serversAtOnce = 2;

const packages = JSON.parse(readFileSync(packagesFile, 'utf8'));
const asked = process.argv.slice(2);
const wanted = asked.length === 0 ? packages : packages.filter(({ name }) => asked.includes(name));
const lists = new Map(readLists().map((list) => [list.package, list]));

const waiting = [...wanted];
await Promise.all(Array.from({ length: serversAtOnce }, collectNext));
writeLists();

async function collectNext() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    try {
      const list = await collect(next);
      lists.set(next.name, list);
      writeLists();
      console.log(`${next.name}@${list.version}: ${list.tools.length} tools`);
    } catch (error) {
      console.log(`${next.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
}

async function collect(server) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tool-lists-'));
  try {
    const { version, program } = await installServer(server, folder);
    const tools = await listTools(program, server, folder);
    if (tools.length === 0) throw new Error('it lists no tools');
    return { package: server.name, version, tools };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function listTools(program, listed, folder) {
  const home = path.join(folder, 'home');
  mkdirSync(home);
  const server = spawn(process.execPath, startArguments(program, listed, home), {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...listed.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let errors = '';
  server.stderr.on('data', (data) => {
    errors = `${errors}${data}`.slice(-300);
  });
  const ended = new Promise((_, reject) => {
    server.on('exit', () => reject(new Error(`it ended: ${errors.replaceAll(/\s+/g, ' ')}`)));
    setTimeout(
      () => reject(new Error(`no answer: ${errors.replaceAll(/\s+/g, ' ')}`)),
      startedMs,
    ).unref();
  });
  server.stdin.on('error', () => undefined);
  try {
    return await Promise.race([conversation(server), ended]);
  } finally {
    try {
      process.kill(-server.pid, 'SIGKILL');
    } catch {
      // The server has already ended.
    }
  }
}

async function conversation(server) {
  const answers = new Map();
  createInterface({ input: server.stdout }).on('line', (line) => {
    if (!line.startsWith('{')) return;
    const message = JSON.parse(line);
    answers.get(message.id)?.(message);
  });
  const send = (message) =>
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = async (id, method, params) => {
    const answered = new Promise((resolve) => answers.set(id, resolve));
    send({ id, method, params });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  const clientInfo = { name: 'collect-tool-lists', version: '1' };
  await request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  const tools = [];
  let cursor;
  for (let id = 2; id < 20; id += 1) {
    const page = await request(id, 'tools/list', cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  return tools.map(withoutExtras);
}

/** Keeps only the fields that models and rules read. Icons and `_meta` can be large. */
function withoutExtras({ name, title, description, inputSchema, outputSchema, annotations }) {
  return { name, title, description, inputSchema, outputSchema, annotations };
}

function readLists() {
  try {
    return JSON.parse(readFileSync(listsFile, 'utf8'));
  } catch {
    return [];
  }
}

/** Writes one tool per line, so that the diff of a new version is readable. */
function writeLists() {
  const known = packages.flatMap(({ name }) => lists.get(name) ?? []);
  const texts = known.map(
    ({ package: name, version, tools }) =>
      `{"package":${JSON.stringify(name)},"version":${JSON.stringify(version)},"tools":[\n${tools.map((tool) => JSON.stringify(tool)).join(',\n')}]}`,
  );
  writeFileSync(listsFile, `[\n${texts.join(',\n')}\n]\n`);
}
