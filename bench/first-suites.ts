/**
 * Counts the failing cases of suites drafted by `proofmark init` for published MCP servers, with
 * and without seeded faults. The drafts are not edited. `--kept FOLDER` keeps the npm packages for
 * later measurements; further arguments select a package, a fault or both.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installServer, type PublishedServer } from '../scripts/published-servers.mjs';
import { type Fault, faults } from './first-suites/faults.ts';
import {
  firstSuitesOf,
  isOffline,
  type Measured,
  type RedCase,
} from './first-suites/first-suites-of.ts';

interface ListedServer extends PublishedServer {
  readonly worksOffline: boolean;
}

/** The reason why a failing case of an unaltered server is not a false alarm. */
interface Judgement {
  readonly package: string;
  readonly case: string;
  readonly because: 'defect' | 'network' | 'chromium';
  readonly reason: string;
}

interface Outcome {
  readonly server: ListedServer;
  readonly measured: Measured | undefined;
}

const serversAtOnce = 2;
const ofRealTools = listIn<PublishedServer>('../tests/real-tools/packages.json');
const servers = listIn<ListedServer>('./first-suites/packages.json').map((one) => ({
  ...ofRealTools.find(({ name }) => name === one.name),
  ...one,
}));
const judgements = listIn<Judgement>('./first-suites/judged-reds.json');

const { kept, asked } = readArguments();
const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'published-servers-'));
try {
  const chosen = faults.filter(({ id }) => isAsked(id));
  const outcomes = new Map<string, Outcome>();
  const needed = servers.filter(
    ({ name }) => isAsked(name) || chosen.some((fault) => fault.package === name),
  );
  await eachOf(needed, async (server) => {
    const measured = await measure(server);
    outcomes.set(server.name, { server, measured });
    printServer(server, measured);
  });
  let found = 0;
  await eachOf(chosen, async (fault) => {
    const reds = await redsOf(fault, outcomes.get(fault.package));
    if (reds.length > 0) found += 1;
    console.log(`${reds.length > 0 ? 'found ' : 'MISSED'} ${fault.id}: ${fault.says}`);
    for (const { id, why } of reds.slice(0, 2)) console.log(`         ${id}: ${why.slice(0, 150)}`);
  });
  printResult([...outcomes.values()], found, chosen.length);
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function measure(server: ListedServer, fault?: Fault): Promise<Measured | undefined> {
  const own = path.join(folder, server.name.replaceAll(/[/@]/g, '_'));
  try {
    const { program } = await installServer(server, own);
    const wrapper = fileURLToPath(new URL('./first-suites/faulty-server.ts', import.meta.url));
    const before = fault && ['--import', import.meta.resolve('tsx'), wrapper, fault.id];
    return await firstSuitesOf(server, program, before);
  } catch (error) {
    console.log(`${server.name}${fault ? ` (${fault.id})` : ''}: ${String(error).slice(0, 400)}`);
    return undefined;
  }
}

/** Returns the cases of the faulty tools that fail with the fault but pass without it. */
async function redsOf(fault: Fault, as: Outcome | undefined): Promise<readonly RedCase[]> {
  if (as?.measured === undefined) return [];
  const altered = await measure(as.server, fault);
  const before = new Set(as.measured.reds.map(({ id }) => id));
  return (altered?.reds ?? []).filter(
    ({ id, tool }) => tool !== undefined && fault.tools.includes(tool) && !before.has(id),
  );
}

function judgementOf({ name }: PublishedServer, { id }: RedCase): Judgement | undefined {
  return judgements.find((one) => one.package === name && one.case === id);
}

function printServer(server: ListedServer, measured: Measured | undefined): void {
  if (measured === undefined) return;
  const { tools, toolsWithCases, cases, reds, seconds } = measured;
  const listed = `${tools.length} tools, ${toolsWithCases.length} with cases`;
  console.log(
    `${server.name}: ${listed}, ${cases} cases, ${reds.length} red, ${seconds.toFixed(0)} s`,
  );
  for (const red of reds) {
    const judged = judgementOf(server, red)?.because ?? 'FALSE';
    console.log(`  ${judged.padEnd(8)} ${red.id}: ${red.why.slice(0, 260)}`);
  }
}

function printResult(outcomes: readonly Outcome[], found: number, sought: number): void {
  const started = outcomes.flatMap(({ server, measured }) =>
    measured ? [{ server, measured }] : [],
  );
  const total = (count: (one: Measured) => number) =>
    started.reduce((sum, { measured }) => sum + count(measured), 0);
  const reds = started.flatMap(({ server, measured }) =>
    measured.reds.map((red) => judgementOf(server, red)?.because ?? 'false'),
  );
  const number = (kind: string) => reds.filter((one) => one === kind).length;
  const tools = total(({ toolsWithCases }) => toolsWithCases.length);
  const figures = {
    servers: started.length,
    workOffline: started.filter(({ server }) => server.worksOffline).length,
    withoutNetwork: isOffline,
    tools: total((one) => one.tools.length),
    toolsWithCases: tools,
    cases: total(({ cases }) => cases),
    reds: reds.length,
    defects: number('defect'),
    notReachedWithoutNetwork: number('network'),
    withoutChromium: number('chromium'),
    falseReds: number('false'),
    falseRedsPer20Tools: Number(((number('false') * 20) / Math.max(tools, 1)).toFixed(2)),
    faults: sought,
    faultsFound: found,
  };
  console.log(`RESULT ${JSON.stringify(figures)}`);
}

async function eachOf<One>(all: readonly One[], work: (one: One) => Promise<void>): Promise<void> {
  const waiting = [...all];
  await Promise.all(
    Array.from({ length: serversAtOnce }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
    }),
  );
}

function isAsked(name: string): boolean {
  return asked.length === 0 || asked.includes(name);
}

function readArguments(): { kept: string | undefined; asked: readonly string[] } {
  const given = process.argv.slice(2);
  const at = given.indexOf('--kept');
  return at === -1
    ? { kept: undefined, asked: given }
    : { kept: given[at + 1], asked: given.toSpliced(at, 2) };
}

function listIn<One>(file: string): One[] {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as One[];
}
